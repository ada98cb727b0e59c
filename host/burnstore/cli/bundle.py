"""burnstore bundle"""

from pathlib import Path
from typing import Any

import click

from burnstore.boards.runtime.bundle import Bundle
from burnstore.boards.runtime.bundle import bundle as bundled
from burnstore.cli import options
from burnstore.cli.command import Command
from burnstore.cli.echo import answer
from burnstore.cli.streams import readable, shown, writable
from burnstore.cli.targets import check_new
from burnstore.io.files import replace
from burnstore.io.opened import open_burnpack
from burnstore.models.program import uses_of_runnable
from burnstore.programs.uses import Uses


@click.command(
    cls=Command,
    examples="""
    burnstore bundle small.bpk -o burnrt.mpy --march armv6m
    burnstore bundle small.bpk other.bpk -o burnrt.mpy --overwrite
    burnstore bundle small.bpk -o burnrt.py --json
    """,
)
@click.argument(
    "models", metavar="MODEL.bpk...", nargs=-1, required=True, type=options.File(allows_stream=True)
)
@options.output(
    "OUT",
    "The file to write: an .mpy, or the source where OUT ends with .py. It is named burnrt on the board. "
    '"-" is the standard output. It is always named with -o.',
    alone=False,
)
@options.march("The board's processor, for kernels in native code.")
@options.overwrite()
def bundle(models: tuple[str, ...], output: Path, march: str | None, overwrite: bool) -> None:
    """Write the runtime that models need as one file: the loader, and the kernels and checks of their steps.

    On the board, `from burnrt import Model` finds it as /lib/burnrt.mpy, in a ROM partition, or frozen. A
    model of floats has steps once `burnstore convert` wrote them: see its option --shape.
    """
    check_new(output, overwrite, models)
    made = bundled(map(_uses, models), march)
    content = made.source.encode() if output.suffix == ".py" else made.compiled()
    with writable(output, ".mpy") as path:
        replace(path, [content], overwrite)
    answer(_plain(output, made, content), _lines(output, made, content))


def _uses(model: str) -> Uses:
    with open_burnpack(readable(model)) as opened:
        return uses_of_runnable(opened.reader, opened.view)


def _plain(output: Path, made: Bundle, content: bytes) -> dict[str, Any]:
    return {
        "output": str(output),
        "size": len(content),
        "march": made.architecture,
        "kernels": dict(made.kernels),
    }


def _lines(output: Path, made: Bundle, content: bytes) -> list[str]:
    where = f"for {made.architecture}" if made.architecture else "in bytecode, for any processor"
    width = max(map(len, made.kernels), default=0)
    kernels = [f"{name:{width}}  {home}" for name, home in made.kernels.items()]
    return [f"{shown(output)}: {len(content):,} bytes, {where}", *kernels]
