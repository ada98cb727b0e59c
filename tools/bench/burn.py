"""Burn's own stores, timed by the judge in tests/interop where it has been built."""

import json
import os
import subprocess
from pathlib import Path

from tools.bench.timing import ROOT

PROGRAM = Path("release") / "interop"


def program() -> Path | None:
    """Return the judge's program, None where it has not been built."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    places = (
        os.environ.get("CARGO_TARGET_DIR"),
        ROOT / "tests" / "interop" / "target",
        cache / "burnstore" / "interop",
    )
    found = (Path(place) / PROGRAM for place in places if place)
    return next((path for path in found if path.is_file()), None)


def seconds(folder: Path, rounds: int) -> dict[str, float]:
    """Return the quickest of several rounds of each step, on the model that is in `folder`; {} without Burn.

    folder: has model.pt and model.safetensors of `models.Linears`.
    """
    judge = program()
    if judge is None:
        return {}
    done = subprocess.run([judge, "time", folder, str(rounds)], check=True, capture_output=True, text=True)
    steps: dict[str, list[float]] = json.loads(done.stdout)["seconds"]
    return {step: min(taken) for step, taken in steps.items()}
