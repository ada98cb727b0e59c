"""burnstore romfs"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from burnpack.errors import BurnpackError, printable
from burnstore.boards.images.romfs import Entry, parse_image
from burnstore.boards.images.romfs_runtime import add_runtime
from burnstore.boards.images.romfs_source import top_of
from burnstore.boards.images.romfs_writer import write_image
from burnstore.cli import options
from burnstore.cli.command import Command
from burnstore.cli.echo import answer
from burnstore.cli.streams import is_stream, shown, writable
from burnstore.cli.targets import check_new
from burnstore.io.files import MappedFile, replace


@click.command(
    cls=Command,
    examples="""
    burnstore romfs app -o app.romfs --march armv6m
    burnstore romfs digits.bpk model.py -o digits.romfs --list
    burnstore romfs small.bpk -o small.romfs --runtime --march armv6m
    burnstore romfs app.romfs --list --json
    """,
)
@click.argument("paths", metavar="DIR_OR_FILES...", nargs=-1, required=True, type=click.Path())
@options.output(
    "IMAGE", 'The image to write; "-" is the standard output. It is always named with -o.', False, alone=False
)
@click.option(
    "--list", "listed", is_flag=True, help="Show the files of the image that is written, or that is named."
)
@click.option(
    "--runtime",
    is_flag=True,
    help="Put lib/burnrt.mpy into the image: the one runtime of all its models, with what their steps use.",
)
@options.march("The board's processor, for sources with native code.")
@options.overwrite("IMAGE")
def romfs(
    paths: tuple[str, ...],
    output: Path | None,
    listed: bool,
    runtime: bool,
    march: str | None,
    overwrite: bool,
) -> None:
    """Make a ROMFS image for a board's ROM partition, or show what is in one.

    Models (.bpk, .safetensors) begin on multiples of 256 bytes, other files on multiples of 16. Sources (.py)
    become .mpy. What is in a single DIR is the image's top; of several paths, each is put there by its name.
    `mpremote romfs deploy IMAGE` brings the image to a board.
    """
    if output is None and runtime:
        raise click.UsageError("--runtime goes with -o IMAGE")
    if output is None:
        if not listed or len(paths) != 1:
            raise click.UsageError("-o IMAGE is missing (or, to show one image, --list)")
        entries = _entries(paths[0])
        answer(_plain(paths[0], entries), _lines(entries))
        return
    _check_outside(output, paths)
    check_new(output, overwrite)
    top = top_of([Path(path) for path in paths], march)
    if runtime:
        add_runtime(top, march)
    pieces = write_image(top)
    with writable(output, ".romfs") as path:
        replace(path, pieces, overwrite)
        entries = _entries(str(path))
    said = f"{printable(shown(output))}: {sum(map(len, pieces)):,} bytes"
    answer(_plain(str(output), entries), [said, *(_lines(entries) if listed else [])])


def _check_outside(image: Path, paths: tuple[str, ...]) -> None:
    """Refuse an image within what it is made of: the next one would have it inside."""
    target = image.resolve()
    if not is_stream(image) and any(target.is_relative_to(Path(path).resolve()) for path in paths):
        raise click.UsageError("IMAGE would lie in what it is made of")


def _entries(image: str) -> list[Entry]:
    try:
        with MappedFile(image) as mapped:
            return parse_image(mapped.view)
    except BurnpackError as error:
        raise error.within(image) from None


def _plain(image: str, entries: list[Entry]) -> dict[str, Any]:
    return {"image": image, "files": [{**entry._asdict(), "alignment": entry.alignment} for entry in entries]}


def _lines(entries: list[Entry]) -> Iterator[str]:
    yield f"{'offset':>10}  {'size':>10}  {'alignment':>9}  path"
    for entry in entries:
        yield f"{entry.offset:>10,}  {entry.size:>10,}  {entry.alignment:>9}  {printable(entry.path)}"
