"""Following a forward pass without numbers: which layer is called on what, in which order."""

from burnpack.dtype import count
from burnpack.errors import InvalidTensor, Unsupported
from burnpack.module import Module
from burnrt.value import Value, extents

if False:  # for type checkers
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, NoReturn, TypeGuard

    from burnpack.types import Shape
    from burnrt.nn.layer import Layer


def trace(
    model: "Module", shape: "Sequence[int]", *others: "Sequence[int]", kind: "type[Graph] | None" = None
) -> "Graph":
    """Return the `Graph` of the model's forward pass for an input of `shape`, the batch first.

    others: the shapes of more inputs, of a model that takes several. kind: of graph, where it is another.
    Nothing is computed, and no numbers are allocated. Raises `Unsupported` where the pass can't be followed:
    it reads numbers, mixes in a value from outside, or answers with anything but values; `InvalidTensor` for
    a shape that is none.
    """
    for given in (shape,) + others:
        if not all([isinstance(extent, int) and extent >= 0 for extent in given]):
            raise InvalidTensor("extents are whole numbers", type(model).__name__, found=list(given))
    graph = (kind or Graph)(paths_of(model), shape)
    graph.inputs += [graph.value(given) for given in others]
    graph.output = model(*graph.inputs)
    each(graph.output, graph.answered)
    if not graph.outputs:
        raise Unsupported("the answer holds no value", type(model).__name__)
    return graph


def each(answer: "Any", function: "Callable[[Any], Any]") -> "Any":
    """Return the answer of a pass with `function(value)` in place of each value.

    An answer is a value, or None, or a tuple or list of answers.
    """
    if isinstance(answer, (tuple, list)):
        return tuple([each(part, function) for part in answer])
    return None if answer is None else function(answer)


class Graph:
    """A forward pass.

    inputs: list of `Traced`. input: the first. output: the answer, a `Traced` or several: see `each`.
    outputs: list of all in it.
    steps: list of `Step`, in the order of the calls.
    sizes: of each value, by its number, how many numbers it holds.
    constants: of values that are the same in each pass, by their numbers: a `Param`, a
        `Value` with numbers, or a number.
    """

    input: "Traced"
    inputs: "list[Traced]"
    output: "Any"
    outputs: "list[Traced]"
    steps: "list[Step]"
    sizes: list[int]
    constants: "dict[int, Any]"

    def __init__(self, paths: dict[int, str], shape: "Sequence[int]") -> None:
        self._paths = paths
        self._calls: dict[str, int] = {}
        self.steps = []
        self.sizes = []
        self.constants = {}
        self.input = self.output = self.value(tuple(shape))
        self.inputs, self.outputs = [self.input], []

    def record(
        self, layer: "Layer", inputs: "tuple[Value, ...]", shapes: "Sequence[Shape]"
    ) -> "tuple[Traced, ...]":
        """Add the step of a layer that takes these values; return what it makes, of these shapes."""
        for value in inputs:
            if not self._has(value):
                raise Unsupported("takes a value from outside the forward pass", self._path(layer))
        outputs = tuple([self.value(shape) for shape in shapes])
        self.steps.append(Step(self._name(layer), layer, inputs, outputs))  # type: ignore[arg-type] # see above
        return outputs

    def answered(self, value: object) -> None:
        """Take a value as one of the answer."""
        if not self._has(value):
            raise Unsupported("the answer holds what is no value of the pass", found=type(value).__name__)
        self.outputs.append(value)

    def unread(self) -> list[int]:
        """Return the numbers of values that a layer makes besides its first, and nobody takes."""
        taken = [value.number for value in self.outputs]
        for step in self.steps:
            taken += [value.number for value in step.inputs]
        besides = [value.number for step in self.steps for value in step.outputs[1:]]
        return [number for number in besides if number not in taken]

    def _has(self, value: object) -> "TypeGuard[Traced]":
        return isinstance(value, Traced) and value.graph is self

    def value(self, shape: "Sequence[int]") -> "Traced":
        """Return a new value of this shape, as one of the pass."""
        self.sizes.append(count(shape))
        return Traced(self, len(self.sizes) - 1, shape)

    def constant(self, source: "Any", shape: "Sequence[int]") -> "Traced":
        """Return a new value that is the same in each pass. source: see `constants`."""
        value = self.value(shape)
        self.constants[value.number] = source
        return value

    def _path(self, layer: "Layer") -> str:
        return self._paths.get(id(layer)) or type(layer).__name__

    def _name(self, layer: "Layer") -> str:
        path = self._path(layer)
        self._calls[path] = calls = self._calls.get(path, 0) + 1
        return path if calls == 1 else "%s@%d" % (path, calls)


class Step:
    """One call of a layer.

    name: the layer's path in the model, as in "block.0.conv"; of its second call "block.0.conv@2". A layer
        that is no part of the model goes by its class.
    inputs: tuple of `Traced`. outputs: the same, each with a number of its own. output: the first of them.
    """

    name: str
    layer: "Layer"
    inputs: "tuple[Traced, ...]"
    outputs: "tuple[Traced, ...]"
    output: "Traced"

    def __init__(
        self, name: str, layer: "Layer", inputs: "tuple[Traced, ...]", outputs: "tuple[Traced, ...]"
    ) -> None:
        self.name = name
        self.layer = layer
        self.inputs = inputs
        self.outputs = outputs
        self.output = outputs[0]


class Traced(Value):
    """A value of a pass that is followed: a shape, and no numbers.

    number: which of the pass's values it is; reshaped, it stays the same.
    """

    graph: "Graph"
    number: int
    shape: "Shape"

    def __init__(self, graph: "Graph", number: int, shape: "Iterable[int]") -> None:
        self.graph = graph
        self.number = number
        self.shape = tuple(shape)

    @property
    def data(self) -> "NoReturn":  # type: ignore[override] # there are none
        what = "the forward pass depends on numbers, so it can't be planned"
        raise Unsupported(what, found="a value of %r" % (self.shape,))

    def __getitem__(self, index: "Any") -> "Any":
        from burnrt.nn.index import part

        return part(self, index)

    def into(self, shapes: "Sequence[Shape]", layer: "Layer", *others: "Value") -> "tuple[Traced, ...]":
        """Note the call; return its outputs, followed as well."""
        return self.graph.record(layer, (self,) + others, shapes)

    def reshape(self, *shape: "int | Iterable[int]") -> "Traced":
        """Return the same numbers under another shape."""
        size = self.graph.sizes[self.number]
        shape = extents(shape, size)
        if count(shape) != size:
            raise InvalidTensor("wrong number of values", expected=count(shape), found=size)
        return Traced(self.graph, self.number, shape)

    def __repr__(self) -> str:
        return "Traced(%d, %r)" % (self.number, self.shape)


def paths_of(model: "Module") -> dict[int, str]:
    """Return {id of a module: its path} of all in the model. Of a module with two paths, the smaller."""
    paths: dict[int, str] = {}
    pending = [("", model)]
    while pending:
        path, part = pending.pop()
        if isinstance(part, Module):
            known = paths.get(id(part))
            if known is not None and known <= path:
                continue
            paths[id(part)] = path
            children = part.children()
        elif isinstance(part, (list, tuple)):
            children = enumerate(part)
        else:
            continue
        pending.extend([("%s.%s" % (path, name) if path else str(name), child) for name, child in children])
    return paths
