"""Which layer has parameters of these names and shapes."""

from collections.abc import Callable
from dataclasses import dataclass

from burnpack.adapters.split import GATES
from burnstore.classes.description import Given, LayerOf
from burnstore.classes.identifiers import is_layer

Shape = tuple[int, ...]
Shapes = dict[str, Shape]  # of a layer's parameters, by their own names

_EMBEDDED = ("emb", "wte", "wpe", "vocab", "token", "lookup")
_WIDENED = ("up", "deconv", "transpose", "tconv")
_RECURRENT = {4: "Lstm", 3: "Gru", 1: "Rnn"}
_CELLS = {4: "LSTMCell", 3: "GRUCell", 1: "RNNCell"}
_MANY = 8  # groups that a convolution is guessed to have where each channel is not by itself


@dataclass(frozen=True)
class Found:
    """A layer that is guessed. doubt: what else it may be, or what the shapes leave open."""

    layer: LayerOf
    doubt: str = ""


@dataclass(frozen=True)
class Place:
    """A module that has parameters. shapes: of all of them, by their names from here on.

    is_burns: whether the layout is Burn's. is_first: whether no layer is before it. channels: what the layer
    before it puts out, or 0.
    """

    path: str
    shapes: Shapes
    is_burns: bool
    is_first: bool = False
    channels: int = 0

    @property
    def name(self) -> str:
        """Its name, in lower case."""
        return self.path.rpartition(".")[2].lower()


def _layer(kind: str, *arguments: Given, **keywords: Given) -> LayerOf:
    return LayerOf(kind, arguments, keywords)


def _without_bias(has_bias: bool) -> dict[str, Given]:
    return {} if has_bias else {"bias": False}


def layer_at(place: Place) -> Found | None:
    """Return the layer that has such parameters, or None."""
    found = next(filter(None, (rule(place) for rule in _RULES)), None)
    return found if found is not None and is_layer(found.layer.kind) else None


def whole_layer_at(place: Place) -> Found | None:
    """Return the layer that is made of modules with such parameters, or None."""
    shapes = place.shapes
    stacked, names = shapes.get("in_proj_weight", ()), set(shapes)
    if len(stacked) == 2 and names <= {"in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"}:
        return _attention(stacked[1], "in_proj_bias" in shapes)
    if not place.is_burns:
        return None
    parts = {name.partition(".")[0] for name in shapes}
    query = shapes.get("query.weight", ())
    if parts == {"query", "key", "value", "output"} and len(query) == 2:
        return _attention(query[0], "query.bias" in shapes)
    for kind, gates in GATES.items():
        for name, before in ((kind, ""), (kind.replace(":", ":Bi"), "forward.")):
            if sizes := _of_gates(shapes, gates, before):
                bias = any(name.endswith("input_transform.bias") for name in shapes)
                return Found(_layer(name.partition(":")[2], *sizes, **_without_bias(bias)), "batch_first")
    return None


def _of_gates(shapes: Shapes, gates: tuple[str, ...], before: str) -> Shape:
    """Return the sizes of inputs and hidden states of such gates, () where others are there."""
    ways = (before, before.replace("forward", "reverse"))
    expected = {
        f"{way}{gate}.{part}_transform" for way in ways for gate in gates for part in ("input", "hidden")
    }
    is_all = {name.rpartition(".")[0] for name in shapes} == expected
    shape = shapes.get(f"{before}{gates[0]}.input_transform.weight", ())
    return shape if is_all and len(shape) == 2 else ()


def _attention(size: int, has_bias: bool) -> Found:
    heads = next(count for count in (8, 4, 2, 1) if size % count == 0)
    layer = _layer("MultiHeadAttention", size, heads, **_without_bias(has_bias))
    return Found(layer, "how many heads; batch_first")


def _recurrent(place: Place) -> Found | None:
    stacked = _stacked(place, "_l0")
    if stacked is None or stacked[0] not in _RECURRENT or "weight_hr_l0" in place.shapes:
        return None
    times, inputs, hidden = stacked
    count = sum(name.startswith("weight_ih_l") and not name.endswith("_reverse") for name in place.shapes)
    keywords = _without_bias("bias_ih_l0" in place.shapes)
    if count > 1:
        keywords["num_layers"] = count
    if "weight_ih_l0_reverse" in place.shapes:
        keywords["bidirectional"] = True
    doubt = "batch_first" if times > 1 else "batch_first; nonlinearity"
    return Found(_layer(_RECURRENT[times], inputs, hidden, **keywords), doubt)


def _cell(place: Place) -> Found | None:
    stacked = _stacked(place, "")
    if stacked is None or stacked[0] not in _CELLS:
        return None
    times, inputs, hidden = stacked
    return Found(_layer(_CELLS[times], inputs, hidden, **_without_bias("bias_ih" in place.shapes)))


def _stacked(place: Place, end: str) -> tuple[int, int, int] | None:
    """Return how many gates are stacked, and the sizes of inputs and hidden states."""
    first, hidden = place.shapes.get(f"weight_ih{end}", ()), place.shapes.get(f"weight_hh{end}", ())
    if len(first) != 2 or len(hidden) != 2 or not hidden[1] or first[0] % hidden[1]:
        return None
    return first[0] // hidden[1], first[1], hidden[1]


def _norm(place: Place) -> Found | None:
    """A norm has a number for each channel; one that has learned from batches, their statistics, too."""
    weight, bias = ("gamma", "beta") if "gamma" in place.shapes else ("weight", "bias")
    sizes = {len(shape) for shape in place.shapes.values()}
    names = set(place.shapes)
    statistics = {"running_mean", "running_var"}
    if statistics <= names <= {*statistics, weight, bias} and sizes == {1}:
        keywords: dict[str, Given] = {} if weight in names else {"affine": False}
        keywords |= _without_bias(bias in names or weight not in names)
        return Found(LayerOf("BatchNorm", place.shapes["running_mean"], keywords))
    if names == {weight, bias} and place.shapes[weight] == place.shapes[bias] and sizes == {1}:
        return _of_all(place, place.shapes[weight][0])
    if names == {"gamma"} and sizes == {1}:
        return Found(LayerOf("RmsNorm", place.shapes["gamma"]), "or a LayerNorm without bias")
    return None


def _of_all(place: Place, count: int) -> Found:
    """Return the norm whose parameters are a weight and a bias of as many numbers."""
    if "inst" in place.name:
        return Found(_layer("InstanceNorm", count, affine=True), f"or nn.LayerNorm({count})")
    if "group" in place.name or place.name.startswith("gn"):
        return Found(_layer("GroupNorm", 1, count), "how many groups")
    return Found(_layer("LayerNorm", count), f"or nn.GroupNorm(groups, {count})")


def _slope(place: Place) -> Found | None:
    """A weight alone, of one dimension, or Burn's alpha."""
    if set(place.shapes) not in ({"alpha"}, {"weight"}):
        return None
    ((name, shape),) = place.shapes.items()
    if len(shape) != 1:
        return None
    if name == "alpha":
        return Found(LayerOf("PRelu", shape))
    if shape == (1,) or "act" in place.name or "relu" in place.name:
        return Found(LayerOf("PRelu", shape), f"or nn.RmsNorm({shape[0]})")
    return Found(LayerOf("RmsNorm", shape), f"or nn.PRelu({shape[0]}), or a LayerNorm without bias")


def _linear(place: Place) -> Found | None:
    shape = _weight(place)
    if len(shape) != 2:
        return None
    outputs, inputs = reversed(shape) if place.is_burns else shape
    bias = place.shapes.get("bias")
    if bias is not None:
        return Found(_layer("Linear", inputs, outputs)) if bias == (outputs,) else None
    if place.is_first or any(word in place.path.lower() for word in _EMBEDDED):
        return Found(LayerOf("Embedding", shape), f"or nn.Linear({inputs}, {outputs}, bias=False)")
    embedding = f"or nn.Embedding({shape[0]}, {shape[1]})"
    return Found(_layer("Linear", inputs, outputs, bias=False), embedding)


def _convolution(place: Place) -> Found | None:
    shape, bias = _weight(place), place.shapes.get("bias")
    rank = len(shape) - 2
    if rank not in (1, 2, 3) or bias not in (None, shape[:1], shape[1:2]):
        return None
    keywords = _without_bias(bias is not None)
    kernel: Given = shape[2] if len(set(shape[2:])) == 1 else shape[2:]
    is_sure = bias is not None and shape[0] != shape[1]
    if bias == shape[1:2] if is_sure else any(word in place.name for word in _WIDENED):
        other = "" if is_sure else f"; or nn.Conv{rank}d"
        sizes = (shape[0], shape[1], kernel)
        return Found(LayerOf(f"ConvTranspose{rank}d", sizes, keywords), f"stride and padding{other}")
    groups = _groups(shape, place.channels)
    if groups > 1:
        keywords["groups"] = groups
    layer = LayerOf(f"Conv{rank}d", (shape[1] * groups, shape[0], kernel), keywords)
    return Found(layer, "stride, padding and groups" if groups > 1 else "stride and padding")


def _groups(shape: Shape, channels: int) -> int:
    """Return how many groups a convolution has, whose weight has few inputs for those that come in."""
    outputs, inputs = shape[:2]
    if outputs != channels or not inputs or channels % inputs:
        return 1
    groups = channels // inputs
    return groups if inputs == 1 or groups >= _MANY else 1


def _weight(place: Place) -> Shape:
    """Return the shape of a weight that stands alone or with a bias; () where others are with it."""
    return place.shapes.get("weight", ()) if set(place.shapes) <= {"weight", "bias"} else ()


_RULES: tuple[Callable[[Place], Found | None], ...] = (
    _recurrent,
    _cell,
    _norm,
    _slope,
    _linear,
    _convolution,
)
