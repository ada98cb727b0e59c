"""The picture of an exported program: PyTorch's operations, by the modules that they are part of.

What a graph has for other programs than readers is left out: operations without effect, and those that only
parameters go into, whose answer is shown as a weight. A quantizer's pair of `quantize` and `dequantize` is
one box.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from burnpack.dtype import nbytes
from burnpack.errors import Malformed
from burnstore.drawing.kinds import INPUT, OUTPUT, bare, kind_of
from burnstore.drawing.picture import Box, Edge, Picture
from burnstore.drawing.settings import texts_of
from burnstore.drawing.texts import of_bytes, of_scale, of_setting, of_shape, of_weights, packed
from burnstore.exported.graph import Argument, Graph, Node, Ref, Spec, refs

_USUAL_DTYPE = "F32"
_WITHOUT_EFFECT = frozenset(("contiguous", "detach", "alias", "clone", "lift_fresh_copy"))
_WITHOUT_EFFECT_AT_REST = frozenset(("dropout", "feature_dropout", "alpha_dropout"))
_PARAMETERS = 16  # that are remembered of what is computed of parameters alone
_QUANTIZE, _DEQUANTIZE = "quantize_per_tensor", "dequantize_per_tensor"


@dataclass(frozen=True)
class _Made:
    """Where a value is from: a box; or parameters alone, by an operation or as they are.

    parameters: their values' names, the first ones of very many.
    """

    box: int | None
    parameters: tuple[str, ...] = ()
    by: str = ""


@dataclass
class _Drawing:
    """A picture in the making. made: where each value is from, by its name. shown: operations with a box."""

    graph: Graph
    picture: Picture = field(default_factory=lambda: Picture(""))
    made: dict[str, _Made] = field(default_factory=dict)
    shown: int = 0

    def of(self, value: str) -> _Made:
        """Return where a value is from. Raises `Malformed` for one that nothing makes before it is read."""
        if value not in self.made:
            raise Malformed("nothing makes this value before it is read", value)
        return self.made[value]

    def add(self, box: Box, values: list[str]) -> int:
        """Add a box, and an edge from each value that it reads; return its number."""
        number = len(self.picture.boxes)
        self.picture.boxes.append(box)
        for value in dict.fromkeys(values):
            source = self.of(value).box
            if source is not None:
                label = _of_spec(self.graph.specs.get(value))
                self.picture.edges.append(Edge(source, number, label, (("value", value),)))
        return number


def picture_of_graph(graph: Graph, name: str) -> Picture:
    """Return the picture of a graph. name: what the picture's title calls it."""
    drawing = _Drawing(graph)
    drawing.made = {value: _Made(None, (value,)) for value in graph.parameters}
    names = graph.input_names if len(graph.input_names) == len(graph.inputs) else graph.inputs
    for value, called in zip(graph.inputs, names, strict=True):
        box = Box(called, INPUT, lines=(_of_spec(graph.specs.get(value)),), details=((INPUT, value),))
        drawing.made[value] = _Made(drawing.add(box, []))
    for node in graph.nodes:
        drawing.picture.classes |= {place.path: place.kind.rpartition(".")[2] for place in node.places}
        _add_node(drawing, node)
    for number, answer in enumerate(graph.outputs):
        _add_output(drawing, number, answer)
    count = len(graph.nodes)
    drawing.picture.title = f"{name}: {count} operation{'s' * (count != 1)}"
    if drawing.shown < count:
        drawing.picture.title += f", {count - drawing.shown} of them left out or shown as weights"
    if graph.producer:
        drawing.picture.title += f"; {graph.producer}"
    return drawing.picture


def _add_node(drawing: _Drawing, node: Node) -> None:
    """Add an operation's box, or note what its values are the same as."""
    values = [ref for argument in node.arguments.values() for ref in refs(argument)]
    read = [value for value in values if drawing.of(value).box is not None]
    if not read and node.outputs:
        parameters = [name for value in values for name in drawing.of(value).parameters]
        found = _Made(None, tuple(dict.fromkeys(parameters))[:_PARAMETERS], bare(node.operation))
    elif _is_left_out(drawing, node, read):
        found = drawing.of(read[0]) if read else _Made(None)
    else:
        found = _Made(drawing.add(_box(drawing, node, read), read))
        drawing.shown += 1
    drawing.made |= dict.fromkeys(node.outputs, found)


def _is_left_out(drawing: _Drawing, node: Node, read: list[str]) -> bool:
    """Tell whether an operation has no box. read: the values that are not parameters'."""
    name = bare(node.operation)
    if name == _DEQUANTIZE and read:
        number = drawing.of(read[0]).box
        return number is not None and drawing.picture.boxes[number].title == _QUANTIZE
    at_rest = name in _WITHOUT_EFFECT_AT_REST and node.arguments.get("train") is False
    return at_rest or name in _WITHOUT_EFFECT or not node.outputs


def _box(drawing: _Drawing, node: Node, read: list[str]) -> Box:
    """Return the box of an operation. read: the values that are not parameters'."""
    title = bare(node.operation)
    weights = list(_weights(drawing, node))
    settings = {
        name: argument for name, argument in node.arguments.items() if not any(True for _ in refs(argument))
    }
    size = sum(size for _, _, size in weights)
    path = node.places[-1].path if node.places else ""
    told = dict(settings)
    more = []
    if title == _QUANTIZE and isinstance(told.get("scale"), float):
        more = [of_scale(told.pop("scale", None), told.pop("zero_point", None))]
        path = _module_of(drawing, read[0])  # the quantizer adds them outside of all modules
    lines = [*of_weights([text for text, _, _ in weights], size), *packed(texts_of(told)), *more]
    module = node.places[-1].kind if node.places else ""
    details = [("operation", node.operation), ("module", " ".join((path, module)).strip())]
    details += [detail for _, detail, _ in weights]
    details += [(name, of_setting("", value).strip()) for name, value in settings.items()]
    details += [("result", f"{value} {_of_spec(drawing.graph.specs.get(value))}") for value in node.outputs]
    details += [("source", node.source)] * bool(node.source)
    return Box(title, kind_of(title), path, tuple(lines), tuple(details), size)


def _module_of(drawing: _Drawing, value: str) -> str:
    """Return the path of the module that has the layer which a value is from."""
    number = drawing.of(value).box
    return "" if number is None else drawing.picture.boxes[number].path.rpartition(".")[0]


def _weights(drawing: _Drawing, node: Node) -> Iterator[tuple[str, tuple[str, str], int]]:
    """Yield of each weight its text, its detail, and its size in bytes."""
    for argument, content in node.arguments.items():
        for value in refs(content):
            made = drawing.of(value)
            if made.box is None:
                yield _weight(drawing.graph, argument, value, made)


def _weight(graph: Graph, argument: str, value: str, made: _Made) -> tuple[str, tuple[str, str], int]:
    """Return the same of one. What is computed of parameters is called as the argument that it is for."""
    names = [graph.parameters[parameter] for parameter in made.parameters]
    specs = [graph.specs[parameter] for parameter in made.parameters if parameter in graph.specs]
    size = sum(nbytes(spec.dtype, spec.shape) or 0 for spec in specs)
    shape = _of_spec(graph.specs.get(value))
    told = f"{', '.join(names)}, {shape}, {of_bytes(size)}"
    if not made.by and names:
        return f"{names[0].rpartition('.')[2]} {shape}", (argument, told), size
    dtype = f" from {specs[0].dtype}" if specs and specs[0].dtype != _USUAL_DTYPE else ""
    return f"{argument} {shape}{dtype}", (argument, f"{made.by} of {told}"), size


def _add_output(drawing: _Drawing, number: int, answer: Argument) -> None:
    if isinstance(answer, Ref):
        made = drawing.of(answer.name)
        told = _of_spec(drawing.graph.specs.get(answer.name))
        alone = ("the same each time",) if made.box is None else ()
        drawing.add(Box(f"{OUTPUT} {number}", OUTPUT, lines=(told, *alone)), [answer.name])
    else:
        drawing.add(Box(f"{OUTPUT} {number}", OUTPUT, lines=(str(answer),)), [])


def _of_spec(spec: Spec | None) -> str:
    """Return a shape, and the dtype where it is not the usual one."""
    if spec is None:
        return "?"
    return of_shape(spec.shape) + (f" {spec.dtype}" if spec.dtype != _USUAL_DTYPE else "")
