"""Layers in a row, and layers in a list."""

from burnrt.nn.module import Module


class Sequential(Module):
    """Layers, each fed with the output of the one before.

    To stores it is a list of layers: its parameters are called `0.weight`, `1.gamma` and so on.
    """

    def __init__(self, *layers):
        self._layers = layers

    def children(self):
        return [(str(index), layer) for index, layer in enumerate(self._layers)]

    def container(self):
        return "Vec"

    def output_shape(self, shape):
        for layer in self._layers:
            shape = layer.output_shape(shape)
        return shape

    def forward(self, input):
        for layer in self._layers:
            input = layer(input)
        return input

    def __len__(self):
        return len(self._layers)

    def __getitem__(self, index):
        return self._layers[index]


class ModuleList(Module):
    """A list of layers, as PyTorch has it. A plain Python list does as well.

    To stores it is a list: its parameters are called `0.weight`, `1.gamma` and so on.
    """

    def __init__(self, modules=()):
        self._modules = list(modules)

    def children(self):
        return [(str(index), module) for index, module in enumerate(self._modules)]

    def container(self):
        return "Vec"

    def append(self, module):
        """Add a layer at the end; return the list."""
        self._modules.append(module)
        return self

    def __iter__(self):
        return iter(self._modules)

    def __len__(self):
        return len(self._modules)

    def __getitem__(self, index):
        return self._modules[index]
