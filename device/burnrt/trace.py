"""Following a forward pass without numbers: which layer is called on what, in which order."""

from burnpack.dtype import count
from burnpack.errors import InvalidTensor, Unsupported
from burnpack.module import Module
from burnrt.value import Value, extents


def trace(model, shape):
    """Return the `Graph` of the model's forward pass for an input of `shape`, the batch first.

    Nothing is computed, and no numbers are allocated. Raises `Unsupported` where the pass can't be followed:
    it reads numbers, mixes in a value from outside, or answers with anything but one value; `InvalidTensor`
    for a shape that is none.
    """
    if not all([isinstance(extent, int) and extent >= 0 for extent in shape]):
        raise InvalidTensor("extents are whole numbers", type(model).__name__, found=list(shape))
    graph = Graph(_paths(model), shape)
    answer = model(graph.input)
    if not isinstance(answer, Traced):
        found = type(answer).__name__
        raise Unsupported("the answer must be one value", type(model).__name__, found=found)
    graph.output = answer
    return graph


class Graph:
    """A forward pass.

    input, output: `Traced`.
    steps: list of `Step`, in the order of the calls.
    sizes: of each value, by its number, how many numbers it holds.
    """

    def __init__(self, paths, shape):
        self._paths = paths
        self._calls = {}
        self.steps = []
        self.sizes = []
        self.input = self.output = self._value(tuple(shape))

    def record(self, layer, inputs):
        """Add the step of a layer that takes these values; return its output."""
        for value in inputs:
            if not (isinstance(value, Traced) and value.graph is self):
                raise Unsupported("takes a value from outside the forward pass", self._path(layer))
        output = self._value(layer.output_shape(*[value.shape for value in inputs]))
        self.steps.append(Step(self._name(layer), layer, inputs, output))
        return output

    def _value(self, shape):
        self.sizes.append(count(shape))
        return Traced(self, len(self.sizes) - 1, shape)

    def _path(self, layer):
        return self._paths.get(id(layer)) or type(layer).__name__

    def _name(self, layer):
        path = self._path(layer)
        self._calls[path] = calls = self._calls.get(path, 0) + 1
        return path if calls == 1 else "%s@%d" % (path, calls)


class Step:
    """One call of a layer.

    name: the layer's path in the model, as in "block.0.conv"; of its second call "block.0.conv@2". A layer
        that is no part of the model goes by its class.
    inputs: tuple of `Traced`. output: a `Traced` with a number of its own.
    """

    def __init__(self, name, layer, inputs, output):
        self.name = name
        self.layer = layer
        self.inputs = inputs
        self.output = output


class Traced(Value):
    """A value of a pass that is followed: a shape, and no numbers.

    number: which of the pass's values it is; reshaped, it stays the same.
    """

    def __init__(self, graph, number, shape):
        self.graph = graph
        self.number = number
        self.shape = tuple(shape)

    @property
    def data(self):
        raise Unsupported(
            "the forward pass depends on numbers, so it can't be planned", "a value of %r" % (self.shape,)
        )

    def through(self, layer, *others):
        """Note the call; return its output, followed as well."""
        return self.graph.record(layer, (self,) + others)

    def reshape(self, *shape):
        """Return the same numbers under another shape."""
        size = self.graph.sizes[self.number]
        shape = extents(shape, size)
        if count(shape) != size:
            raise InvalidTensor("wrong number of values", expected=count(shape), found=size)
        return Traced(self.graph, self.number, shape)

    def __repr__(self):
        return "Traced(%d, %r)" % (self.number, self.shape)


def _paths(model):
    """Return {id of a module: its path} of all in the model. Of a module with two paths, the smaller."""
    paths = {}
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
