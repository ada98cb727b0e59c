"""A PyTorch checkpoint, converted and quantized, classifies digits on CPython and on real MicroPythons.

    make demo
    python examples/digits/demo.py [COUNT]

The MicroPythons run it with the runtime that a board is given, one file. Fails where answers disagree. With
COUNT, only so many images are classified.
"""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT))

from tools import interpreters  # noqa: E402  (it lies in the repository, not in a package)

BUILD = ROOT / "build" / "digits"
IMAGES = HERE / "test_images.safetensors"
COMMANDS = (
    "convert examples/digits/digits.pt -o build/digits/digits.bpk "
    "--module examples/digits/model.py:DigitsNet --shape 1,1,8,8 --overwrite",
    "quantize build/digits/digits.bpk -o build/digits/digits8.bpk "
    "--module examples/digits/model.py:DigitsNet --calibrate examples/digits/x.npy --quiet --overwrite",
    "bundle build/digits/digits.bpk build/digits/digits8.bpk -o build/digits/burnrt.mpy --overwrite",
)
# model: how far its scores may differ between CPython and MicroPython, which adds floats in another order
MODELS = {"digits.bpk": 1e-4, "digits8.bpk": 0.0}
KINDS = {"unix": "64-bit", "wasm": "32-bit WebAssembly"}
HEAP = "2M"  # of the 64-bit MicroPython; it also holds the images


def main():
    BUILD.mkdir(parents=True, exist_ok=True)
    for command in COMMANDS:
        burnstore(command)
    runs = micropythons()
    return max(classified(name, tolerance, runs) for name, tolerance in MODELS.items())


def burnstore(command):
    program = shutil.which("burnstore", path=str(Path(sys.executable).parent)) or "burnstore"
    print("$ burnstore %s" % command, flush=True)
    subprocess.run([program, *shlex.split(command)], cwd=ROOT, check=True)


def micropythons():
    """Return what each MicroPython that runs here is, and the words that start a script on it."""
    words = [sys.executable, str(ROOT / "tools" / "interpreters.py"), "--heap", HEAP]
    found = []
    for name, kind in KINDS.items():
        try:
            interpreters.find(name)
        except interpreters.Missing as reason:
            print("no MicroPython %s here: %s" % (name, reason))
        else:
            found.append(("MicroPython, %s" % kind, [*words, name, str(HERE / "classify.py")]))
    if not found:
        sys.exit("there is no MicroPython on this machine: run `make setup`")
    return found


def classified(name, tolerance, runs):
    """Run a model on CPython and on every MicroPython; return the exit code."""
    print("\n%s, %d bytes, on" % (name, (BUILD / name).stat().st_size))
    mine = classify("CPython", [sys.executable, str(HERE / "classify.py")], name)
    codes = []
    for title, words in runs:
        theirs = classify(title, words, name, "--runtime", str(BUILD))
        codes.append(compare(mine, theirs, tolerance))
    return max(codes)


def classify(title, words, name, *more):
    """Run classify.py, print what it says, and return the scores it printed."""
    command = [*words, str(BUILD / name), str(IMAGES), "--scores", *counted(), *more]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s: classify.py failed\n%s%s" % (title, done.stdout[-2000:], done.stderr))
    lines = done.stdout.splitlines()
    facts = [line for line in lines if re.match("[a-z]", line)]
    print("  %-31s %s" % (title, "; ".join(facts)), flush=True)
    return [[float(word) for word in line.split()] for line in lines if line not in facts]


def counted():
    """Return the words by which classify.py takes only so many images."""
    return ["--count", sys.argv[1]] if len(sys.argv) > 1 else []


def compare(mine, theirs, tolerance):
    """Print how far the scores are apart; return the exit code."""
    assert len(mine) == len(theirs) > 0, "one of the two left images out"
    pairs = list(zip(mine, theirs, strict=True))
    largest = max(abs(a - b) for one, other in pairs for a, b in zip(one, other, strict=True))
    differing = sum(one.index(max(one)) != other.index(max(other)) for one, other in pairs)
    print("    %d answers differ; scores by %.1e at most (allowed: %.0e)" % (differing, largest, tolerance))
    return 0 if not differing and largest <= tolerance else 1


if __name__ == "__main__":
    sys.exit(main())
