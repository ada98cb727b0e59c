"""A described class that runs: each line calls its layer or its function."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.adapters.layers import LAYERS
from burnpack.errors import Unsupported
from burnrt import functional, nn, tensor
from burnrt.trace import Graph
from burnrt.value import Value
from burnstore.classes.description import Attribute, Description, Line, Name

_VECTORS = ("Sequential", "ModuleList")


class _Part(nn.Module):
    """A module that holds others. kind: the class that it was."""

    def __init__(self, kind: str) -> None:
        self._kind = kind.rpartition(".")[2] or "Module"
        self._pairs: dict[str, Any] = {}

    def children(self) -> list[tuple[str, Any]]:
        return list(self._pairs.items())

    def container(self) -> str:
        """Return what it is; no layer, as the layout of parameters that it has itself stays as it is."""
        if self._kind in _VECTORS:
            return "Vec"
        return "Struct:" + ("Module" if self._kind in LAYERS else self._kind)

    def put(self, name: str, part: Any) -> None:
        """Add a part."""
        if self._pairs.setdefault(name, part) is not part:
            raise Unsupported("a module has two parts of one name", name)


class Described(_Part):
    """The class of a description, made: its parameters have no data yet."""

    def __init__(self, description: Description) -> None:
        super().__init__(description.name)
        self._description = description
        self._layers: dict[str, Any] = {}
        self._parts: dict[str, Any] = {"": self}
        for path, layer in description.layers.items():
            made = getattr(nn, layer.kind)(*layer.arguments, **layer.keywords)
            self._layers[path] = made
            self._put(path, made)
        self._params = {path: nn.Parameter(shape) for path, shape in description.parameters.items()}
        for path, param in self._params.items():
            self._put(path, param)
        for path, scales in description.scales.items():
            self._tell(path, scales)

    @property
    def input_names(self) -> list[str]:
        """What the inputs of `forward` are called, in order."""
        return self._description.inputs

    @property
    def input_shapes(self) -> list[tuple[int, ...]]:
        """The shapes of the inputs, the batch first."""
        return [tuple(shape) for shape in self._description.shapes]

    def forward(self, *inputs: Any) -> Any:
        """Return the answer to inputs as the description has them, in their order."""
        made = self._description
        values = dict(zip(made.inputs, inputs, strict=True))
        graph = next((value.graph for value in inputs if value.graph is not None), None)
        for line in made.lines:
            answers = self._answers(line, values, graph)
            named = zip(line.makes, answers, strict=False)
            values.update((name, answer) for name, answer in named if name is not None)
        outputs = tuple(values[name.text] for name in made.outputs)
        return outputs[0] if len(outputs) == 1 else outputs

    def _answers(self, line: Line, values: dict[str, Any], graph: Graph | None) -> tuple[Any, ...]:
        """Return what a line answers. graph: of a pass that is followed; its steps get the line's name."""
        arguments = [self._found(each, values) for each in line.arguments]
        keywords = {key: self._found(each, values) for key, each in line.keywords.items()}
        before = len(graph.steps) if graph is not None else 0
        if line.is_layer:
            answer = self._layers[line.call](*arguments, **keywords)
        else:
            answer = call(line.call, arguments, keywords)
        if graph is not None and line.step:
            inner = getattr(graph, "inner", {})
            for number, step in enumerate(graph.steps[before:]):
                part = inner.get(step.output.number, number)
                step.name = line.step + f".{part}" * bool(part)
        return _flat(answer)

    def _found(self, given: Any, values: dict[str, Any]) -> Any:
        if isinstance(given, Name):
            return values[given.text]
        if isinstance(given, Attribute):
            return self._params[given.path]
        return tuple(self._found(each, values) for each in given) if isinstance(given, tuple) else given

    def _tell(self, path: str, scales: NDArray[np.float32]) -> None:
        """Keep with a parameter, where there is one, the scales that its numbers are integers of."""
        owner, _, name = path.rpartition(".")
        param = self._params.get(path, getattr(self._layers.get(owner), name, None))
        if param is not None:
            vars(param)["scales"] = scales

    def _put(self, path: str, part: Any) -> None:
        """Make a part an attribute of the module that holds it."""
        around, _, name = path.rpartition(".")
        if around not in self._parts:
            self._parts[around] = _Part(self._description.containers.get(around, ""))
            self._put(around, self._parts[around])
        holder = self._parts[around]
        if not isinstance(holder, _Part):
            raise Unsupported("a layer has no part besides its own", path, found=type(holder).__name__)
        self._parts[path] = part
        holder.put(name, part)


def call(name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """Return the answer of a line that is no layer's: see `Line`."""
    if name == "reshape":
        return arguments[0].reshape(arguments[1])
    if name == "getitem":
        return arguments[0][arguments[1]]
    return getattr(functional, name)(*arguments, **keywords)


def computed(name: str, arguments: Any, keywords: dict[str, Any]) -> list[NDArray[np.float32]]:
    """Return what a line's function makes of arrays and numbers."""
    given = [_tensors(each) for each in arguments]
    answers = _flat(call(name, given, {key: _tensors(each) for key, each in keywords.items()}))
    return [np.asarray(answer, np.float32) for answer in answers]


def _tensors(given: Any) -> Any:
    if isinstance(given, tuple):
        return tuple(_tensors(each) for each in given)
    return tensor(np.ascontiguousarray(given, np.float32)) if isinstance(given, np.ndarray) else given


def _flat(answer: Any) -> tuple[Any, ...]:
    """Return the values of an answer, one after the other."""
    if answer is None or isinstance(answer, (Value, int, float)):
        return (answer,)
    return tuple(value for part in answer for value in _flat(part))
