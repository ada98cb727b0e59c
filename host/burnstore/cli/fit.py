"""burnstore fit"""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from burnpack.errors import InvalidTensor
from burnpack.layout import HEADER_SIZE, parse_header
from burnpack.limits import Limits
from burnpack.module import Module
from burnstore.board import runtime
from burnstore.board.facts import Facts
from burnstore.cli.golden import shape_of
from burnstore.fit import boards
from burnstore.fit.forward import Step, steps
from burnstore.fit.heap import WORD_32
from burnstore.fit.report import Report, Road, Room, report
from burnstore.model import load_module
from burnstore.opened import OpenedFile

_UNITS = {"K": 1 << 10, "M": 1 << 20}
# Bytecode is the same for every board.
_ANY_BOARD = Facts("", "", (), runtime.MPY_VERSION, 0, 0, 0, 0, [], "/lib")

_ROADS = {"flash": "in flash, read in place", "file": "in a file, loaded onto the heap"}


def _bytes(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """Return what was given as "2M", "192K" or "4096"."""
    if value is None:
        return None
    unit = _UNITS.get(value[-1:].upper(), 1)
    digits = value[:-1] if unit > 1 else value
    if not digits.isdecimal():
        raise click.BadParameter('sizes are written as "2M", "192K" or "4096"', context, parameter)
    return int(digits) * unit


@click.command()
@click.argument("model", metavar="MODEL.bpk", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--board", type=click.Choice(boards.names()), help="A board with its stock firmware.")
@click.option("--flash", metavar="SIZE", callback=_bytes, help="Flash for files, instead of the board's.")
@click.option("--ram", metavar="SIZE", callback=_bytes, help="Heap that is free, instead of the board's.")
@click.option("--module", metavar="FILE:CLASS", help="The model, for the figures of its forward pass.")
@click.option("--shape", callback=shape_of, help='Of its input, as "1,1,28,28".')
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def fit(
    model: Path,
    board: str | None,
    flash: int | None,
    ram: int | None,
    module: str | None,
    shape: tuple[int, ...] | None,
    as_json: bool,
) -> None:
    """Say what a model takes on a board, whether it fits, and what would make it fit.

    Leaves with 1 when it fits on no road. Heap figures are for 32-bit boards, with the runtime as .mpy files;
    a heap in pieces, and your own program, need more.
    """
    if bool(module) != bool(shape):
        raise click.UsageError("--module and --shape go together")
    room = _room(board, flash, ram)
    source = Path(module.rpartition(":")[0]) if module else None
    compiled = sum(len(file.data) for file in runtime.files(_ANY_BOARD, source))
    with OpenedFile(model) as opened:
        net = load_module(module) if module else None
        passes = _steps(net, opened, shape)
        with model.open("rb") as file:
            _, metadata = parse_header(file.read(HEADER_SIZE), Limits())
        found = report(opened.reader, model.stat().st_size, metadata, compiled, net, passes, room, WORD_32)
    click.echo(json.dumps(_plain(found), indent=2) if as_json else _text(found, board))
    if not found.fits:
        sys.exit(1)


def _room(board: str | None, flash: int | None, ram: int | None) -> Room:
    known = boards.find(board) if board else None
    if known is None and (flash is None or ram is None):
        raise click.UsageError("either --board, or --flash and --ram, are needed")
    if known is None or ram is not None:
        heap = block = ram or 0
    else:
        heap, block = known.heap, known.block
    return Room(known.flash if flash is None and known else flash or 0, heap, block)


def _steps(net: Module | None, opened: OpenedFile, shape: tuple[int, ...] | None) -> list[Step]:
    if net is None or shape is None:
        return []
    result = net.apply(opened.reader)
    if result.errors or result.missing:
        raise InvalidTensor("the tensors do not fit the model\n" + str(result), None, opened.path)
    return steps(net, shape)


def _plain(found: Report) -> dict[str, object]:
    roads = [{**asdict(road), "heap": road.heap} for road in found.roads]
    return {**asdict(found), "roads": roads, "fits": found.fits}


def _text(found: Report, board: str | None) -> str:
    room = found.room
    lines = [f"blob {found.blob:,} bytes, runtime {found.runtime:,} bytes of .mpy"]
    lines.append(f"room: {room.flash:,} bytes of flash, {room.heap:,} of heap, {room.block:,} in one piece")
    if board:
        lines.append(f"({boards.find(board).title}; {boards.find(board).sources})")
    for layer in found.layers:
        shape = "x".join(str(extent) for extent in layer.shape)
        what = f"{layer.path or layer.kind} ({layer.kind})"
        lines.append(f"  {what:32} {shape:>16} {layer.block:>10,} bytes, heap {layer.heap:,}")
    for road in found.roads:
        lines += _road_lines(road)
    return "\n".join(lines)


def _road_lines(road: Road) -> list[str]:
    verdict = "fits" if road.fits else "does not fit"
    peak = "an unknown forward pass (--module, --shape)" if road.peak is None else f"forward {road.peak:,}"
    lines = [f"{_ROADS[road.name]}: {verdict}"]
    lines.append(
        f"  flash {road.flash:,}, heap {road.heap:,} (code {road.code:,}, load {road.load:,}, {peak})"
    )
    lines.append(f"  largest piece {road.block:,}")
    return lines + [f"  - {line}" for line in road.advice]
