"""Runs the measurements: `python -m tools.bench [SUBJECT...]` prints a table and writes build/bench.json."""

import importlib
import json
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tools.bench import Row, Skipped

HERE = Path(__file__).resolve().parent
RESULT = HERE.parent.parent / "build" / "bench.json"
VERDICTS = {True: "yes", False: "no", None: ""}


def subjects() -> list[str]:
    """Return the names of all subjects: of bench_x.py, "x"."""
    return sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))


def measure(subject: str) -> list[Row]:
    """Return the rows of one subject, none where it cannot be measured here."""
    print("measuring %s" % subject, file=sys.stderr)
    try:
        rows: list[Row] = importlib.import_module("tools.bench.bench_" + subject).run()
    except Skipped as reason:
        print("  left out: %s" % reason, file=sys.stderr)
        return []
    return rows


def table(rows: dict[str, list[Row]]) -> Table:
    shown = Table("what", "measured", "peer", "ratio", "goal", "met")
    for column in (1, 2, 3):
        shown.columns[column].justify = "right"
    for subject, of_subject in rows.items():
        shown.add_section()
        for row in of_subject:
            ratio = row.ratio()
            shown.add_row(
                "%s: %s" % (subject, row.name),
                quantity(row.value, row.unit),
                "%s %s" % (row.peer, quantity(row.peer_value, row.unit))
                if row.peer_value is not None
                else "",
                "" if ratio is None else "%.2f" % ratio,
                row.goal,
                VERDICTS[row.met],
            )
    return shown


def quantity(value: float, unit: str) -> str:
    """Return a figure as it is read: whole where it is a count, four digits otherwise."""
    return "%d %s" % (value, unit) if value == int(value) else "%.4g %s" % (value, unit)


def as_json(rows: dict[str, list[Row]]) -> str:
    """Return all figures, with the machine they were taken on."""
    machine = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": platform.system(),
    }
    listed = {
        subject: [{**row._asdict(), "ratio": row.ratio()} for row in of_subject]
        for subject, of_subject in rows.items()
    }
    return json.dumps({"machine": machine, "subjects": listed}, indent=1, ensure_ascii=False) + "\n"


def main(arguments: Sequence[str]) -> int:
    known = subjects()
    unknown = sorted(set(arguments) - set(known))
    if unknown:
        print("no such subject: %s; there are: %s" % (", ".join(unknown), ", ".join(known)), file=sys.stderr)
        return 2
    rows = {subject: measure(subject) for subject in arguments or known}
    Console(width=None if sys.stdout.isatty() else 160).print(table(rows))
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(as_json(rows), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
