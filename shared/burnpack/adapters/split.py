"""What PyTorch stacks into one tensor and Burn keeps apart: attention's projections, recurrent layers' gates.

    PyTorch                              Burn
    in_proj_weight, in_proj_bias         query, key and value: weight, bias
    q_proj_weight (k, v alike)           query (key, value): weight
    out_proj.weight, out_proj.bias       output: weight, bias
    weight_ih_l0, bias_ih_l0             each gate's input_transform: weight, bias
    weight_hh_l0, bias_hh_l0             each gate's hidden_transform: weight, bias

A cell's names have no ending (weight_ih). Of several layers in one LSTM the n-th (..._ln) is Burn's n-th of
a list; of two directions, the one backwards (..._l0_reverse) is `reverse`, the other `forward`. Rows are only
cut and put together: whether a part is transposed is for other adapters to say.
"""

from burnpack.adapters.base import ModuleAdapter
from burnpack.checks import shape_text
from burnpack.context import Context
from burnpack.dtype import row
from burnpack.errors import InvalidTensor, LimitExceeded, Unsupported
from burnpack.limits import VIEW_REACH
from burnpack.tensor import Tensor

if False:  # for type checkers
    from collections.abc import Iterable, Sequence
    from typing import Any

    from burnpack.types import TensorAndContext, TensorSource


_ATTENTION = "Struct:MultiHeadAttention"
PROJECTIONS: tuple[str, ...] = ("query", "key", "value")
# layer: its gates, in the order in which PyTorch stacks them
GATES: dict[str, tuple[str, ...]] = {
    "Struct:Lstm": ("input_gate", "forget_gate", "cell_gate", "output_gate"),
    "Struct:Gru": ("reset_gate", "update_gate", "new_gate"),
    "Struct:Rnn": ("gate",),
}
GATES.update([(layer + "Cell", gates) for layer, gates in GATES.items()])
_BOTH_WAYS = ("Struct:BiLstm", "Struct:BiGru", "Struct:BiRnn")
_TRANSFORMS = {"input_transform": "ih", "hidden_transform": "hh"}


class SplitAdapter(ModuleAdapter):
    """An adapter that takes apart on loading, and puts together on saving, what PyTorch stacks.

    No layout is changed. `PyTorchToBurnAdapter` and `BurnToPyTorchAdapter` do this by themselves, besides the
    rest.
    """

    def adapt_source(self, source: "TensorSource", contexts: "Sequence[Context]") -> "TensorSource":
        """Return the source with what PyTorch stacks taken apart.

        source: an opened container.
        contexts: the `Context`s of the module's parameters.
        """
        return taken_apart(source, contexts)

    def adapt_collected(self, pairs: "list[TensorAndContext]") -> "list[TensorAndContext]":
        """Return (tensor, context) pairs with what PyTorch stacks put together."""
        return put_together(pairs)


class _Apart:
    """A source whose stacked tensors show as their parts. parts: {path: (stacked name, number, count)}."""

    def __init__(self, source: "TensorSource", parts: dict[str, tuple[str, int, int]]) -> None:
        self._source = source
        self._parts = parts

    def names(self) -> list[str]:
        """Return the names of the parts, and of all tensors but those that are used up by parts."""
        used: dict[str, list[bool]] = {}
        for whole, number, count in self._parts.values():
            used.setdefault(whole, [False] * count)[number] = True
        # A tensor with a part that nobody wants is still to be seen.
        rest = [name for name in self._source.names() if not all(used.get(name, (False,)))]
        return rest + list(self._parts)

    def __contains__(self, name: str) -> bool:
        return name in self._parts or name in self._source

    def tensor(self, name: str) -> "Tensor":
        """Return a tensor or a part of one; raises as the source does, and where there are no such parts."""
        if name not in self._parts:
            return self._source.tensor(name)
        whole, number, count = self._parts[name]
        return _part(self._source.tensor(whole), name, number, count)


def taken_apart(source: "TensorSource", contexts: "Iterable[Context]") -> "TensorSource":
    """Return a source that has, beside its own tensors, the parts that the parameters want."""
    parts = {}
    for context in contexts:
        if context.path in source:
            continue
        for place in places(context):
            if place[0] in source:
                parts[context.path] = place
                break
    return _Apart(source, parts) if parts else source


def put_together(pairs: "Iterable[TensorAndContext]") -> "list[TensorAndContext]":
    """Return (tensor, context) pairs with the parts that belong together as one tensor."""
    rest: "list[tuple[Tensor | None, Context]]" = []
    wholes: "dict[str, list[Tensor | None]]" = {}
    for tensor, context in pairs:
        found = places(context)
        if not found:
            rest.append((tensor, context))
            continue
        whole, number, count = found[0]
        if whole not in wholes:
            wholes[whole] = [None] * count
            rest.append((None, Context(whole, context.containers)))
        wholes[whole][number] = tensor
    return [(tensor or _whole(context.path, wholes[context.path]), context) for tensor, context in rest]


def places(context: "Context") -> list[tuple[str, int, int]]:
    """Return where PyTorch has a parameter: a list of (stacked name, number of the part, count of parts)."""
    segments = context.path.split(".")
    containers = list(context.containers)
    if len(containers) > len(segments):  # the path is told without variants
        containers = [container for container in containers if not container.startswith("Enum:")]
    if segments[-1] not in ("weight", "bias"):
        return []
    if len(segments) > 1 and containers[-2:-1] == [_ATTENTION]:
        return _attention_places(segments)
    if len(segments) > 2 and containers[-3] in GATES:
        return _gate_places(segments, containers)
    return []


def _attention_places(segments: list[str]) -> list[tuple[str, int, int]]:
    head, layer, name = segments[:-2], segments[-2], segments[-1]
    if layer == "output":
        return [(".".join(head + ["out_proj", name]), 0, 1)]
    if layer not in PROJECTIONS:
        return []
    found = [(".".join(head + ["in_proj_" + name]), PROJECTIONS.index(layer), 3)]
    if name == "weight":
        found.append((".".join(head + [layer[0] + "_proj_weight"]), 0, 1))
    return found


def _gate_places(segments: list[str], containers: list[str]) -> list[tuple[str, int, int]]:
    gates = GATES[containers[-3]]
    gate, transform, name = segments[-3:]
    if gate not in gates or transform not in _TRANSFORMS:
        return []
    stem = "%s_%s" % (name, _TRANSFORMS[transform])
    is_cell = containers[-3].endswith("Cell")
    heads = [(segments[:-3], "")] if is_cell else _heads(segments[:-3], containers[:-3])
    return [(".".join(head + [stem + ending]), gates.index(gate), len(gates)) for head, ending in heads]


def _heads(segments: list[str], containers: list[str]) -> list[tuple[list[str], str]]:
    """Return (segments, ending) for each way in which PyTorch names the parameters of a recurrent layer."""
    direction = ""
    if containers and containers[-1] in _BOTH_WAYS:
        direction = "_reverse" if segments[-1] == "reverse" else ""
        segments, containers = segments[:-1], containers[:-1]
    heads = [(segments, "_l0" + direction)]
    if containers and containers[-1] in ("Vec", "Tuple"):
        heads.append((segments[:-1], "_l%s%s" % (segments[-1], direction)))
    return heads


def _part(tensor: "Tensor", name: str, number: int, count: int) -> "Tensor":
    """Return the part of a tensor's rows; nothing is read."""
    if count == 1:
        return tensor.renamed(name)
    _check_rows(tensor)
    if tensor.shape[0] % count:
        expected, found = "a multiple of %d rows" % count, shape_text(tensor.shape)
        raise InvalidTensor("can't be taken apart", tensor.name, expected=expected, found=found)
    size = tensor.nbytes // count
    start = number * size
    end = start + size
    if end >= VIEW_REACH:
        what = "out of a view's reach on this processor"
        raise LimitExceeded(what, tensor.name, None, start, VIEW_REACH, end)

    def data() -> memoryview:
        return memoryview(tensor.data())[start:end]

    return Tensor(name, tensor.dtype, (tensor.shape[0] // count,) + tensor.shape[1:], data)


def _whole(name: str, parts: "list[Any]") -> "Tensor":
    """Return the parts stacked; nothing is read."""
    first: "Tensor" = parts[0]
    if len(parts) == 1:
        return first.renamed(name)
    if None in parts:
        what = "PyTorch stacks what is saved here in part only"
        raise InvalidTensor(what, name, None, None, len(parts), len(parts) - parts.count(None))
    for part in parts:
        _check_rows(part)
        if (part.dtype, part.shape[1:]) != (first.dtype, first.shape[1:]):
            what = "can't be stacked with %s" % first.name
            raise InvalidTensor(what, part.name, None, None, _kind_text(first), _kind_text(part))
    rows = sum([part.shape[0] for part in parts])

    def data() -> bytes:
        return b"".join([bytes(part.data()) for part in parts])

    return Tensor(name, first.dtype, (rows,) + first.shape[1:], data)


def _kind_text(tensor: "Tensor") -> str:
    return "%s %s" % (tensor.dtype, shape_text(tensor.shape))


def _check_rows(tensor: "Tensor") -> None:
    known = row(tensor.dtype) if isinstance(tensor.dtype, str) else None
    if known is None or known[1] % 8:
        raise Unsupported("rows of this dtype can't be cut or stacked", tensor.name, found=tensor.dtype)
    if not tensor.shape:
        raise InvalidTensor("has no rows to cut or stack", tensor.name)
