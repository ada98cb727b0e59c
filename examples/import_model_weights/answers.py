"""What the examples here share: MNIST's networks and files, an image of each digit, and the answering."""

import runpy
import sys
from pathlib import Path

from burnrt import tensor

ROOT = Path(__file__).resolve().parents[2]
MNIST = ROOT / "examples" / "mnist"
BUILD = ROOT / "build"

_models = runpy.run_path(str(MNIST / "model.py"))


def network(name):
    """Return a new network of a class in MNIST's model.py, without weights yet."""
    return _models[name]()


def images():
    """Yield (digit, input of the network) for an image of each digit."""
    for digit in range(10):
        pixels = (MNIST / f"mnist_example_{digit}.bin").read_bytes()
        yield digit, tensor(list(_models["normalised"](pixels)), (1, 1, 28, 28))


def answer(net):
    """Print what the network says to each image; leave with 1 if one of the answers is wrong."""
    wrong = 0
    for digit, image in images():
        found = net(image)[0].argmax()
        wrong += found != digit
        print(f"an image of a {digit}: the network says {found}")
    sys.exit(1 if wrong else 0)
