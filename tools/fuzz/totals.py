"""How many inputs all runs on this machine took, in build/fuzz/totals.json."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tools.fuzz.finds import FOLDER

COLUMNS = ("cpython", "unix", "wasm", "read", "kept")


def added(rows: Mapping[str, Mapping[str, int]], seconds: float, folder: Path = FOLDER) -> dict[str, Any]:
    """Add what a run did to what is in the file, and return that.

    rows: of each target, the numbers in `COLUMNS`. The file has targets, runs and seconds.
    """
    path = folder / "totals.json"
    found: dict[str, Any] = {"targets": {}, "runs": 0, "seconds": 0.0}
    if path.exists():
        found = json.loads(path.read_text(encoding="utf-8"))
    for name, row in rows.items():
        sums = found["targets"].setdefault(name, {})
        for column, count in row.items():
            sums[column] = sums.get(column, 0) + count
    found["runs"] += 1
    found["seconds"] += seconds
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return found


def table(rows: Mapping[str, Mapping[str, int]]) -> Iterable[str]:
    """Return the lines of a table of rows, with their sum."""
    yield "%-12s" % "target" + "".join("%10s" % column for column in COLUMNS)
    whole = {column: sum(row.get(column, 0) for row in rows.values()) for column in COLUMNS}
    for name, row in {**rows, "all": whole}.items():
        yield "%-12s" % name + "".join("%10d" % row.get(column, 0) for column in COLUMNS)
