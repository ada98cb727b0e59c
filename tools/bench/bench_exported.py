"""Converting an exported MobileNetV2 into a .bpk with its program, against loading it with torch.

Both are whole processes. The peer runs in the Python that BURNSTORE_BENCH_PEER_PYTHON names, else in this
one.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.bench import Row, Skipped, at_most_times
from tools.bench.timing import whole

PEER_PYTHON = "BURNSTORE_BENCH_PEER_PYTHON"
NETWORK = Path(__file__).with_name("mobilenet.py")
ROUNDS = 3
TIMES = 0.3
_LOAD = "import sys, torch; len(torch.export.load(sys.argv[1]).state_dict)"


def run() -> list[Row]:
    peer = os.environ.get(PEER_PYTHON, sys.executable)
    with tempfile.TemporaryDirectory(prefix="burnstore-bench-") as folder:
        source, target = Path(folder) / "net.pt2", Path(folder) / "net.bpk"
        done = subprocess.run([peer, str(NETWORK), str(source)], capture_output=True)
        if done.returncode:
            raise Skipped(f"no torch in {peer} to export with ({PEER_PYTHON} names another Python)")
        convert = [
            sys.executable,
            "-m",
            "burnstore",
            "convert",
            str(source),
            "-o",
            str(target),
            "--overwrite",
        ]
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(whole(convert)["seconds"])
            theirs.append(whole([peer, "-c", _LOAD, str(source)])["seconds"])
    name = "convert MobileNetV2 (.pt2, 15 MB) to .bpk"
    return [at_most_times(name, min(ours), "s", "torch.export.load", min(theirs), TIMES)]
