"""burnstore profile"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from burnpack.errors import printable
from burnstore.boards.fit.speed import Time, times
from burnstore.boards.fit.steps import Step, facts_of
from burnstore.boards.link import profile as board
from burnstore.boards.link.deploy import first_case, found_as, opened
from burnstore.boards.link.facts import look
from burnstore.boards.link.link import Link
from burnstore.boards.runtime.bundle import bundle
from burnstore.cli import options
from burnstore.cli.command import Command
from burnstore.cli.echo import answer, tell
from burnstore.cli.streams import readable
from burnstore.io.opened import open_burnpack
from burnstore.models.selftest import any_input

_COLUMNS = ("step", "kernel", "microseconds", "share", "MACs", "instructions")
_LEFT = 2  # columns of text


@dataclass(frozen=True)
class Row:
    """A step of the model. macs: products that are added up. instructions: foretold, or None."""

    step: str
    kernel: str
    microseconds: int
    macs: int
    instructions: int | None


@click.command(
    cls=Command,
    examples="""
    burnstore profile small.bpk --port /dev/ttyACM0
    burnstore profile small.bpk --input x.npy --json
    """,
)
@options.model()
@options.port
@options.inputs()
def profile(source: str, port: str | None, inputs: tuple[str, ...]) -> None:
    """Show what each step of a model takes on a board, where `burnstore deploy` has brought it.

    The board runs the steps one by one, three times. The table shows the fastest time of each by the board's
    clock, the products that it adds up (MACs), and the instructions that `burnstore fit` foretells, where
    they are known. Without --input, the model is given noise. Below is the heap that the model takes.
    """
    path = Path(readable(source))
    runnable = opened(path)
    given = first_case(runnable, inputs) if inputs else any_input(runnable.model, 0)
    with open_burnpack(path) as file:
        steps = facts_of(file.reader, runnable.model).steps
    with Link(port) as link:
        facts = look(link)
        tell(str(facts))
        found = board.profile(
            link, found_as(runnable.name) or facts.path_of(runnable.name), runnable.model, given
        )
    homes = bundle([runnable.uses], facts.architecture, facts.has_ulab).kernels
    rows = list(_rows(steps, times(steps, homes, facts.architecture), found))
    answer(_plain(found, rows), [*_table(rows), "", *_heap(found)])


def _rows(steps: Iterable[Step], foretold: Iterable[Time], found: board.Profile) -> Iterable[Row]:
    for step, time, took in zip(steps, foretold, found.microseconds, strict=True):
        yield Row(step.layer, step.kernel, took, step.macs, time.instructions)


def _plain(found: board.Profile, rows: Sequence[Row]) -> dict[str, Any]:
    heap = {"runtime": found.runtime, "model": found.model, "free": found.free}
    return {"heap": heap, "microseconds": _total(rows), "steps": [vars(row) for row in rows]}


def _total(rows: Sequence[Row]) -> int:
    return sum(row.microseconds for row in rows)


def _table(rows: Sequence[Row]) -> list[str]:
    """Return the table's lines, without columns that say nothing."""
    total = _total(rows)
    macs = sum(row.macs for row in rows)
    cells = [_COLUMNS, *(_cells(row, total) for row in rows)]
    cells.append(("all", "", f"{total:,}", "", f"{macs:,}", ""))
    kept = [column for column in zip(*cells, strict=True) if any(cell for cell in column[1:])]
    widths = [max(map(len, column)) for column in kept]
    return [
        "  ".join(
            cell.ljust(width) if place < _LEFT else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in zip(*kept, strict=True)
    ]


def _cells(row: Row, total: int) -> tuple[str, ...]:
    share = f"{100 * row.microseconds / total:.1f} %" if total else ""
    counts = (f"{number:,}" if number else "" for number in (row.macs, row.instructions))
    return (printable(row.step), row.kernel, f"{row.microseconds:,}", share, *counts)


def _heap(found: board.Profile) -> list[str]:
    taken = f"{found.runtime:,} bytes for the runtime and {found.model:,} for the model"
    return [f"heap: {taken}; {found.free:,} are left"]
