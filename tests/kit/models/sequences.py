"""The layers of tests/vectors/sequences, loaded from PyTorch's parameters, and what they are to answer."""

import json

from burnpack.adapters import PyTorchToBurnAdapter
from burnpack.dtype import count
from burnpack.safetensors import Reader
from burnrt import kernels, nn
from burnrt.kernels.plain.memory import weights
from burnrt.value import Value
from kit import support

CLOSE = 1e-5  # of the number itself, and of 1
_FOLDER = "tests/vectors/sequences/"


class Net(nn.Module):
    """All the layers, each under the name of its case."""

    def __init__(self):
        for case in cases():
            layer = getattr(nn, case["layer"])(*case["arguments"], **case["keywords"])
            setattr(self, case["name"], layer)


def cases():
    return json.loads(support.read(support.path(_FOLDER + "expected.json")))


def opened(name):
    return Reader.from_static(support.read(support.path("%s%s.safetensors" % (_FOLDER, name))))


def each(attention):
    """Yield (name, layer, source of answers) for the cases of attention, or for the recurrent ones."""
    net, answers = Net(), opened("answers")
    result = net.apply(opened("state"), None, PyTorchToBurnAdapter())
    assert (result.missing, result.unused, result.errors) == ([], [], [])
    for case in cases():
        if ("attention" in case) == attention:
            yield case["name"], getattr(net, case["name"]), answers


def value(source, name):
    """Return a tensor as a `Value` with a copy of its numbers, or None where there is none."""
    if name not in source:
        return None
    tensor = source.tensor(name)
    size = count(tensor.shape)
    found = weights(tensor.data(), tensor.dtype, size)
    return Value(kernels.floats([found[index] for index in range(size)]), tensor.shape)


def check(name, found, source):
    """Compare a value with the tensor of this name."""
    wanted = value(source, name)
    assert found.shape == wanted.shape, (name, found.shape, wanted.shape)
    for index in range(len(wanted.data)):
        off = abs(found.data[index] - wanted.data[index])
        assert off <= CLOSE + CLOSE * abs(wanted.data[index]), (name, index, found.data[index])


def on_every_set(test):
    """Call `test` once with the fastest kernels of this interpreter, once with the plain ones."""
    for chosen in (kernels.in_use()[0], "plain"):
        kernels.use(chosen)
        try:
            test()
        finally:
            kernels.use()
