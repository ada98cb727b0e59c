"""The cases of tests/vectors/functional: functions, what they are given, and what PyTorch answers."""

import json

from burnpack.dtype import count
from burnpack.safetensors import Reader
from burnrt import functional, kernels, nn
from burnrt.kernels.plain.memory import weights
from burnrt.value import Value
from kit import support

CLOSE = 1e-5  # of the number itself, and of 1
_FOLDER = "tests/vectors/functional/"


def cases():
    return json.loads(support.read(support.path(_FOLDER + "functional.json")))


def tensors():
    return Reader.from_static(support.read(support.path(_FOLDER + "functional.safetensors")))


class Calling(nn.Module):
    """A model that calls a function of a case: its first argument is the input, other tensors are parameters.

    inputs: as many of the tensors as are given in a call take the place of parameters.
    """

    def __init__(self, case, source):
        self._case = case
        self.names = [
            name
            for name in case["given"] + list(case["keywords"].values())
            if isinstance(name, str) and name in source
        ]
        for number, name in enumerate(self.names[1:]):
            tensor = source.tensor(name)
            parameter = nn.Parameter(tensor.shape)
            parameter.data = bytes(tensor.data())
            setattr(self, "part%d" % number, parameter)

    def forward(self, *inputs):
        found = list(inputs)
        found += [getattr(self, "part%d" % (place - 1)) for place in range(len(found), len(self.names))]
        given = {name: found[place] for place, name in enumerate(self.names)}
        arguments = [self._taken(argument, given) for argument in self._case["given"]]
        named = {key: self._taken(value, given) for key, value in self._case["keywords"].items()}
        return getattr(functional, self._case["function"])(*arguments, **named)

    def _taken(self, argument, given):
        return given[argument] if isinstance(argument, str) and argument in given else argument


def value(source, name):
    """Return a tensor as a `Value` with a copy of its numbers."""
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
