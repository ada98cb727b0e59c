"""An exported program: the JSON that says what computes with the tensors of its archive, as a graph."""

from collections.abc import Mapping

from burnpack.errors import BurnpackError, Unsupported
from burnpack.limits import Limits
from burnstore.exported import metas
from burnstore.exported.arguments import Arguments
from burnstore.exported.graph import Argument, Graph, Node
from burnstore.exported.items import Item, parse_json
from burnstore.exported.places import parse_places, source_line
from burnstore.exported.symbols import Symbols
from burnstore.pytorch.archive import ZipArchive
from burnstore.pytorch.objects import Dict, Refused
from burnstore.pytorch.rebuild import TensorView

MAJOR = 8  # of the schema
_OPERATIONS = "torch.ops."  # before the names of operations
# Inputs that are tensors of the container: the field that has the tensor's name.
_OF_CONTAINER = {
    "parameter": "parameter_name",
    "buffer": "buffer_name",
    "tensor_constant": "tensor_constant_name",
}
Tensors = Mapping[str, TensorView | Refused]


class Program:
    """What is known of a program before it is read. record, samples: names in the archive."""

    def __init__(self, archive: ZipArchive, record: str, samples: str, tensors: Dict, limits: Limits) -> None:
        self.archive = archive
        self.record = record
        self.samples = samples
        self.tensors: Tensors = dict(tensors.pairs)  # type: ignore[arg-type]
        self.limits = limits

    def graph(self) -> Graph:
        """Return the graph."""
        return _Reading(parse_json(self.archive.text(self.record), self.record), self.tensors).graph()


class _Reading:
    """One program, as it is read."""

    def __init__(self, whole: Item, tensors: Tensors) -> None:
        _check_version(whole.field("schema_version"))
        self._whole = whole
        self._module = whole.field("graph_module")
        self._graph = self._module.field("graph")
        self._tensors = tensors
        self._symbols = Symbols({})
        metas_of = self._graph.field("tensor_values").pairs()
        self._specs = {name: metas.spec(meta, self._symbols) for name, meta in metas_of}
        self._defined: set[str] = set()
        self._arguments = Arguments(self._defined, {})
        self._names: set[str] = set()

    def graph(self) -> Graph:
        """Return the graph."""
        signature = self._module.field("signature")
        producer = self._whole.get("torch_version")
        graph = Graph([], [], {}, self._specs, producer=f"torch {producer.text()}" if producer else "")
        for spec in signature.field("input_specs").items():
            self._add_input(spec, graph)
        graph.input_names = self._input_names(graph.inputs)
        for node in self._graph.field("nodes").items():
            graph.nodes.append(self._node(node))
        for spec in signature.field("output_specs").items():
            self._add_output(spec, graph)
        return graph

    def _add_input(self, spec: Item, graph: Graph) -> None:
        kind, given = spec.union()
        if kind in _OF_CONTAINER:
            name = given.field("arg").field("name")
            tensor = given.field(_OF_CONTAINER[kind])
            self._define(name)
            self._check_tensor(name, tensor)
            graph.parameters[name.text()] = tensor.text()
        elif kind == "user_input":
            key, value = given.field("arg").union()
            if key == "as_tensor":
                self._define(value.field("name"))
                graph.inputs.append(value.field("name").text())
            elif key != "as_none":
                raise Unsupported("an input that is no tensor", given.place, found=key)
        elif kind != "constant_input":
            raise Unsupported("an input of a kind that is not read here", spec.place, found=kind)

    def _check_tensor(self, value: Item, tensor: Item) -> None:
        """Refuse a tensor that the archive has not, or has otherwise than the graph says."""
        name, spec = tensor.text(), self._specs[value.text()]
        if name not in self._tensors:
            raise tensor.malformed("the archive has no tensor of this name", found=name)
        found = self._tensors[name]
        if isinstance(found, TensorView) and (found.dtype, found.shape) != (spec.dtype, spec.shape):
            raise tensor.malformed(
                f"the archive has the tensor {name} otherwise than the program says",
                expected=f"{spec.dtype} {spec.shape}",
                found=f"{found.dtype} {found.shape}",
            )

    def _input_names(self, inputs: list[str]) -> list[str]:
        """Return what `forward` calls the inputs: as in the graph, where a release did not change that."""
        entries = self._module.field("module_call_graph").items()
        signature = entries[0].get("signature") if entries else None
        names = signature.get("forward_arg_names") if signature else None
        found = [name.text() for name in names.items()] if names else []
        return found if len(found) == len(inputs) else list(inputs)

    def _node(self, item: Item) -> Node:
        target = item.field("target").text()
        arguments: dict[str, Argument] = {}
        for given in item.field("inputs").items():
            key = given.field("name").text()
            if key in arguments:
                raise given.malformed("two arguments of one name", found=key)
            arguments[key] = self._arguments.read(given.field("arg"))
        outputs = [name for made in item.field("outputs").items() for name in self._made(made)]
        metadata = item.field("metadata")
        stack, trace = metadata.get("nn_module_stack"), metadata.get("stack_trace")
        try:
            places = parse_places(stack.text()) if stack else ()
        except BurnpackError as error:
            raise error.about(metadata.place, None) from None
        line = source_line(trace.text(), places) if trace else ""
        name = self._name(item, outputs)
        return Node(name, target.removeprefix(_OPERATIONS), arguments, tuple(outputs), places, line)

    def _name(self, item: Item, outputs: list[str]) -> str:
        """Return a node's name: its own or, in older files, that of what it makes."""
        given = item.get("name")
        name = given.text() if given else next(filter(None, outputs), item.field("target").text())
        unique, number = name, 0
        while unique in self._names:
            number += 1
            unique = f"{name}_{number}"
        self._names.add(unique)
        return unique

    def _made(self, item: Item) -> list[str]:
        """Define what an output of a node is; return the names of its values, "" for none."""
        key, value = item.union()
        if key == "as_tensor":
            return [self._define(value.field("name"))]
        if key == "as_tensors":
            return [self._define(part.field("name")) for part in value.items()]
        if key == "as_none":
            return [""]
        raise Unsupported("an operation makes what is not read here", item.place, found=key)

    def _define(self, name: Item) -> str:
        found = name.text()
        if found in self._defined:
            raise name.malformed("two values of one name", found=found)
        if found not in self._specs:
            raise name.malformed("a value has no entry in tensor_values", found=found)
        self._defined.add(found)
        return found

    def _add_output(self, spec: Item, graph: Graph) -> None:
        kind, given = spec.union()
        if kind != "user_output":
            raise Unsupported("an output of a kind that is not read here", spec.place, found=kind)
        graph.outputs.append(self._arguments.read(given.field("arg")))


def _check_version(item: Item) -> None:
    major, minor = item.field("major").integer(), item.field("minor").integer()
    if major != MAJOR:
        what = "an exported program of another version than is read here"
        raise Unsupported(what, item.place, expected=f"{MAJOR}.x", found=f"{major}.{minor}")
