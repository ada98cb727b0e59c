"""burnstore romfs"""

from pathlib import Path

import click

from burnpack.errors import BurnpackError, printable
from burnstore.cli.echo import echo
from burnstore.cli.targets import check_new
from burnstore.files import MappedFile, replace
from burnstore.firmware.cross import ARCHITECTURES
from burnstore.firmware.romfs import Entry, parse_image
from burnstore.firmware.romfs_source import top_of
from burnstore.firmware.romfs_writer import write_image


@click.command()
@click.argument("paths", metavar="DIR_OR_FILES...", nargs=-1, required=True)
@click.option("-o", "--output", metavar="IMAGE", help="The image to write.")
@click.option("--list", "listed", is_flag=True, help="Show the files of the image that is written or named.")
@click.option("--march", type=click.Choice(ARCHITECTURES), help="The board's processor, for native code.")
@click.option("--overwrite", is_flag=True, help="Replace IMAGE if it exists.")
def romfs(
    paths: tuple[str, ...], output: str | None, listed: bool, march: str | None, overwrite: bool
) -> None:
    """Make a ROMFS image, or show what is in one.

    Models (.bpk, .safetensors) begin on multiples of 256 bytes, other files on multiples of 16. Sources (.py)
    become .mpy. What is in a single DIR is the image's top; of several paths, each is put there by its name.

    \b
    burnstore romfs app/ -o app.romfs --march armv6m
    burnstore romfs app.romfs --list
    mpremote romfs deploy app.romfs
    """
    if output is None:
        if not listed or len(paths) != 1:
            raise click.UsageError("-o IMAGE is missing (or, to show one image, --list)")
        output = paths[0]
    else:
        _check_outside(output, paths)
        check_new(Path(output), overwrite)
        pieces = write_image(top_of([Path(path) for path in paths], march))
        replace(output, pieces, overwrite)
        echo(f"{output}: {sum(map(len, pieces)):,} bytes")
    if listed:
        _show(_entries(output))


def _check_outside(image: str, paths: tuple[str, ...]) -> None:
    """Refuse an image within what it is made of: the next one would have it inside."""
    target = Path(image).resolve()
    if any(target.is_relative_to(Path(path).resolve()) for path in paths):
        raise click.UsageError("IMAGE would lie in what it is made of")


def _entries(image: str) -> list[Entry]:
    try:
        with MappedFile(image) as mapped:
            return parse_image(mapped.view)
    except BurnpackError as error:
        raise error.within(image) from None


def _show(entries: list[Entry]) -> None:
    echo(f"{'offset':>10}  {'size':>10}  {'alignment':>9}  path")
    for entry in entries:
        echo(f"{entry.offset:>10,}  {entry.size:>10,}  {entry.alignment:>9}  {printable(entry.path)}")
