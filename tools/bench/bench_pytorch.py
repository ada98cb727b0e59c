"""Converting and listing PyTorch checkpoints, against torch and safetensors, as whole processes.

The peers run in the Python that BURNSTORE_BENCH_PEER_PYTHON names, else in this one; where torch and
safetensors can't be imported there, ours are measured alone. The checkpoints have the layouts of
torchvision's ResNet-18 and of transformers' BERT-base, and 200 tensors of 5 MB; all weights are random.
What we write is waited for until it is on the disk, what the peers write is not.
"""

import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tools.bench import Row, at_most, at_most_times
from tools.bench.checkpoints import Layout, bert_base, gigabyte, resnet_18, write_random
from tools.bench.timing import PATHS, whole

PEER_PYTHON = "BURNSTORE_BENCH_PEER_PYTHON"
ROUNDS = 3
SPARE = 30  # MB beyond the largest tensor that a conversion may take
FLOAT = 4  # bytes

# What is converted, and how many times the peer's time that may take.
CASES: dict[str, tuple[Callable[[], Layout], float]] = {
    "ResNet-18 (47 MB)": (resnet_18, 0.5),
    "BERT-base (438 MB)": (bert_base, 1.0),
    "1 GB": (gigabyte, 1.0),
}
LISTED = "1 GB"

_CONVERT = """
import sys, torch
from safetensors.torch import save_file
save_file(torch.load(sys.argv[1]), sys.argv[2])
"""
_OUR_LIST = """
import sys
from burnstore.io.opened import open_model
def names():
    with open_model(sys.argv[1]) as opened:
        return opened.names()
"""
_THEIR_LIST = """
import sys, torch
def names():
    return list(torch.load(sys.argv[1], mmap=True))
"""
_BEST = """
import time
best = float("inf")
for _ in range(30):
    start = time.perf_counter()
    names()
    best = min(best, time.perf_counter() - start)
print(best)
"""


def run() -> list[Row]:
    peer = _peer()
    rows = []
    for name, (layout, times) in CASES.items():
        with tempfile.TemporaryDirectory(prefix="burnstore-bench-") as folder:
            source = Path(folder) / "model.pt"
            write_random(source, layout())
            rows += _converting(name, source, layout(), peer, times)
            if name == LISTED:
                rows += _listing(name, source, peer)
    return rows


def _peer() -> str | None:
    """Return the Python that has the peers, None where there is none."""
    python = os.environ.get(PEER_PYTHON, sys.executable)
    found = subprocess.run([python, "-c", "import torch, safetensors.torch"], capture_output=True)
    if not found.returncode:
        return python
    print("  no torch and safetensors in %s: no peers (%s names another Python)" % (python, PEER_PYTHON))
    return None


def _converting(name: str, source: Path, layout: Layout, peer: str | None, times: float) -> list[Row]:
    target = source.with_suffix(".safetensors")
    commands = {"ours": [sys.executable, "-m", "burnstore", "convert", str(source), "-o", str(target)]}
    if peer is not None:
        commands["torch"] = [peer, "-c", _CONVERT, str(source), str(target)]
    found = _best(commands, target)
    most = FLOAT * max(math.prod(shape) for _, shape in layout) / 1e6 + SPARE
    (seconds, theirs), (peak, held) = [_pair(found, key) for key in ("seconds", "peak")]
    return [
        _row(f"convert {name} to .safetensors", seconds, "s", theirs, times),
        at_most(f"peak memory of that, {name}", peak / 1e6, "MB", most, "torch", held and held / 1e6),
    ]


def _listing(name: str, source: Path, peer: str | None) -> list[Row]:
    commands = {"ours": [sys.executable, "-c", _OUR_LIST + "names()", str(source)]}
    if peer is not None:
        commands["torch"] = [peer, "-c", _THEIR_LIST + "names()", str(source)]
    seconds, theirs = _pair(_best(commands), "seconds")
    inside, inside_theirs = _in_process(sys.executable, _OUR_LIST, source), None
    if peer is not None:
        inside_theirs = _in_process(peer, _THEIR_LIST, source)
    return [
        _row(f"list the names of {name}, whole process", seconds, "s", theirs, 0.2),
        _row(f"list the names of {name}, in process", inside, "ms", inside_theirs, 0.2),
    ]


def _best(commands: dict[str, list[str]], target: Path | None = None) -> dict[str, dict[str, float]]:
    """Return the quickest and the smallest of several runs of each command, taken in turns."""
    found: dict[str, dict[str, float]] = {}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            if target is not None:
                target.unlink(missing_ok=True)
            measured = whole(command)
            before = found.get(name, measured)
            found[name] = {key: min(value, before[key]) for key, value in measured.items()}
    return found


def _in_process(python: str, listing: str, source: Path) -> float:
    """Return the milliseconds of the quickest of many listings in one process."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(PATHS)}
    command = [python, "-c", listing + _BEST, str(source)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return float(done.stdout) * 1e3


def _pair(found: dict[str, dict[str, float]], key: str) -> tuple[float, float | None]:
    return found["ours"][key], found["torch"][key] if "torch" in found else None


def _row(name: str, value: float, unit: str, theirs: float | None, times: float) -> Row:
    return (
        Row(name, value, unit) if theirs is None else at_most_times(name, value, unit, "torch", theirs, times)
    )
