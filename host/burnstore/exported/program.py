"""An exported program: the JSON that says what computes with the tensors of its archive, as a graph."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from burnpack.errors import NotFound, Unsupported
from burnpack.limits import Limits
from burnstore.exported.graph import Graph, Shapes
from burnstore.exported.graph import by_name as named
from burnstore.exported.inplace import check_in_place
from burnstore.exported.items import Item, parse_json
from burnstore.exported.nodes import NUMBERS, Scope
from burnstore.exported.signature import argument_names
from burnstore.exported.symbols import Symbols, read_ranges
from burnstore.pytorch.archive import ZipArchive
from burnstore.pytorch.objects import Dict, Refused
from burnstore.pytorch.rebuild import TensorView

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAJOR = 8  # of the schema
# Inputs that are tensors of the container: the field that has the tensor's name.
_OF_CONTAINER = {
    "parameter": "parameter_name",
    "buffer": "buffer_name",
    "tensor_constant": "tensor_constant_name",
}
_MUTATIONS = {
    "buffer_mutation": "buffer_name",
    "parameter_mutation": "parameter_name",
    "user_input_mutation": "user_input_name",
}
Tensors = Mapping[str, TensorView | Refused]


class ExportedProgram:
    """What is known of a program before it is read. record, samples: names in the archive."""

    is_export = True

    def __init__(self, archive: ZipArchive, record: str, samples: str, tensors: Dict, limits: Limits) -> None:
        self.archive = archive
        self.record = record
        self.samples = samples
        self.tensors: Tensors = dict(tensors.pairs)  # type: ignore[arg-type]
        self.limits = limits

    def graph(self, shapes: Shapes, extents: Mapping[str, int]) -> Graph:
        """Return the graph; see `opening.graph_of`."""
        whole = parse_json(self.archive.text(self.record), self.record)
        return _Reading(whole, self.tensors, extents).graph(shapes)

    def sample_inputs(self, graph: Graph) -> "list[NDArray[Any]] | None":
        """Return the inputs that the program was made with; see `samples`."""
        from burnstore.exported.samples import read_samples  # which alone needs numpy

        return read_samples(self, graph)


class _Reading:
    """One program, as it is read. extents: of those that are open, by name."""

    def __init__(self, whole: Item, tensors: Tensors, extents: Mapping[str, int]) -> None:
        _check_version(whole.field("schema_version"))
        ranges = whole.get("range_constraints")
        producer = whole.get("torch_version")
        self._module = whole.field("graph_module")
        self._json = self._module.field("graph")
        self._tensors = tensors
        self._symbols = Symbols(read_ranges(ranges) if ranges else {}, extents)
        self._graph = Graph([], [], {}, {}, producer=f"torch {producer.text()}" if producer else "")
        self._scope = Scope(self._json, self._symbols, self._graph)
        signature = self._module.field("signature")
        self._inputs = [spec.union() for spec in signature.field("input_specs").items()]
        self._outputs = [spec.union() for spec in signature.field("output_specs").items()]
        self._by_tensor: dict[str, str] = {}
        self._changed: dict[str, str] = {}  # values that the program is said to change, and their names

    def graph(self, shapes: Shapes) -> Graph:
        """Return the graph. shapes: of inputs, by name."""
        graph, names = self._graph, self._input_names()
        self._decide(shapes, names)
        for kind, given in self._inputs:
            self._add_input(kind, given)
        self._check_inputs()
        graph.input_names = [names[name] for name in graph.inputs]
        for node in self._json.field("nodes").items():
            self._scope.add(node)
        self._by_tensor = {tensor: value for value, tensor in graph.parameters.items()}
        for kind, given in self._outputs:
            self._add_output(kind, given)
        graph.opened = dict(self._symbols.values)
        check_in_place(graph, self._changed)
        return graph

    def _input_names(self) -> dict[str, str]:
        """Return what `forward` calls the inputs, by their names in the graph."""
        given = [(kind, found) for kind, found in self._inputs if kind in ("user_input", "constant_input")]
        called = argument_names(self._module.field("module_call_graph"))
        names: dict[str, str] = {}
        for number, (kind, found) in enumerate(given):
            name = _tensor_name(found) if kind == "user_input" else None
            if name is not None:
                known = called[number] if len(called) == len(given) else None
                names[name.text()] = known or name.text()
        return names

    def _decide(self, shapes: Shapes, names: Mapping[str, str]) -> None:
        """Decide which numbers are taken for open extents: those of given shapes, the batch, and hints."""
        metas = self._json.field("tensor_values")
        sizes = {name: metas.field(name).field("sizes").items() for name in names}
        by_name = {called: name for name, called in names.items()} | {name: name for name in names}
        for called, shape in named(shapes, list(names)).items():
            if called not in by_name:
                expected = f"one of: {', '.join(names.values())}"
                raise NotFound("no input of this name", called, expected=expected)
            self._symbols.bind(called, sizes[by_name[called]], shape)
        for extents in sizes.values():
            self._symbols.notice(extents, of_input=True)
        for part in (self._json.get(key) for key in NUMBERS):
            self._symbols.notice([number for _, number in part.pairs()] if part else [])
        for _, meta in metas.pairs():
            self._symbols.notice(meta.field("sizes").items())

    def _add_input(self, kind: str, given: Item) -> None:
        if kind in _OF_CONTAINER:
            value = self._scope.define(given.field("arg").field("name"))
            tensor = given.field(_OF_CONTAINER[kind])
            self._check_tensor(value, tensor)
            self._graph.parameters[value] = tensor.text()
        elif kind == "user_input":
            name = _tensor_name(given)
            if name is not None:
                self._graph.inputs.append(self._scope.define(name))
        elif kind != "constant_input":
            raise Unsupported("an input of a kind that is not read here", given.place, found=kind)

    def _check_inputs(self) -> None:
        """Refuse a graph whose own list of inputs is another than that of the signature."""
        listed = [part.union() for part in self._json.field("inputs").items()]
        names = {value.field("name").text() for key, value in listed if key == "as_tensor"}
        if len(listed) != len(self._inputs) or names != set(self._scope.values):
            what = "graph and signature have other inputs"
            raise self._json.malformed(what, expected=len(self._inputs), found=len(listed))

    def _check_tensor(self, value: str, tensor: Item) -> None:
        """Refuse a tensor that the archive has not, or has otherwise than the graph says."""
        name, spec = tensor.text(), self._graph.specs[value]
        if name not in self._tensors:
            raise tensor.malformed("the archive has no tensor of this name", found=name)
        found = self._tensors[name]
        if isinstance(found, TensorView) and (found.dtype, found.shape) != (spec.dtype, spec.shape):
            raise tensor.malformed(
                f"the archive has the tensor {name} otherwise than the program says",
                expected=f"{spec.dtype} {spec.shape}",
                found=f"{found.dtype} {found.shape}",
            )

    def _add_output(self, kind: str, given: Item) -> None:
        if kind in _MUTATIONS:
            name = given.field(_MUTATIONS[kind]).text()
            self._changed[self._by_tensor.get(name, name)] = name
        elif kind == "user_output":
            self._graph.outputs.append(self._scope.arguments.read(given.field("arg")))
        else:
            raise Unsupported("an output of a kind that is not read here", given.place, found=kind)


def _tensor_name(given: Item) -> Item | None:
    """Return the name of an input that is a tensor; None for one that is a number or none."""
    key, value = given.field("arg").union()
    if key == "as_tensor":
        return value.field("name")
    if key == "as_none" or key.startswith("as_sym_"):
        return None
    raise Unsupported("an input of a kind that is not read here", given.place, found=key)


def _check_version(item: Item) -> None:
    major, minor = item.field("major").integer(), item.field("minor").integer()
    if major != MAJOR:
        what = "an exported program of another version than is read here"
        raise Unsupported(what, item.place, expected=f"{MAJOR}.x", found=f"{major}.{minor}")
