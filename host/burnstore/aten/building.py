"""A class in the making: what each value of the graph is, and the lines that compute them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import Unsupported
from burnstore.classes.description import Attribute, Description, Given, LayerOf, Line, Name
from burnstore.classes.running import computed
from burnstore.exported.graph import Argument, Graph, Node, Ref, read_by, refs
from burnstore.io.beside import COMPUTED

# Arguments of cells: the names of parameters that they are. Those of recurrent layers have several.
_OWN_NAMES = {"w_ih": "weight_ih", "w_hh": "weight_hh", "b_ih": "bias_ih", "b_hh": "bias_hh"}
_ANY = "params"
_FLOATS = ("F64", "F32", "F16", "BF16")


@dataclass(frozen=True, eq=False)
class Constant:
    """A value that depends on no input.

    path: of the parameter that it is, or None of one computed here. scales: see `Description.scales`.
    """

    numbers: Callable[[], NDArray[np.float32]]
    shape: tuple[int, ...]
    path: str | None = None
    scales: NDArray[np.float32] | None = None


class Builder:
    """Makes a description of a graph, node by node.

    values: of each value of the graph that is known by now, its `Name` in the class or a `Constant`, or a
    number. load: returns the numbers of a parameter by its name.
    """

    def __init__(
        self, graph: Graph, nodes: Sequence[Node], name: str, load: Callable[[str], NDArray[np.float32]]
    ) -> None:
        self.graph = graph
        shapes = [graph.specs[each].shape for each in graph.inputs]
        self.made = Description(name, list(graph.inputs), shapes)
        self.values: dict[str, Any] = {each: Name(each) for each in graph.inputs}
        for value, path in graph.parameters.items():
            spec = graph.specs[value]
            is_float = spec.dtype in _FLOATS  # of other numbers the class has floats, not a parameter
            self.values[value] = Constant(_loader(load, path), spec.shape, path if is_float else None)
        self.reads = read_by(graph.nodes, graph.outputs)
        self._uses = _uses_of(graph, nodes)
        self._mixed = _mixed_in(graph, nodes)
        self._calls: Counter[str] = Counter()
        self._wishes: list[tuple[int, str, LayerOf]] = []
        self._taken = frozenset(graph.parameters.values())
        self._computed: dict[tuple[tuple[int, ...], bytes], str] = {}  # paths, by shapes and numbers

    def shape(self, argument: Argument) -> tuple[int, ...]:
        """Return the shape of a value that an operation reads."""
        if isinstance(argument, Ref):
            return self.graph.specs[argument.name].shape
        return ()

    def value(self, argument: Argument) -> Any:
        """Return what an argument is in the class: values by their names, constants as `Constant`."""
        if isinstance(argument, Ref):
            return self.values[argument.name]
        if isinstance(argument, tuple):
            return tuple(self.value(part) for part in argument)
        return argument

    def parameters_of(self, node: Node, *names: str) -> str | None:
        """Return the path of the module whose parameters these arguments are, or None where they are not.

        names: arguments of the node; each that is given must be a parameter of the module, called as PyTorch
        calls it there, and be used in no other way.
        """
        owners = set()
        for name in names:
            for given in refs(node.arguments.get(name)):
                value = self.values[given]
                path = value.path if isinstance(value, Constant) else None
                if path is None or self._uses[given] != {(node.operation, name)}:
                    return None
                owner, _, own = path.rpartition(".")
                if own != _OWN_NAMES.get(name, name) and name != _ANY:
                    return None
                owners.add(owner)
        return owners.pop() or None if len(owners) == 1 and owners.isdisjoint(self._mixed) else None

    def layer(self, node: Node, path: str, layer: LayerOf, *arguments: Any, count: int | None = None) -> bool:
        """Add the line that calls a layer with parameters; tell whether there is, or can be, this layer.

        There is none for constants: functions compute what depends on no input.
        """
        if not _names(arguments):
            return False
        if self.made.layers.setdefault(path, layer) != layer:
            return False
        self._emit(node, path, arguments, {}, is_layer=True, count=count)
        return True

    def call(
        self, node: Node, function: str, *arguments: Any, layer: LayerOf | None = None, **keywords: Any
    ) -> None:
        """Add the line that calls a function of `burnrt.functional`, or compute it where it reads constants.

        layer: the same as a layer without parameters, which is called where the node is of a module that is
        one of PyTorch's.
        """
        if not _names(arguments) and not _names(tuple(keywords.values())):
            self._fold(node, function, arguments, keywords)
            return
        if layer is not None and (path := _own_module(node)):
            self._wishes.append((len(self.made.lines), path, layer))
        self._emit(node, function, arguments, keywords)

    def same(self, node: Node, argument: Any) -> None:
        """Let what a node makes be a value that is there."""
        self.values[node.outputs[0]] = argument

    def reshape(self, node: Node, argument: Any) -> None:
        """Let what a node makes be the same numbers as an argument, in the shape that it says."""
        shape = self.graph.specs[node.outputs[0]].shape
        if isinstance(argument, Name) and shape != self.shape_of(argument):
            self.call(node, "reshape", argument, shape)
        elif isinstance(argument, Constant) and shape != argument.shape:
            numbers = argument.numbers
            self.values[node.outputs[0]] = Constant(lambda: numbers().reshape(shape), shape)
        else:
            self.same(node, argument)

    def shape_of(self, name: Name) -> tuple[int, ...]:
        return self.graph.specs[name.text].shape

    def parameter(
        self, value: str, path: str, numbers: NDArray[Any], scales: NDArray[np.float32] | None = None
    ) -> None:
        """Let a value be a parameter that the checkpoint has not so, called by `path` where that is free.

        scales: see `Description.scales`.
        """
        found = np.asarray(numbers, np.float32)
        used = any(known == path and self._uses[name] for name, known in self.graph.parameters.items())
        taken = used or path in self.made.constants
        if not taken:
            self.made.constants[path] = found
            if scales is not None:
                self.made.scales[path] = scales
        self.values[value] = Constant(_holder(found), found.shape, None if taken else path, scales)

    def constant(self, node: Node, numbers: NDArray[Any]) -> None:
        """Let what a node makes be these numbers."""
        found = np.asarray(numbers, np.float32)
        self.values[node.outputs[0]] = Constant(lambda: found, found.shape)

    def finish(self, outputs: Iterable[Argument]) -> Description:
        """Return the description. Raises `Unsupported` for an answer that is no value that is computed."""
        for index, path, layer in self._wishes:
            self._as_layer(index, path, layer)
        for place, output in enumerate(outputs):
            found = self.value(output)
            if found is None:
                continue
            if not isinstance(found, Name):
                what = "answers with what depends on no input"
                raise Unsupported(what, f"output {place}", found=str(output))
            self.made.outputs.append(found)
        return self.made

    def _as_layer(self, index: int, path: str, layer: LayerOf) -> None:
        """Call a layer instead of a function, where nothing else is called like it or is around it."""
        line, known = self.made.lines[index], self.made.layers
        parts = path.split(".")
        around = [".".join(parts[:end]) for end in range(1, len(parts))]
        below = any(other.startswith(path + ".") for other in (*known, *self.made.parameters))
        if below or any(other in known for other in around):
            return
        if known.setdefault(path, layer) == layer:
            values = tuple(each for each in line.arguments if isinstance(each, Name))
            self.made.lines[index] = Line(line.makes, path, values, {}, True, self._step(path))

    def _emit(
        self,
        node: Node,
        call: str,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        is_layer: bool = False,
        count: int | None = None,
    ) -> None:
        makes = (*node.outputs, *[None] * ((count or len(node.outputs)) - len(node.outputs)))
        for name in node.outputs:
            self.values[name] = Name(name)
        where = node.places[-1].path if node.places else ""
        step = self._step(call if is_layer else f"{where}/{call}" if where else call)
        given = tuple(self._given(each) for each in arguments)
        named = {key: self._given(each) for key, each in keywords.items()}
        self.made.lines.append(Line(makes, call, given, named, is_layer, step))

    def _step(self, name: str) -> str:
        self._calls[name] += 1
        calls = self._calls[name]
        return name if calls == 1 else f"{name}@{calls}"

    def _given(self, value: Any) -> Given:
        """Return an argument as a line has it; a constant becomes a parameter of the class, or a number."""
        if isinstance(value, tuple):
            return tuple(self._given(part) for part in value)
        if not isinstance(value, Constant):
            found: Given = value
            return found
        if value.path is None and value.shape == ():
            return float(value.numbers())
        path = value.path or self._kept(value)
        self.made.parameters[path] = value.shape
        if value.scales is not None:
            self.made.scales[path] = value.scales
        return Attribute(path)

    def _kept(self, value: Constant) -> str:
        """Return the path of a constant that is computed here."""
        numbers = value.numbers()
        key = (numbers.shape, numbers.tobytes())
        if key not in self._computed:
            path = f"{COMPUTED}{len(self.made.constants)}"
            while path in self._taken:
                path += "_"
            self.made.constants[path] = numbers
            self._computed[key] = path
        return self._computed[key]

    def _fold(self, node: Node, function: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        """Compute what depends on no input."""
        found = computed(function, _loaded(arguments), {key: _loaded(each) for key, each in keywords.items()})
        for name, numbers in zip(node.outputs, found, strict=False):
            self.values[name] = Constant(_holder(numbers), numbers.shape)


def _holder(numbers: NDArray[np.float32]) -> Callable[[], NDArray[np.float32]]:
    return lambda: numbers


def _loader(load: Callable[[str], NDArray[np.float32]], path: str) -> Callable[[], NDArray[np.float32]]:
    return lambda: load(path)


def _loaded(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_loaded(part) for part in value)
    return value.numbers() if isinstance(value, Constant) else value


def _names(value: Any) -> bool:
    """Tell whether a value that depends on an input is in an argument."""
    if isinstance(value, tuple):
        return any(_names(part) for part in value)
    return isinstance(value, Name)


def _uses_of(graph: Graph, nodes: Sequence[Node]) -> dict[str, set[tuple[str, str]]]:
    """Return of each value which arguments of which operations it is; values of one tensor share that."""
    tensors: dict[str, set[tuple[str, str]]] = {path: set() for path in graph.parameters.values()}
    uses = {name: tensors.get(graph.parameters.get(name, ""), set()) for name in graph.specs}
    for node in nodes:
        for key, argument in node.arguments.items():
            for name in refs(argument):
                uses[name].add((node.operation, key))
    for output in graph.outputs:
        for name in refs(output):
            uses[name].add(("output", ""))
    return uses


def _mixed_in(graph: Graph, nodes: Sequence[Node]) -> set[str]:
    """Return the modules whose parameters an operation takes together with those of others."""
    found: set[str] = set()
    for node in nodes:
        names = read_by((node,)) & graph.parameters.keys()
        owners = {graph.parameters[name].rpartition(".")[0] for name in names}
        if len(owners) > 1:
            found |= owners
    return found


def _own_module(node: Node) -> str | None:
    """Return the path of the module that is nothing but this operation: one of PyTorch's own layers."""
    place = node.places[-1] if node.places else None
    if place is None or not place.path or not place.kind.startswith("torch.nn.modules."):
        return None
    return None if ".container." in place.kind or ".transformer." in place.kind else place.path
