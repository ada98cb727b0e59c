"""Layers in a row, and layers in a list."""

from burnpack.errors import InvalidTensor
from burnpack.module import Module as _AnyModule
from burnrt.nn.module import Module

if False:  # for type checkers
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, Self

    from burnpack.types import Shape
    from burnrt.types import Pairs
    from burnrt.value import Value


class _Row(Module):
    """What both share: modules in an order, each with a name.

    To stores it is a list of layers: its parameters are called `0.weight`, `1.gamma` and so on.
    """

    _pairs: "Pairs"
    _part: "Callable[[Pairs], Any]"  # each says what a slice of it is

    def children(self) -> "Pairs":
        return list(self._pairs)

    def container(self) -> str:
        return "Vec"

    def append(self, module: "_AnyModule") -> "Self":
        """Add a module at the end; return the row."""
        self._put(len(self._pairs), str(len(self._pairs)), module)
        return self

    def __iter__(self) -> "Iterator[Any]":
        return iter([module for _, module in self._pairs])

    def __len__(self) -> int:
        return len(self._pairs)

    def __getitem__(self, index: int | slice) -> "Any":
        found = self._pairs[index]
        return found[1] if isinstance(found, tuple) else self._part(found)

    def _put(self, index: int, name: str, module: "_AnyModule") -> None:
        check_module(self, module)
        self._pairs.insert(index, (name, module))


class Sequential(_Row):
    """Feed each of some layers with the output of the one before.

    layers: modules, one by one; or one OrderedDict, as in `Sequential(OrderedDict(conv=..., norm=...))`,
        which gives them names: its parameters are called `conv.weight` and so on, and `row.conv` is the
        layer.
    """

    def __init__(self, *layers: "_AnyModule | Mapping[str, _AnyModule]") -> None:
        self._pairs = []
        if len(layers) == 1 and isinstance(layers[0], dict) and type(layers[0]) is not dict:
            self._name(layers[0].items())
        else:
            for layer in layers:
                self.append(layer)  # type: ignore[arg-type] # which refuses what is none

    def _name(self, pairs: "Iterable[tuple[str, Any]]") -> None:
        for name, layer in pairs:
            if not isinstance(name, str) or not name or "." in name or hasattr(self, name):
                expected = "a text without dots, and none that a Sequential has already"
                raise InvalidTensor("wrong name", "Sequential", expected=expected, found=repr(name))
            self._put(len(self._pairs), name, layer)
            setattr(self, name, layer)

    def _part(self, pairs: "Pairs") -> "Sequential":
        part = Sequential()
        part._name(pairs)
        return part

    def output_shape(self, shape: "Shape") -> "Shape":
        """Return the shape of the last layer's output for an input of `shape`."""
        for _, layer in self._pairs:
            shape = layer.output_shape(shape)
        return shape

    def forward(self, input: "Value") -> "Value":
        """Return the last layer's output for an input of the first."""
        for _, layer in self._pairs:
            input = layer(input)
        return input


class ModuleList(_Row):
    """Hold modules in a list, as PyTorch does. Those in a plain list would be nobody's.

    modules: those to begin with.
    """

    def __init__(self, modules: "Iterable[_AnyModule] | None" = None) -> None:
        self._pairs = []
        self.extend(modules or ())

    def extend(self, modules: "Iterable[_AnyModule]") -> "Self":
        """Add modules at the end; return the list."""
        for module in modules:
            self.append(module)
        return self

    def insert(self, index: int, module: "_AnyModule") -> "Self":
        """Add a module in front of number `index`; return the list."""
        self._put(index, "", module)
        self._pairs = [(str(number), pair[1]) for number, pair in enumerate(self._pairs)]
        return self

    def _part(self, pairs: "Pairs") -> "ModuleList":
        return ModuleList([module for _, module in pairs])


def check_module(container: "Module", module: object) -> None:
    """Raise `InvalidTensor` for what is no module: a container would hold what nobody finds."""
    if not isinstance(module, _AnyModule):
        name, found = type(container).__name__, type(module).__name__
        raise InvalidTensor("can hold modules only", name, expected="a module", found=found)
