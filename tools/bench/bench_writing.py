"""Writing 1 GB on the computer: throughput against other writers, and peak memory."""

import tempfile
from pathlib import Path

from tools.bench import Row, at_least_times, at_most
from tools.bench.timing import measured

COUNT, SIZE = 64, 16 << 20  # tensors, and bytes of each
ROUNDS = 3
SPARE = 30  # MB beyond the largest tensor that a save may take

_ARRAYS = f"""
import os
import numpy as np
pattern = np.arange({SIZE // 4}, dtype=np.float32)
arrays = {{f"layers.{{number}}.weight": pattern + number for number in range({COUNT})}}
"""
_WRITERS = {
    "bare write and fsync": (
        _ARRAYS,
        """
with open(path, "wb", buffering=0) as file:
    for array in arrays.values():
        file.write(array)
    os.fsync(file.fileno())
""",
    ),
    "safetensors save_file": (
        _ARRAYS + "from safetensors.numpy import save_file\n",
        "save_file(arrays, path)",
    ),
    "save_file and fsync": (
        _ARRAYS + "from safetensors.numpy import save_file\n",
        "save_file(arrays, path)\nos.fsync(os.open(path, os.O_RDWR))",
    ),
    "burnpack": (
        _ARRAYS
        + """
from burnpack.writer import Writer
from burnstore.numerics.arrays import tensor_from_array
from burnstore.io.files import replace
tensors = [tensor_from_array(key, array) for key, array in arrays.items()]
""",
        "replace(path, Writer(tensors).chunks())",
    ),
}
# A provider that makes each tensor when it is asked for: all that is held is what the writer holds.
_LAZY = f"""
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnstore.io.files import replace
def tensor(number):
    return Tensor(f"layers.{{number}}.weight", "U8", ({SIZE},), lambda: bytes({SIZE}))

tensors = [tensor(number) for number in range({COUNT})]
"""


def run() -> list[Row]:
    best = {name: min(_seconds(name) for _ in range(ROUNDS)) for name in _WRITERS}
    size = COUNT * SIZE / 1e6
    ours = size / best.pop("burnpack")
    rows = []
    for name, seconds in best.items():
        times = 0.9 if "bare" in name else 1.0
        row = at_least_times("write 1 GB", ours, "MB/s", name, size / seconds, times)
        rows.append(
            row if "fsync" in name else row._replace(goal="(it does not wait for the disk)", met=None)
        )
    with tempfile.TemporaryDirectory(prefix="burnstore-bench-") as folder:
        found = measured(_LAZY + _path(folder), "replace(path, Writer(tensors).chunks())")
    rows.append(at_most("peak memory of writing 1 GB", found["peak"] / 1e6, "MB", SIZE / 1e6 + SPARE))
    return rows


def _seconds(name: str) -> float:
    setup, action = _WRITERS[name]
    with tempfile.TemporaryDirectory(prefix="burnstore-bench-") as folder:
        seconds: float = measured(setup + _path(folder), action)["seconds"]
    return seconds


def _path(folder: str) -> str:
    return f"\npath = {str(Path(folder) / 'written')!r}\n"
