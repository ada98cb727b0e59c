"""Classify images of handwritten digits with a model file, on CPython and on MicroPython alike.

    python examples/mnist/classify.py MODEL.bpk IMAGE...

MODEL.bpk: of either network in model.py; which one, its tensors tell. IMAGE: 784 bytes, one 28 by 28 grey
image. Prints for each image the digit, then the network's ten outputs. The weights stay where the
file's bytes are: on a board, in flash.
"""

import sys

from model import MnistConvBn, MnistNet, normalised

from burnpack.store import BurnpackStore
from burnrt import tensor


def read(path):
    with open(path, "rb") as file:
        return file.read()


def load(data):
    """Return the network that the Burnpack in `data` is of, with its weights, which are not copied."""
    store = BurnpackStore.from_static(data)
    names = store.keys()
    model = MnistConvBn() if "conv1.conv.weight" in names else MnistNet()
    model.load_from(store)
    return model


model = load(read(sys.argv[1]))
for path in sys.argv[2:]:
    outputs = model(tensor(list(normalised(read(path))), (1, 1, 28, 28)))[0]
    print("%s: %d   %s" % (path, outputs.argmax(), " ".join(["%.5f" % number for number in outputs])))
