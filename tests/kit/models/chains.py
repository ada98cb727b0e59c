"""Networks of layers in a row, with random parameters."""

import numpy as np

from burnpack.module import walk
from burnrt import nn


class Chain(nn.Module):
    """Layers in a row, each by a name of its own."""

    def __init__(self, **layers):
        self._names = list(layers)
        for name, layer in layers.items():
            setattr(self, name, layer)

    def forward(self, x):
        for name in self._names:
            x = getattr(self, name)(x)
        return x


def loaded(model, seed=0):
    """Give the model random parameters such as trained ones have; return it."""
    random = np.random.default_rng(seed)
    for path, _, param in walk(model):
        name = path.rpartition(".")[2]
        numbers = random.normal(0, 1, param.shape)
        if name == "weight":
            inputs = param.shape[0] if len(param.shape) == 2 else np.prod(param.shape[1:])
            numbers /= np.sqrt(inputs)
        elif name in ("running_var", "gamma"):
            numbers = 0.5 + np.abs(numbers)
        put(param, numbers)
    return model


def put(param, numbers):
    """Give a parameter these numbers."""
    numbers = np.asarray(numbers, "<f4")
    assert numbers.shape == param.shape
    param.data = numbers.tobytes()
