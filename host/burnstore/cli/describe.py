"""burnstore describe"""

from pathlib import Path

import click

from burnpack.limits import Limits
from burnstore.cli import options
from burnstore.cli.command import Command
from burnstore.cli.echo import answer, lines_of, note
from burnstore.cli.streams import readable, shown, writable
from burnstore.cli.targets import check_new
from burnstore.io.files import replace
from burnstore.io.opened import OpenedFile


@click.command(
    cls=Command,
    examples="""
    burnstore describe digits.pt
    burnstore describe digits.pt -o net.py
    burnstore describe small.bpk -o guessed.py --json
    """,
)
@options.model("MODEL")
@options.output(
    "OUT.py", f"The file to write. Without it, the class is printed. {options.ALONE}", required=False
)
@options.top_level_key
@options.shapes("Where a .pt2 leaves extents open, these are taken.")
@options.overwrite()
@options.max_expansion
def describe(
    source: str,
    output: Path | None,
    top_level_key: str | None,
    shapes: tuple[options.Shape, ...],
    overwrite: bool,
    expansion: int | None,
) -> None:
    """Write the class of a network, in burnrt.nn, to read and to change.

    A .pt2 says all of it. Of a whole module that torch.save wrote, the layers are known, and `forward` is
    left to do. Of weights alone, layers are guessed from names and shapes; each guess is marked by a comment.
    The class loads the file: burnstore convert MODEL --module OUT.py:CLASS
    """
    if output is not None:
        check_new(output, overwrite, [source])
    with OpenedFile(readable(source), Limits(expansion=expansion)) as opened:
        from burnstore.classes.describing import describe as described  # and with it the layers

        found = described(opened, top_level_key, shapes)
    note(*found.notes)
    data = {"class": found.name, "forward": not found.is_left, "notes": found.notes}
    if output is None:
        answer({**data, "source": found.source}, lines_of(found.source.rstrip("\n")))
        return
    with writable(output, ".py") as path:
        replace(path, [found.source.encode()], overwrite=overwrite)
    left = "; forward is left to do" if found.is_left else ""
    answer({"output": str(output), **data}, [f"{shown(output)}: class {found.name}{left}"])
