"""What each module of torch's is in Burn."""

from collections.abc import Callable, Iterator
from typing import Any

from burnpack.adapters.layers import other_name
from burnpack.adapters.split import GATES, PROJECTIONS
from burnpack.errors import Unsupported
from burnpack.module import Module, Param
from burnstore.pytorch.torch_modules.params import TorchParam

Part = Module | Param | list[Any]

_TORCH, _BURN = 1, 2  # columns of the table that `other_name` looks into

# torch's layers by the names of Burn's; other modules keep the names of their classes
_LAYERS = {
    **{name: name for name in ("Linear", "Embedding", "LayerNorm", "GroupNorm")},
    **{f"{stem}{rank}d": f"{stem}{rank}d" for stem in ("Conv", "ConvTranspose") for rank in (1, 2, 3)},
    **{f"{stem}Norm{rank}d": f"{stem}Norm" for stem in ("Batch", "Instance") for rank in (1, 2, 3)},
    "SyncBatchNorm": "BatchNorm",
    "RMSNorm": "RmsNorm",
    "PReLU": "PRelu",
}
_RECURRENT = {"LSTM": "Lstm", "GRU": "Gru", "RNN": "Rnn"}
_CELLS = {"LSTMCell": "LstmCell", "GRUCell": "GruCell", "RNNCell": "RnnCell"}
_LISTS = ("Sequential", "ModuleList", "ParameterList")
# What wraps a module and is no part of it: the attribute that holds the module.
_WRAPPERS = {"DataParallel": "module", "DistributedDataParallel": "module", "OptimizedModule": "_orig_mod"}
_COUNTER = "num_batches_tracked"  # of PyTorch's BatchNorm; Burn's does not count


class TorchPart(Module):
    """A module of torch's. entry: what it is in a container path."""

    def __init__(self, pairs: list[tuple[str, Part]], entry: str) -> None:
        self._pairs = pairs
        self._entry = entry

    def children(self) -> list[tuple[str, Any]]:
        return list(self._pairs)

    def container(self) -> str:
        return "Struct:" + self._entry


class Builder:
    """Makes parts of modules and tensors of torch's, one of each: what is tied there is tied here."""

    def __init__(self, contiguous: bool) -> None:
        self._contiguous = contiguous
        self._known: dict[tuple[int, str], Part] = {}

    def parts(self, module: Any) -> list[tuple[str, Part]]:
        """Return the parts of a module by name; those without parameters are left out."""
        module = unwrapped(module)
        layer = _layer(module)
        pairs: list[tuple[str, Part]] = []
        for name, tensor in _tensors(module):
            if name != _COUNTER:
                burn_name = other_name(name, f"Struct:{layer}", _TORCH, _BURN) or name
                pairs.append((burn_name, self.param(tensor, layer == "Linear" and name == "weight")))
        for name, child in module.named_children():
            part = self.part(child)
            if part is not None:
                pairs.append((name, part))
        return pairs

    def part(self, module: Any) -> Part | None:
        """Return what a module is in Burn, None if it has no parameters."""
        module = unwrapped(module)
        key = (id(module), "")
        if key not in self._known:
            made = self._made(module)
            if made is None:
                return None
            self._known[key] = made
        return self._known[key]

    def param(self, tensor: Any, turned: bool = False, rows: slice | None = None) -> Param:
        """Return a parameter: some of the rows of a tensor, turned if they are a Linear's weight."""
        key = (id(tensor), f"{turned} {rows}")
        if key not in self._known:
            view = tensor.detach()
            view = view if rows is None else view[rows]
            self._known[key] = TorchParam(view.t() if turned else view)
        return self._known[key]  # type: ignore[return-value]

    def _made(self, module: Any) -> Part | None:
        for names, make in self._special():
            if _class_of_torch(module, names):
                return make(module)
        pairs = self.parts(module)
        return TorchPart(pairs, class_name(module)) if pairs else None

    def _special(self) -> Iterator[tuple[tuple[str, ...], Callable[[Any], Part | None]]]:
        yield _LISTS, self._list
        yield ("MultiheadAttention",), self._attention
        yield tuple(_RECURRENT), self._recurrent
        yield tuple(_CELLS), self._cell

    def _list(self, module: Any) -> Part | None:
        tensors = [(name, self.param(tensor)) for name, tensor in _tensors(module)]
        pairs = tensors + [(name, self.part(child)) for name, child in module.named_children()]
        if not all(name.isdigit() for name, _ in pairs):  # a Sequential made of named layers
            named = [(name, part) for name, part in pairs if part is not None]
            return TorchPart(named, class_name(module)) if named else None
        parts = [part for _, part in pairs if part is not None]
        if not parts or self._contiguous:
            return parts or None
        return [part for _, part in pairs]

    def _attention(self, module: Any) -> Part:
        if module.bias_k is not None or module.add_zero_attn:
            raise Unsupported(
                "Burn's attention has neither add_bias_kv nor add_zero_attn", class_name(module)
            )
        size = module.embed_dim
        pairs: list[tuple[str, Part]] = []
        for number, name in enumerate(PROJECTIONS):
            rows = slice(number * size, (number + 1) * size)
            own = getattr(module, f"{name[0]}_proj_weight")
            weight = (
                self.param(own, True) if own is not None else self.param(module.in_proj_weight, True, rows)
            )
            inner: list[tuple[str, Part]] = [("weight", weight)]
            if module.in_proj_bias is not None:
                inner.append(("bias", self.param(module.in_proj_bias, False, rows)))
            pairs.append((name, TorchPart(inner, "Linear")))
        output = self.part(module.out_proj)
        assert output is not None  # it has a weight
        return TorchPart([*pairs, ("output", output)], "MultiHeadAttention")

    def _recurrent(self, module: Any) -> Part:
        if module.proj_size:
            raise Unsupported("Burn's recurrent layers have no proj_size", class_name(module))
        burn_name = _RECURRENT[_class_of_torch(module, tuple(_RECURRENT))]
        layers: list[Part] = []
        for number in range(module.num_layers):
            onwards = self._gates(module, f"_l{number}", burn_name)
            if not module.bidirectional:
                layers.append(onwards)
                continue
            backwards = self._gates(module, f"_l{number}_reverse", burn_name)
            layers.append(TorchPart([("forward", onwards), ("reverse", backwards)], "Bi" + burn_name))
        return layers[0] if len(layers) == 1 else layers

    def _cell(self, module: Any) -> Part:
        return self._gates(module, "", _CELLS[_class_of_torch(module, tuple(_CELLS))])

    def _gates(self, module: Any, ending: str, burn_name: str) -> TorchPart:
        pairs: list[tuple[str, Part]] = []
        for number, gate in enumerate(GATES["Struct:" + burn_name]):
            rows = slice(number * module.hidden_size, (number + 1) * module.hidden_size)
            transforms: list[tuple[str, Part]] = []
            for name, middle in (("input_transform", "ih"), ("hidden_transform", "hh")):
                weight = self.param(getattr(module, f"weight_{middle}{ending}"), True, rows)
                inner: list[tuple[str, Part]] = [("weight", weight)]
                if module.bias:
                    bias = getattr(module, f"bias_{middle}{ending}")
                    inner.append(("bias", self.param(bias, False, rows)))
                transforms.append((name, TorchPart(inner, "Linear")))
            pairs.append((gate, TorchPart(transforms, "GateController")))
        return TorchPart(pairs, burn_name)


def _tensors(module: Any) -> Iterator[tuple[str, Any]]:
    """Yield a module's own parameters, and those of its buffers that `state_dict` has."""
    yield from module.named_parameters(recurse=False, remove_duplicate=False)
    for name, tensor in module.named_buffers(recurse=False, remove_duplicate=False):
        if name not in module._non_persistent_buffers_set:
            yield name, tensor


def unwrapped(module: Any) -> Any:
    """Return the module that is within those which only wrap one."""
    attribute = _WRAPPERS.get(type(module).__name__)
    return module if attribute is None else unwrapped(getattr(module, attribute))


def _layer(module: Any) -> str:
    """Return Burn's name for a layer of torch's, or an empty text."""
    return _LAYERS.get(_class_of_torch(module, tuple(_LAYERS)), "")


def class_name(module: Any) -> str:
    module = unwrapped(module)
    return _layer(module) or type(module).__name__


def _class_of_torch(module: Any, names: tuple[str, ...]) -> str:
    """Return which of torch's own classes a module is one of, or an empty text."""
    for cls in type(module).__mro__:
        if cls.__name__ in names and is_torch(cls, cls.__name__):
            return cls.__name__
    return ""


def is_torch(cls: type, name: str) -> bool:
    return cls.__name__ == name and cls.__module__.startswith("torch.nn.")
