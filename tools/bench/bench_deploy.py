"""Bringing a model to a board: `burnstore deploy`, which checks what arrived, against `mpremote cp`."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from burnpack.tensor import Tensor
from burnstore.pipeline.writing import save_burnpack
from tools import interpreters
from tools.bench import Row, Skipped, at_least_times
from tools.virtual_board import VirtualBoard

SIZE = 512 << 10  # bytes of the model
ROUNDS = 3
LEAST = 0.9  # of mpremote's throughput, the check on the board included


def run() -> list[Row]:
    try:
        interpreters.unix_program()
    except interpreters.Missing as reason:
        raise Skipped(str(reason)) from None
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        files, hidden, model = root / "files", root / "hidden", root / "model.bpk"
        files.mkdir()
        hidden.mkdir()
        save_burnpack(model, [Tensor("weight", "U8", (SIZE,), bytes(range(256)) * (SIZE // 256))])
        size = model.stat().st_size
        with VirtualBoard(files, hidden, rom=0) as board:
            cp = ["mpremote", "connect", board.port, "cp", str(model), ":/model.bpk"]
            deploy = ["burnstore", "deploy", str(model), "--port", board.port]
            rates = [size / 1e3 / _quickest(words, files / model.name) for words in (deploy, cp)]
    what = "deploy %d KB to the virtual board" % (SIZE >> 10)
    return [at_least_times(what, rates[0], "KB/s", "mpremote cp", rates[1], LEAST)]


def _quickest(words: Sequence[str], there: Path) -> float:
    """Return the seconds of the quickest run; each begins without the model, as neither sends it twice."""
    times = []
    for _ in range(ROUNDS):
        there.unlink(missing_ok=True)
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", *words], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)
