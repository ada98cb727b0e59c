"""burnstore fit"""

import sys
from dataclasses import asdict
from pathlib import Path

import click

from burnpack.layout import HEADER_SIZE, parse_header
from burnpack.limits import Limits
from burnpack.reader import Reader
from burnstore.board import runtime
from burnstore.board.facts import imagined
from burnstore.cli.echo import echo, echo_json
from burnstore.cli.options import Shape, bytes_of, shapes_of
from burnstore.container import Container
from burnstore.firmware import contents
from burnstore.firmware.cross import ARCHITECTURES
from burnstore.fit import boards, floats, integers
from burnstore.fit.heap import WORD_32
from burnstore.fit.report import Report, Road, Room, Sizes, report, unread
from burnstore.model import load_runnable
from burnstore.opened import open_burnpack

_READABLE = "a board computes with floats, or with what `burnstore quantize` makes of a model in floats"
_ROADS = {"flash": "in flash, read in place", "file": "in a file, loaded onto the heap"}


@click.command()
@click.argument("model", metavar="MODEL.bpk", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--board", type=click.Choice(boards.names()), help="A board with its stock firmware.")
@click.option("--flash", metavar="SIZE", callback=bytes_of, help="Flash for files, instead of the board's.")
@click.option("--ram", metavar="SIZE", callback=bytes_of, help="Heap that is free, instead of the board's.")
@click.option("--march", type=click.Choice(ARCHITECTURES), help="The processor, instead of the board's.")
@click.option("--module", metavar="FILE:CLASS", help="A float model, for the figures of its forward pass.")
@click.option(
    "--shape", "shapes", multiple=True, callback=shapes_of, help='Of its input, as "1,1,28,28", for each.'
)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def fit(
    model: Path,
    board: str | None,
    flash: int | None,
    ram: int | None,
    march: str | None,
    module: str | None,
    shapes: tuple[Shape, ...],
    as_json: bool,
) -> None:
    """Say what a model takes on a board, whether it fits, and what would make it fit.

    Leaves with 1 when it fits on no road. A quantized model needs no --module. Heap figures are for 32-bit
    boards, with the runtime as .mpy files; a heap in pieces, and your own program, need more.
    """
    if bool(module) != bool(shapes):
        raise click.UsageError("--module and --shape go together")
    room = _room(board, flash, ram)
    processor = march or (boards.find(board).processor if board else None)
    with open_burnpack(model) as opened:
        found = _report(model, opened.reader, module, shapes, processor, room)
    if as_json:
        echo_json(_plain(found), indent=2)
    else:
        echo(*_lines(found, board))
    if not found.fits:
        sys.exit(1)


def _report(
    path: Path,
    reader: Container,
    module: str | None,
    shapes: tuple[Shape, ...],
    processor: str | None,
    room: Room,
) -> Report:
    operations = contents.operations(reader) if isinstance(reader, Reader) else None
    source = Path(module.rpartition(":")[0]) if module else None
    sizes = _sizes(path, contents.entries(operations, source, processor), processor)
    if operations is not None and isinstance(reader, Reader):
        return report(reader, sizes, integers.running(WORD_32, reader), room, WORD_32)
    if module is None:
        running = floats.by_names(WORD_32, reader)
    else:
        running = floats.by_pass(WORD_32, reader, load_runnable(module), *shapes)
    return report(reader, sizes, running, room, WORD_32, unread(reader))


def _sizes(path: Path, entries: list[str], processor: str | None) -> Sizes:
    files = runtime.files(imagined(processor), entries)
    native = sum(len(file.data) for file in files if file.is_native)
    with path.open("rb") as file:
        _, metadata = parse_header(file.read(HEADER_SIZE), Limits())
    return Sizes(path.stat().st_size, metadata, sum(len(file.data) for file in files) - native, native)


def _room(board: str | None, flash: int | None, ram: int | None) -> Room:
    known = boards.find(board) if board else None
    if known is None and (flash is None or ram is None):
        lacking = " and ".join(name for name, size in (("--flash", flash), ("--ram", ram)) if size is None)
        raise click.UsageError(f"{lacking} or --board is needed")
    if known is None or ram is not None:
        heap = block = ram or 0
    else:
        heap, block = known.heap, known.block
    return Room(known.flash if flash is None and known else flash or 0, heap, block)


def _plain(found: Report) -> dict[str, object]:
    roads = [{**asdict(road), "heap": road.heap} for road in found.roads]
    sizes = {**asdict(found.sizes), "runtime": found.sizes.runtime}
    return {**sizes, **asdict(found), "roads": roads, "fits": found.fits}


def _lines(found: Report, board: str | None) -> list[str]:
    room = found.room
    lines = [f"blob {found.sizes.blob:,} bytes, runtime {found.sizes.runtime:,} bytes of .mpy"]
    lines.append(f"room: {room.flash:,} bytes of flash, {room.heap:,} of heap, {room.block:,} in one piece")
    if board:
        lines.append(f"({boards.find(board).title}; {boards.find(board).sources})")
    for layer in found.layers:
        shape = "x".join(str(extent) for extent in layer.shape)
        what = f"{layer.path or layer.kind} ({layer.kind})"
        lines.append(f"  {what:32} {shape:>16} {layer.block:>10,} bytes, heap {layer.heap:,}")
    if found.arena is not None:
        lines.append(f"a plan's arena: {found.arena:,} bytes in one piece")
    if found.unread:
        lines.append(f"no kernel of a board reads {', '.join(found.unread)}: {_READABLE}")
    for road in found.roads:
        lines += _road_lines(road)
    return lines


def _road_lines(road: Road) -> list[str]:
    verdict = "fits" if road.fits else "does not fit"
    verdict += ", where the pass is planned: `model.plan(shape)`" if road.planned else ""
    peak = "an unknown forward pass (--module, --shape)" if road.peak is None else f"forward {road.peak:,}"
    lines = [f"{_ROADS[road.name]}: {verdict}"]
    lines.append(
        f"  flash {road.flash:,}, heap {road.heap:,} (code {road.code:,}, load {road.load:,}, {peak})"
    )
    lines.append(f"  largest piece {road.block:,}")
    return lines + [f"  - {line}" for line in road.advice]
