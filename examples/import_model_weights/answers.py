"""What the examples here share: a network with images to answer on, and the answering.

With ../shared/data beside the repository it is MNIST: files of PyTorch's and Burn's, and ten images, one
of each digit. Without that folder it is the digits of examples/digits.
"""

import runpy
import sys
from pathlib import Path

from burnpack.safetensors import Reader
from burnrt import tensor

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
DATA = ROOT.parent / "shared" / "data"
BUILD = ROOT / "build"
HAS_MNIST = DATA.is_dir()


def network(name):
    """Return a new network of a class in the example's model.py, without weights yet."""
    folder = "mnist" if HAS_MNIST else "digits"
    return runpy.run_path(str(EXAMPLES / folder / "model.py"))[name]()


def images():
    """Yield (digit, input of the network) for an image of each digit."""
    return _mnist_images() if HAS_MNIST else _digits_images()


def answer(net):
    """Print what the network says to each image; leave with 1 if one of the answers is wrong."""
    wrong = 0
    for digit, image in images():
        found = net(image)[0].argmax()
        wrong += found != digit
        print(f"an image of a {digit}: the network says {found}")
    sys.exit(1 if wrong else 0)


def _mnist_images():
    normalised = runpy.run_path(str(EXAMPLES / "mnist" / "model.py"))["normalised"]
    for digit in range(10):
        pixels = (DATA / "mnist" / f"mnist_example_{digit}.bin").read_bytes()
        yield digit, tensor(list(normalised(pixels)), (1, 1, 28, 28))


def _digits_images():
    held_out = Reader.from_bytes((EXAMPLES / "digits" / "test_images.safetensors").read_bytes())
    pixels, labels = held_out.view("images"), list(held_out.view("labels"))
    for digit in range(10):
        start = 64 * labels.index(digit)
        yield digit, tensor([pixel / 16 for pixel in pixels[start : start + 64]], (1, 1, 8, 8))
