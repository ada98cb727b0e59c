"""The graph of a network in TorchScript as it is made, and what its modules have."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from burnpack.errors import LimitExceeded, NotFound, Unsupported
from burnpack.limits import Limits
from burnpack.tensor import Tensor
from burnstore.exported.graph import Argument, Graph, Node, Place, Ref, Spec
from burnstore.exported.script import layers, views  # noqa: F401, which add what they know
from burnstore.exported.script.machine import Dotted, Module
from burnstore.exported.script.schemas import DTYPES, matched
from burnstore.exported.script.shapes import made
from burnstore.pytorch import gather
from burnstore.pytorch.checkpoint import Checkpoint
from burnstore.pytorch.describe import join
from burnstore.pytorch.flatten import flatten
from burnstore.pytorch.layout import place
from burnstore.pytorch.objects import Dict, Opaque, Refused
from burnstore.pytorch.rebuild import TensorView

NODES = 20_000  # operations of a network
PRODUCER = "TorchScript"
_MANGLED = "___torch_mangle_"  # parts of names that tell apart what has one name
_LISTS = ("chunk", "split", "split_with_sizes", "unbind")  # operations that answer lists
# Operations that are others with fewer arguments, or under another name.
_RENAMED = {
    "aten._convolution.default": "aten.convolution.default",
    "aten.unsafe_chunk.default": "aten.chunk.default",
    "aten.unsafe_split.Tensor": "aten.split.Tensor",
    "aten.to.prim_dtype": "aten.to.dtype",
}
_TOO_MANY = ("benchmark", "deterministic", "cudnn_enabled", "allow_tf32")  # arguments of _convolution
_NO = ("is_cuda", "is_nested", "is_sparse", "is_quantized", "is_mkldnn", "is_meta")


class ScriptNetwork:
    """The graph, and the tensors and constants that it is made of. See `machine.Network`."""

    def __init__(self, checkpoint: Checkpoint, constants: tuple[object, ...], limits: Limits) -> None:
        self.graph = Graph([], [], {}, {}, producer=PRODUCER)
        self._checkpoint = checkpoint
        self._constants = constants
        self._limits = limits
        self._tensors = flatten(checkpoint.root, limits).found
        self._by_place = {_place_of(view): name for name, view in reversed(self._tensors.items())}
        self._values: dict[str, str] = {}  # of tensors, by their names
        self._taken: dict[str, int] = {}
        self._places: list[Place] = []

    def add_inputs(
        self, names: list[str], needed: int, shapes: Mapping[str, Sequence[int]], traced: list[TensorView]
    ) -> None:
        """Define the inputs. needed: how many of them have no default."""
        for name in shapes:
            if name not in names:
                raise NotFound("no input of this name", name, expected=f"one of: {', '.join(names)}")
        for number, name in enumerate(names):
            view = traced[number] if number < len(traced) else None
            shape = shapes.get(name, view.shape if view else None)
            if shape is None and number >= needed:
                break
            if shape is None:
                what = "the file does not say of which shape this input is: it must be given"
                raise Unsupported(what, name)
            value = self._define(name, Spec(view.dtype if view else "F32", tuple(shape)))
            self.graph.inputs.append(value)
            self.graph.input_names.append(name)

    def module(self, path: str, value: object) -> Module:
        """Return an object of the pickle as a module."""
        if type(value) is not Opaque:
            raise Unsupported("the file holds no module", path or None, found=type(value).__name__)
        pairs = value.state.pairs if isinstance(value.state, Dict) else []
        return Module(path, value.origin.path, {key: item for key, item in pairs if type(key) is str})

    def attribute(self, module: Module, name: str) -> Any:
        """Return a module's attribute: a tensor as a value of the graph. Raises `KeyError`."""
        value, path = module.values[name], join(module.path, name)
        if isinstance(value, TensorView) and path in self._tensors:
            return self._parameter(path, value)
        return self.module(path, value) if type(value) is Opaque else self._plain(value, path)

    def constant(self, number: int) -> Any:
        """Return a constant of the code: a tensor without dimensions as a number."""
        name = f"constants.{number}"
        if number >= len(self._constants):
            raise Unsupported("the code names a constant that the file has not", name)
        value = self._constants[number]
        if isinstance(value, TensorView) and value.shape == () and _place_of(value) not in self._by_place:
            return self._number(name, value)
        return self._plain(value, name)

    def _plain(self, value: object, path: str) -> Any:
        """Return an attribute or constant: a plain value, a tensor that has a name, a list of such."""
        if value is None or type(value) in (bool, int, float, str):
            return value
        if isinstance(value, (list, tuple)):
            return type(value)([self._plain(part, path) for part in value])
        if isinstance(value, TensorView):
            return self._parameter(self._by_place.get(_place_of(value), path), value)
        kind = value.kind if isinstance(value, Refused) else f"a value of the kind {type(value).__name__}"
        raise Unsupported(f"{kind} is not read here", path)

    def _number(self, name: str, view: TensorView) -> Any:
        from burnstore.numerics.arrays import array_from_tensor  # which needs numpy

        entry = place(name, view, self._checkpoint.storages, self._limits, self._checkpoint.swapped)
        return array_from_tensor(Tensor(name, entry.dtype, (), gather.read(entry))).item()

    def _parameter(self, name: str, view: TensorView) -> Ref:
        found = self._tensors.get(name)
        if found is None or _place_of(found) != _place_of(view):
            what = "a tensor that is no parameter and no buffer of its module (register_buffer makes it one)"
            raise Unsupported(what, name)
        if name not in self._values:
            value = self._define("p_" + name.replace(".", "_"), Spec(view.dtype, view.shape))
            self._values[name] = value
            self.graph.parameters[value] = name
        return Ref(self._values[name])

    def _define(self, name: str, spec: Spec) -> str:
        unique = name
        while unique in self._taken:
            self._taken[name] += 1
            unique = f"{name}_{self._taken[name]}"
        self._taken[unique] = 0
        self.graph.specs[unique] = spec
        return unique

    def enter(self, module: Module) -> None:
        """Begin with a method of a module."""
        parts = [part for part in module.owner.split(".")[1:] if not part.startswith(_MANGLED)]
        self._places.append(Place(module.path, ".".join(parts)))

    def leave(self) -> None:
        """End it."""
        self._places.pop()

    def operation(self, name: str, values: list[Any], named: dict[str, Any], where: str) -> Any:
        """Add an operation to the graph; return what it makes."""
        first = values[0] if values else None
        if name == "ops.prim.RaiseException":
            raise Unsupported(f"the network raises an error for these shapes: {first}", where)
        if isinstance(first, Ref) and name in _FACTS:
            return _FACTS[name](self.graph.specs[first.name], *values[1:])
        base = name.removeprefix("torch.").removeprefix("ops.aten.")
        found = matched(
            base,
            [_frozen(value, where) for value in values],
            {key: _frozen(value, where) for key, value in named.items()},
        )
        if found is None:
            what = "an operation that is not known here, or with other arguments"
            raise Unsupported(what, where, found=name)
        return self._add(base, f"aten.{found[0]}", found[1], where)

    def _add(self, base: str, operation: str, arguments: dict[str, Argument], where: str) -> Any:
        if len(self.graph.nodes) >= NODES:
            raise LimitExceeded("too many operations", where, expected=f"at most {NODES}")
        specs = made(base.removesuffix("_"), arguments, self.graph.specs, where)
        operation = _RENAMED.get(operation, operation)
        if base == "_convolution":
            arguments = {key: value for key, value in arguments.items() if key not in _TOO_MANY}
        if base == "_convolution_mode":
            operation = f"aten.conv{len(specs[0].shape) - 2}d.padding"
        outputs = tuple([self._define(base, spec) for spec in specs])
        name = outputs[0] if outputs else self._define(base, Spec("F32", ()))
        self.graph.nodes.append(Node(name, operation, arguments, outputs, tuple(self._places), where))
        refs = [Ref(name) for name in outputs]
        if operation.split(".")[1] in _LISTS:
            return refs
        return refs[0] if len(refs) == 1 else tuple(refs)


def _place_of(view: object) -> tuple[object, ...]:
    """Return what is the same for two tensors that are one."""
    if not isinstance(view, TensorView):
        return (id(view),)
    return id(view.storage), view.dtype, view.offset, view.shape, view.stride


def _extent(spec: Spec, dim: int | None = None) -> Any:
    return list(spec.shape) if dim is None else spec.shape[dim]


def _dtype(spec: Spec) -> int:
    return {name: number for number, name in DTYPES.items()}[spec.dtype]


# What a value is, as far as that is known beforehand.
_FACTS: dict[str, Any] = {
    "torch.size": _extent,
    "torch.dim": lambda spec: len(spec.shape),
    "torch.len": lambda spec: spec.shape[0],
    "torch.numel": lambda spec: prod(spec.shape),
    "torch.is_floating_point": lambda spec: "F" in spec.dtype,
    "torch.is_complex": lambda spec: False,
    "ops.prim.dtype": _dtype,
    "ops.prim.device": lambda spec: "cpu",
    "ops.prim.type": lambda spec: "cpu",
    "ops.prim.layout": lambda spec: 0,
    "ops.prim.requires_grad": lambda spec: True,
    **{f"ops.prim.{name}": lambda spec: False for name in _NO},
}


def _frozen(value: Any, where: str) -> Argument:
    """Return an argument as a graph has it."""
    if isinstance(value, (list, tuple)):
        return tuple([_frozen(part, where) for part in value])
    if isinstance(value, (Module, Dotted)):
        raise Unsupported("an operation is given what is no value", where)
    return value  # type: ignore[no-any-return]
