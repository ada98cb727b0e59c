"""The table of networks in docs/quantizing.md: what integers cost those that others wrote.

    python -m tools.networks

Quantizes each exported network of tests/data/pt2 by the command line, with its input and noise on it, and
writes the table between its marks.
"""

import contextlib
import io
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from safetensors.numpy import save_file

from burnstore.cli import commands
from tools.performance import ROOT, tests_module

DOCUMENT = ROOT / "docs" / "quantizing.md"
BEGIN, END = "<!-- by tools/networks.py -->", "<!-- until here -->"
HEADS = ("network", "error of each output", "least dB of a step", "file", "arena", "steps")
CONSTANT = 1e-6  # of an output that does not change


def report(path: Path, samples: Any) -> dict[str, Any]:
    """Return the report of quantizing a network, as the command prints it."""
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "samples.safetensors"
        save_file(samples, given)
        words = ["quantize", str(path), "--calibrate", str(given), "-o", f"{folder}/out.bpk", "--json"]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            commands.main(words, standalone_mode=False)
    found: dict[str, Any] = json.loads(printed.getvalue())
    return found


def table() -> Iterator[str]:
    """Yield the lines of the table."""
    networks: Any = tests_module("kit.int8.networks")
    yield "| " + " | ".join(HEADS) + " |"
    yield "|---|" + "---:|" * (len(HEADS) - 1)
    for path in networks.FILES:
        found = report(path, networks.samples_of(path))
        errors = [_error(output) for output in (found, *found["others"])]
        least = min(step["ratio"] for step in found["steps"] if isinstance(step["ratio"], float))
        cells = [path.stem, ", ".join(errors), f"{least:.1f}", f"{found['size_after']:,}"]
        yield "| " + " | ".join([*cells, f"{found['arena']:,}", str(len(found["steps"]))]) + " |"


def _error(output: dict[str, Any]) -> str:
    if output["deviation"] < CONSTANT:
        return "-"
    return f"{100 * output['rmse'] / output['deviation']:.1f} %"


def main() -> int:
    text = DOCUMENT.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, behind = rest.partition(END)
    lines = "\n".join(table())
    DOCUMENT.write_text(f"{before}{BEGIN}\n\n{lines}\n\n{END}{behind}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
