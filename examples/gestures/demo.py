"""The whole way, without a board: quantize a checkpoint; MicroPython names motions by a sensor's counts.

    python examples/gestures/demo.py

Fails where CPython and MicroPython disagree.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
from motions import windows
from mpu6050 import COUNTS_PER_G
from window import NAMES

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "gestures"
SEED = 1  # not the one that train.py has
CALIBRATION, TEST, REPLAYED = 256, 1000, 40


def main():
    BUILD.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(SEED)
    np.save(BUILD / "calibration.npy", windows(CALIBRATION, random)[0])
    samples, labels = windows(TEST, random)
    np.save(BUILD / "test.npy", samples)
    np.save(BUILD / "labels.npy", labels)
    burnstore("convert", HERE / "gestures.pt", "-o", BUILD / "float.bpk", "--overwrite")
    burnstore(
        *("quantize", BUILD / "float.bpk", "-o", BUILD / "gestures.bpk", "--overwrite"),
        *("--calibrate", BUILD / "calibration.npy"),
        *("--input", BUILD / "test.npy", "--labels", BUILD / "labels.npy"),
    )
    counts = np.round(samples[:REPLAYED] * COUNTS_PER_G).clip(-32768, 32767).astype("<i2")
    (BUILD / "recording.bin").write_bytes(counts.transpose(0, 2, 1).tobytes())
    return compare(labels[:REPLAYED])


def burnstore(command, *words):
    """Run one of burnstore's commands on the network of model.py."""
    words = [str(word) for word in words] + ["--module", f"{HERE / 'model.py'}:GestureNet"]
    subprocess.run([sys.executable, "-m", "burnstore", command, *words], check=True)


def compare(labels):
    """Replay the recording on both interpreters; return the exit code."""
    script, words = str(HERE / "replay.py"), [str(BUILD / "gestures.bpk"), str(BUILD / "recording.bin")]
    micropython = [sys.executable, str(ROOT / "tools" / "interpreters.py"), "unix"]
    mine = subprocess.run([sys.executable, script, *words], capture_output=True, text=True, check=True).stdout
    theirs = subprocess.run([*micropython, script, *words], capture_output=True, text=True, check=True).stdout
    right = sum(name == NAMES[label] for name, label in zip(theirs.split(), labels, strict=True))
    print("MicroPython, from the sensor's counts: %d of %d motions right" % (right, len(labels)))
    print("CPython says %s" % ("the same" if mine == theirs else "something else:\n" + mine))
    return 0 if mine == theirs else 1


if __name__ == "__main__":
    sys.exit(main())
