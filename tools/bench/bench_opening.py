"""Opening and indexing files on the computer, against `safetensors.safe_open` on the same tensors."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import safetensors
from safetensors.numpy import save_file

from burnpack.writer import Writer
from burnstore.io.files import replace
from burnstore.io.opened import OpenedFile
from burnstore.numerics.arrays import tensor_from_array
from tools.bench import Row, at_most_times
from tools.bench.timing import alternated

ROUNDS = 60
# What is opened: how many tensors, and how many numbers in each.
CASES = {"1,000 tensors": (1000, 256), "1 GB in 64 tensors": (64, 4 << 20)}


def run() -> list[Row]:
    rows = []
    for name, (count, size) in CASES.items():
        with tempfile.TemporaryDirectory(prefix="burnstore-bench-") as folder:
            rows.append(_opening(name, Path(folder), count, size))
    return rows


def _opening(name: str, folder: Path, count: int, size: int) -> Row:
    numbers = np.zeros(size, np.float32)
    arrays = {f"layers.{number}.weight": numbers for number in range(count)}
    save_file(arrays, folder / "model.safetensors")
    tensors = [tensor_from_array(key, array) for key, array in arrays.items()]
    replace(folder / "model.bpk", Writer(tensors).chunks())
    times = alternated({"ours": _ours(folder), "safe_open": _safe_open(folder)}, ROUNDS)
    goal = 1.5 if count >= 1000 else 1.0
    return at_most_times(
        f"open and list {name}", times["ours"] * 1e6, "µs", "safe_open", times["safe_open"] * 1e6, goal
    )


def _ours(folder: Path) -> Callable[[], object]:
    def action() -> list[str]:
        with OpenedFile(folder / "model.bpk") as opened:
            return opened.reader.names()

    return action


def _safe_open(folder: Path) -> Callable[[], object]:
    def action() -> list[str]:
        with safetensors.safe_open(folder / "model.safetensors", "numpy") as opened:
            return list(opened.keys())

    return action
