"""Quantize the four networks of MLPerf Tiny and run them on CPython and on MicroPython, to the same bit.

    python examples/mlperf_tiny/run.py

Prints each network's size, arena and milliseconds on MicroPython. Fails where an answer differs by a bit.
"""

import subprocess
import sys
from pathlib import Path

from weights import make

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "mlperf_tiny"
MICROPYTHON = [sys.executable, str(ROOT / "tools" / "interpreters.py"), "--heap", "4M", "unix"]


def main():
    differing = [network for network in make(BUILD) if not agree(network)]
    print(
        "every answer is the same, bit for bit" if not differing else "differing: %s" % ", ".join(differing)
    )
    return 1 if differing else 0


def agree(network):
    """Quantize a network, answer on both interpreters, and return whether they say the same."""
    quantized = BUILD / (network + ".int8.bpk")
    words = ["quantize", BUILD / (network + ".bpk"), "-o", quantized, "--overwrite"]
    words += ["--module", f"{HERE / 'model.py'}:{network}", "--calibrate", BUILD / (network + ".npy")]
    done = subprocess.run([sys.executable, "-m", "burnstore", *words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    answers = [answer([sys.executable], quantized), answer(MICROPYTHON, quantized)]
    print("%-20s %s" % (network, answers[1][0]), flush=True)
    return answers[0][1] == answers[1][1]


def answer(interpreter, quantized):
    """Return what answer.py says: the facts, and the network's output."""
    words = [*interpreter, str(HERE / "answer.py"), str(quantized)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return done.stdout.splitlines()


if __name__ == "__main__":
    sys.exit(main())
