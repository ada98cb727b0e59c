"""burnstore fit"""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from burnpack.layout import HEADER_SIZE, parse_header
from burnpack.limits import Limits
from burnpack.reader import Reader
from burnstore.advice.conversions import converting
from burnstore.boards.fit import boards, floats, integers
from burnstore.boards.fit.heap import WORD_32
from burnstore.boards.fit.report import Capacity, Report, Sizes, Storage, report, unread
from burnstore.boards.link import runtime
from burnstore.boards.link.facts import imagined
from burnstore.boards.runtime import contents
from burnstore.cli import options
from burnstore.cli.command import FAILED, Command
from burnstore.cli.echo import answer, note
from burnstore.cli.options import Shape
from burnstore.cli.streams import readable
from burnstore.io.container import Container
from burnstore.io.opened import open_burnpack
from burnstore.models.model import NOT_NEEDED, file_and_class, load_runnable

_READABLE = "a board computes with floats, or with what `burnstore quantize` makes of a model in floats"
# How a pass is run: what is said of a storage that it fits, and of a figure.
_WAYS = {
    "any": ("", ""),
    "planned": (", where the pass is planned: `model.plan(shape)`", " by a plan"),
    "apart": (", where each call in the pass is a statement of its own", ", one call a statement"),
}
_STORAGES = {"flash": "in flash, read in place", "file": "in a file, loaded onto the heap"}


@click.command(
    cls=Command,
    examples="""
    burnstore fit digits.bpk --board pico
    burnstore fit digits.bpk --board pico --module model.py:DigitsNet --shape 1,1,8,8
    burnstore fit small.bpk --flash 256K --ram 128K --march armv7emsp --json
    """,
    failed="The model does not fit, neither in flash nor as a file.",
)
@options.model()
@click.option(
    "--board",
    type=click.Choice(boards.names()),
    help="A board with its stock firmware, whose sizes are known.",
)
@click.option(
    "--flash",
    metavar="SIZE",
    callback=options.bytes_of,
    help='The flash that is free for files, as in "256K" or "2M", instead of the board\'s.',
)
@click.option(
    "--ram",
    metavar="SIZE",
    callback=options.bytes_of,
    help="The heap that is free, instead of the board's.",
)
@options.march("The processor, instead of the board's.")
@options.module("The class of a model in floats, for what its forward pass takes. --shape goes with it.")
@options.shapes("It goes with --module.")
def fit(
    source: str,
    board: str | None,
    flash: int | None,
    ram: int | None,
    march: str | None,
    module: str | None,
    shapes: tuple[Shape, ...],
) -> None:
    """Say what a model takes on a board, whether it fits, and what would make it fit.

    --board is needed, or --flash and --ram. A quantized model needs no --module. The figures for the heap
    are those of 32-bit boards with the runtime as .mpy files. A heap in pieces needs more, and your own
    program comes on top.
    """
    if bool(module) != bool(shapes):
        raise click.UsageError("--module and --shape go together")
    capacity = _capacity(board, flash, ram)
    processor = march or (boards.find(board).processor if board else None)
    path = Path(readable(source))
    with open_burnpack(path) as opened:
        found = _report(path, opened.reader, module, shapes, processor, capacity)
    answer(_plain(found), _lines(found, board))
    if not found.fits:
        sys.exit(FAILED)


def _report(
    path: Path,
    reader: Container,
    module: str | None,
    shapes: tuple[Shape, ...],
    processor: str | None,
    capacity: Capacity,
) -> Report:
    operations = contents.operations(reader) if isinstance(reader, Reader) else None
    source = Path(file_and_class(module)[0]) if module else None
    sizes = _sizes(path, contents.entries(operations, source, processor), processor)
    if operations is not None and isinstance(reader, Reader):
        if module:
            note(NOT_NEEDED)
        return report(reader, sizes, integers.running(WORD_32, reader), capacity, WORD_32)
    if module is None:
        running = floats.by_names(WORD_32, reader)
    else:
        runnable = load_runnable(module)
        with converting(reader, runnable):
            running = floats.by_pass(WORD_32, reader, runnable, *shapes)
    return report(reader, sizes, running, capacity, WORD_32, unread(reader))


def _sizes(path: Path, entries: list[str], processor: str | None) -> Sizes:
    files = runtime.files(imagined(processor), entries)
    native = sum(len(file.data) for file in files if file.is_native)
    with path.open("rb") as file:
        _, metadata = parse_header(file.read(HEADER_SIZE), Limits())
    return Sizes(path.stat().st_size, metadata, sum(len(file.data) for file in files) - native, native)


def _capacity(board: str | None, flash: int | None, ram: int | None) -> Capacity:
    known = boards.find(board) if board else None
    if known is None and (flash is None or ram is None):
        lacking = " and ".join(name for name, size in (("--flash", flash), ("--ram", ram)) if size is None)
        raise click.UsageError(f"{lacking} or --board is needed")
    if known is None or ram is not None:
        heap = block = ram or 0
    else:
        heap, block = known.heap, known.block
    return Capacity(known.flash if flash is None and known else flash or 0, heap, block)


def _plain(found: Report) -> dict[str, object]:
    storages = [{**asdict(storage), "heap": storage.heap} for storage in found.storages]
    sizes = {**asdict(found.sizes), "runtime": found.sizes.runtime}
    return {**sizes, **asdict(found), "storages": storages, "fits": found.fits}


def _lines(found: Report, board: str | None) -> Iterator[str]:
    capacity = found.capacity
    yield f"blob {found.sizes.blob:,} bytes, runtime {found.sizes.runtime:,} bytes of .mpy"
    heap = f"{capacity.heap:,} of heap, {capacity.block:,} in one piece"
    yield f"available: {capacity.flash:,} bytes of flash, {heap}"
    if board:
        yield f"({boards.find(board).title}; {boards.find(board).sources})"
    for layer in found.layers:
        shape = "x".join(str(extent) for extent in layer.shape)
        what = f"{layer.path or layer.kind} ({layer.kind})"
        most = f" to {layer.most:,}" if layer.most > layer.least else ""
        yield f"  {what:32} {shape:>16} {layer.block:>10,} bytes, heap {layer.least:,}{most}"
    if found.arena is not None:
        planned = "" if found.planned is None else f", heap {found.planned:,} with all that it keeps"
        yield f"a plan's arena: {found.arena:,} bytes in one piece{planned}"
    if found.unread:
        yield f"no kernel of a board reads {', '.join(found.unread)}: {_READABLE}"
    for storage in found.storages:
        yield from _storage_lines(storage, found.unknown or "--module, --shape")


def _storage_lines(storage: Storage, unknown: str) -> list[str]:
    """Return what is said of a storage. unknown: why a forward pass is."""
    where, by = _WAYS[storage.way]
    verdict = "fits" + where if storage.fits else "does not fit"
    peak = f"an unknown forward pass ({unknown})" if storage.peak is None else f"forward {storage.peak:,}{by}"
    lines = [f"{_STORAGES[storage.name]}: {verdict}"]
    lines.append(
        f"  flash {storage.flash:,}, heap {storage.heap:,} "
        f"(code {storage.code:,}, load {storage.load:,}, {peak})"
    )
    lines.append(f"  largest piece {storage.block:,}")
    return lines + [f"  - {line}" for line in storage.advice]
