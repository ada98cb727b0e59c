"""A PyTorch checkpoint, converted, classifies digits on CPython and on a real MicroPython.

    make demo

Fails where the two disagree.
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

BUILD = ROOT / "build"
MODEL = BUILD / "digits.bpk"
CONVERT = [
    "convert",
    "examples/digits/digits.pt",
    "-o",
    "build/digits.bpk",
    "--module",
    "examples/digits/model.py:DigitsNet",
    "--overwrite",
]
IMAGES = HERE / "test_images.safetensors"
TOLERANCE = 1e-4  # between scores, which reach 20: MicroPython adds in another order than numpy
HEAP = "2M"  # of the 64-bit MicroPython; it also holds the file, which lies in flash on a board


def main():
    convert()
    mine = classify("CPython", [sys.executable, str(HERE / "classify.py")])
    name, words = micropython()
    theirs = classify("MicroPython, %s" % name, words)
    return compare(mine, theirs)


def convert():
    BUILD.mkdir(exist_ok=True)
    program = shutil.which("burnstore", path=str(Path(sys.executable).parent)) or "burnstore"
    print("$ burnstore %s" % shlex.join(CONVERT), flush=True)
    subprocess.run([program, *CONVERT], cwd=ROOT, check=True)


def micropython():
    """Return what is known of the MicroPython that runs here, and the words that start a script on it."""
    words = [sys.executable, str(ROOT / "tools" / "interpreters.py"), "--heap", HEAP]
    for name, kind in (("unix", "64-bit"), ("wasm", "32-bit WebAssembly")):
        try:
            interpreters.find(name)
        except interpreters.Missing as reason:
            print("no MicroPython %s here: %s" % (name, reason))
        else:
            return kind, [*words, name, str(HERE / "classify.py")]
    sys.exit("there is no MicroPython on this machine: run `make setup`")


def classify(title, words):
    """Run classify.py, print what it says, and return the scores it printed."""
    done = subprocess.run([*words, str(MODEL), str(IMAGES), "--scores"], capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s: classify.py failed\n%s%s" % (title, done.stdout[-2000:], done.stderr))
    lines = done.stdout.splitlines()
    facts = [line for line in lines if re.match("[a-z]", line)]
    print("\n%s\n    %s" % (title, "\n    ".join(facts)), flush=True)
    return [[float(word) for word in line.split()] for line in lines if line not in facts]


def compare(mine, theirs):
    """Print how far the scores are apart; return the exit code."""
    assert len(mine) == len(theirs) > 0, "one of the two left images out"
    pairs = list(zip(mine, theirs, strict=True))
    largest = max(abs(a - b) for one, other in pairs for a, b in zip(one, other, strict=True))
    differing = sum(one.index(max(one)) != other.index(max(other)) for one, other in pairs)
    print("\n%d images: %d answers differ" % (len(pairs), differing))
    print("largest difference between scores: %.1e (allowed: %.0e)" % (largest, TOLERANCE))
    return 0 if not differing and largest <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
