"""burnstore fit"""

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from burnpack.errors import LoadFailed
from burnstore.boards.fit import boards, speed
from burnstore.boards.fit.memory import runtime_of
from burnstore.boards.fit.report import Capacity, Way, ways
from burnstore.boards.fit.steps import Facts, facts_of
from burnstore.boards.runtime.bundle import bundle
from burnstore.cli import options
from burnstore.cli.command import FAILED, Command
from burnstore.cli.echo import answer
from burnstore.cli.streams import readable
from burnstore.io.beside import has_program
from burnstore.io.opened import open_burnpack
from burnstore.models.program import NO_PROGRAM, load_program
from burnstore.programs.uses import uses_of


@click.command(
    cls=Command,
    examples="""
    burnstore fit small.bpk --board pico
    burnstore fit small.bpk --board pico2 --rom 256K
    burnstore fit small.bpk --flash 256K --ram 128K --march armv7emsp --json
    """,
    failed="The model does not fit: neither in files nor in a ROM partition.",
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
@click.option("--rom", metavar="SIZE", callback=options.bytes_of, help="The ROM partition, if there is one.")
@click.option(
    "--ram",
    metavar="SIZE",
    callback=options.bytes_of,
    help="The heap that is free, instead of the board's.",
)
@options.march("The processor, instead of the board's.")
def fit(
    source: str, board: str | None, flash: int | None, rom: int | None, ram: int | None, march: str | None
) -> None:
    """Say what a model takes on a board, whether it fits, and how long its steps take.

    --board is needed, or --flash and --ram. The file must have a program, as `burnstore quantize` writes one,
    and `burnstore convert` of a .pt2, or with --module and --shape. The heap is that of 32-bit boards; your
    own program comes on top.
    """
    capacity = _capacity(board, flash, rom, ram)
    processor = march or (boards.find(board).processor if board else None)
    found = _fitted(Path(readable(source)), processor, capacity, board)
    answer(_plain(found), _lines(found))
    if not found.fits:
        sys.exit(FAILED)


@dataclass(frozen=True)
class _Fitted:
    """What is found. times: what `speed` says of each step."""

    board: str | None
    capacity: Capacity
    file: int
    runtime: int
    facts: Facts
    ways: list[Way]
    times: list[speed.Time]

    @property
    def fits(self) -> bool:
        """Whether the stock firmware runs the model, in files or in a ROM partition."""
        return any(way.fits for way in self.ways if way.stock)


def _fitted(path: Path, processor: str | None, capacity: Capacity, board: str | None) -> _Fitted:
    with open_burnpack(path) as opened:
        reader = opened.reader
        if not has_program(reader):
            raise LoadFailed(NO_PROGRAM, source=reader.source)
        facts = facts_of(reader, load_program(opened.view, reader.source))
        made = bundle([uses_of(reader)], processor)
        size = len(opened.view)
    runtime = runtime_of(made)
    times = speed.times(facts.steps, made.kernels, processor)
    return _Fitted(board, capacity, size, runtime.size, facts, ways(facts, size, runtime, capacity), times)


def _capacity(board: str | None, flash: int | None, rom: int | None, ram: int | None) -> Capacity:
    known = boards.find(board) if board else None
    if known is None and (flash is None or ram is None):
        lacking = " and ".join(name for name, size in (("--flash", flash), ("--ram", ram)) if size is None)
        raise click.UsageError(f"{lacking} or --board is needed")
    of_files = known.flash if known and flash is None else flash or 0
    of_rom = known.rom if known and rom is None else rom or 0
    if known is None or ram is not None:
        return Capacity(of_files, of_rom, ram or 0, ram or 0)
    return Capacity(of_files, of_rom, known.heap, known.block)


def _plain(found: _Fitted) -> dict[str, object]:
    steps = [
        {**asdict(step), "macs": step.macs, **asdict(time)}
        for step, time in zip(found.facts.steps, found.times, strict=True)
    ]
    return {
        "fits": found.fits,
        "file": found.file,
        "runtime": found.runtime,
        "arena": found.facts.arena,
        "states": found.facts.states,
        "inputs": [list(shape) for shape in found.facts.shapes],
        "capacity": asdict(found.capacity),
        "ways": [asdict(way) for way in found.ways],
        "steps": steps,
        "time": asdict(speed.total(found.times)),
    }


def _lines(found: _Fitted) -> Iterator[str]:
    facts, capacity = found.facts, found.capacity
    states = f", of which states take {facts.states:,}" if facts.states else ""
    head = f"file {found.file:,} bytes, runtime {found.runtime:,} bytes of .mpy"
    yield f"{head}, arena {facts.arena:,} bytes{states}"
    heap = f"{capacity.heap:,} of heap, {capacity.block:,} in one piece"
    rom = f"{capacity.rom:,} of a ROM partition" if capacity.rom else "no ROM partition"
    yield f"available: {capacity.flash:,} bytes of flash for files, {rom}, {heap}"
    if found.board:
        board = boards.find(found.board)
        yield f"({board.title}, stock firmware; {board.sources})"
    layer = max([24, *(len(step.layer) for step in facts.steps)])
    kernel = max([16, *(len(step.kernel) for step in facts.steps)])
    columns = f"{'products':>12} {'weights':>9} {'instructions':>13}{_head(found)}"
    yield f"{'step':{layer}} {'kernel':{kernel}} {columns}"
    for step, time in zip(facts.steps, found.times, strict=True):
        names = f"{step.layer:{layer}} {step.kernel:{kernel}}"
        yield f"{names} {step.macs:>12,} {step.weights:>9,} {_figures(time)}"
    products = sum(step.macs for step in facts.steps)
    known = [time for time in found.times if time.instructions is not None]
    more = " and more" if known and len(known) < len(found.times) else ""
    whole = _figures(speed.total(known or found.times))
    yield f"{'all':{layer}} {'':{kernel}} {products:>12,} {'':9} {whole}{more}"
    lacking = dict.fromkeys(
        step.kernel for step, time in zip(facts.steps, found.times, strict=True) if time.instructions is None
    )
    if lacking:
        yield f"(?: not counted, of {', '.join(lacking)})"
    for way in found.ways:
        yield from _way_lines(way)


def _head(found: _Fitted) -> str:
    return f" {'ms':>9}" if any(time.milliseconds is not None for time in found.times) else ""


def _figures(time: speed.Time) -> str:
    instructions = "?" if time.instructions is None else f"{time.instructions:,}"
    shown = "" if time.milliseconds is None else f" {time.milliseconds:>9.2f}"
    return f"{instructions:>13}{shown}"


def _way_lines(way: Way) -> list[str]:
    verdict = "fits" if way.fits else "does not fit"
    if way.name == "frozen":
        verdict = ("fits" if way.fits else "does not fit") + ", with firmware of your own"
    lines = [f"{way.title}: {verdict}"]
    lines.append(
        f"  flash {way.flash:,}, heap {way.least:,} ({way.used:,} kept), largest piece {way.piece:,}"
    )
    return lines + [f"  - {line}" for line in way.advice]
