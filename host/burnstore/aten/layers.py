"""Operations with parameters: the layers of `burnrt.nn`, or functions where the parameters are none's own."""

from typing import Any

from burnpack.errors import Unsupported
from burnstore.aten.building import Builder
from burnstore.aten.without_parameters import simple
from burnstore.classes.description import LayerOf
from burnstore.exported.graph import Node


def _linear(builder: Builder, node: Node) -> None:
    outputs, inputs = builder.shape(node.arguments["weight"])
    layer = LayerOf("Linear", (inputs, outputs), _bias(node))
    _with(builder, node, layer, "linear", ("weight", "bias"))


def _bias(node: Node) -> dict[str, Any]:
    return {} if node.arguments.get("bias") is not None else {"bias": False}


def _with(
    builder: Builder,
    node: Node,
    layer: LayerOf,
    function: str,
    parameters: tuple[str, ...],
    value: str = "input",
    **keywords: Any,
) -> None:
    """Add the call of a layer, or of the function where its parameters are not those of one module."""
    given = node.arguments
    path = builder.parameters_of(node, *parameters)
    x = builder.value(given[value])
    if path is not None and builder.layer(node, path, layer, x):
        return
    numbers = [builder.value(given.get(name)) for name in parameters]
    while numbers and numbers[-1] is None:
        numbers.pop()
    builder.call(node, function, x, *numbers, **keywords)


# Of a convolution and its function: arguments, with what they are by default.
_SETTINGS = {"stride": 1, "padding": 0, "dilation": 1, "groups": 1}
_TRANSPOSED = {"stride": 1, "padding": 0, "output_padding": 0, "groups": 1, "dilation": 1}


def _settings(node: Node, defaults: dict[str, Any]) -> dict[str, Any]:
    found = {key: simple(node.arguments.get(key, default)) for key, default in defaults.items()}
    return {key: value for key, value in found.items() if value not in (defaults[key], ())}


def _convolution(builder: Builder, node: Node) -> None:
    shape, settings = builder.shape(node.arguments["weight"]), _settings(node, _SETTINGS)
    groups = node.arguments.get("groups", 1)
    assert isinstance(groups, int)
    rank = len(shape) - 2
    sizes = (shape[1] * groups, shape[0], simple(shape[2:]))
    layer = LayerOf(f"Conv{rank}d", sizes, {**settings, **_bias(node)})
    _with(builder, node, layer, f"conv{rank}d", ("weight", "bias"), **settings)


def _transposed(builder: Builder, node: Node) -> None:
    shape, settings = builder.shape(node.arguments["weight"]), _settings(node, _TRANSPOSED)
    groups = node.arguments.get("groups", 1)
    assert isinstance(groups, int)
    rank = len(shape) - 2
    sizes = (shape[0], shape[1] * groups, simple(shape[2:]))
    layer = LayerOf(f"ConvTranspose{rank}d", sizes, {**settings, **_bias(node)})
    _with(builder, node, layer, f"conv_transpose{rank}d", ("weight", "bias"), **settings)


def _batch_norm(builder: Builder, node: Node) -> None:
    given = node.arguments
    if given.get("training") or given.get("running_mean") is None:
        what = "takes the batch's own statistics: export the network with net.eval(), and with running ones"
        raise Unsupported(what, node.name, found=node.operation)
    eps = _epsilon(node)
    keywords: dict[str, Any] = {**eps} if given.get("weight") is not None else {**eps, "affine": False}
    if given.get("weight") is not None and given.get("bias") is None:
        keywords["bias"] = False
    layer = LayerOf("BatchNorm", builder.shape(given["running_mean"]), keywords)
    names = ("running_mean", "running_var", "weight", "bias")
    _with(builder, node, layer, "batch_norm", names, **eps)


def _epsilon(node: Node, default: float | None = 1e-5) -> dict[str, Any]:
    eps = node.arguments.get("eps", default)
    return {} if eps == default else {"eps": eps}


def _layer_norm(builder: Builder, node: Node) -> None:
    shape = node.arguments["normalized_shape"]
    keywords = {**_epsilon(node), **(_bias(node) if node.arguments.get("weight") is not None else {})}
    _norm(builder, node, "LayerNorm", "layer_norm", shape, keywords, ("weight", "bias"))


def _rms_norm(builder: Builder, node: Node) -> None:
    shape = node.arguments["normalized_shape"]
    _norm(builder, node, "RmsNorm", "rms_norm", shape, _epsilon(node, None), ("weight",))


def _norm(
    builder: Builder,
    node: Node,
    kind: str,
    function: str,
    shape: Any,
    keywords: dict[str, Any],
    parameters: tuple[str, ...],
) -> None:
    given, eps = node.arguments, {key: value for key, value in keywords.items() if key == "eps"}
    size = simple(shape) if len(shape) == 1 else shape
    x = builder.value(given["input"])
    if all(given.get(name) is None for name in parameters):
        plain = LayerOf(kind, (size,), {**eps, "elementwise_affine": False})
        builder.call(node, function, x, shape, layer=plain, **eps)
        return
    path = builder.parameters_of(node, *parameters)
    if path is not None and builder.layer(node, path, LayerOf(kind, (size,), keywords), x):
        return
    builder.call(node, function, x, shape, *[builder.value(given.get(name)) for name in parameters], **eps)


def _group_norm(builder: Builder, node: Node) -> None:
    eps = _epsilon(node)
    given: Any = node.arguments
    groups, channels = given["num_groups"], builder.shape(given["input"])[1]
    x = builder.value(given["input"])
    if given.get("weight") is None and given.get("bias") is None:
        layer = LayerOf("GroupNorm", (groups, channels), {**eps, "affine": False})
        builder.call(node, "group_norm", x, groups, layer=layer, **eps)
        return
    layer = LayerOf("GroupNorm", (groups, channels), {**eps, **_bias(node)})
    path = builder.parameters_of(node, "weight", "bias")
    if path is None or not builder.layer(node, path, layer, x):
        numbers = [builder.value(given.get(name)) for name in ("weight", "bias")]
        builder.call(node, "group_norm", x, groups, *numbers, **eps)


def _instance_norm(builder: Builder, node: Node) -> None:
    given, eps = node.arguments, _epsilon(node)
    if not given.get("use_input_stats", True):
        names = ("running_mean", "running_var", "weight", "bias")
        numbers = [builder.value(given.get(name)) for name in names]
        builder.call(node, "batch_norm", builder.value(given["input"]), *numbers, **eps)
        return
    if given.get("of_batch") and builder.shape(given["input"])[0] != 1:
        what = "takes the statistics of a whole batch: export the network with net.eval()"
        raise Unsupported(what, node.name, found=node.operation)
    channels, x = builder.shape(given["input"])[1], builder.value(given["input"])
    if given.get("weight") is None and given.get("bias") is None:
        builder.call(node, "instance_norm", x, layer=LayerOf("InstanceNorm", (channels,), eps), **eps)
        return
    layer = LayerOf("InstanceNorm", (channels,), {**eps, "affine": True, **_bias(node)})
    path = builder.parameters_of(node, "weight", "bias")
    if path is None or not builder.layer(node, path, layer, x):
        named = {name: builder.value(given.get(name)) for name in ("weight", "bias")}
        builder.call(node, "instance_norm", x, **named, **eps)


def _prelu(builder: Builder, node: Node) -> None:
    shape = builder.shape(node.arguments["weight"])
    if len(shape) != 1:
        what = "an alpha for each channel is a row of numbers"
        raise Unsupported(what, node.name, expected="1 dimension", found=list(shape))
    (alphas,) = shape
    _with(builder, node, LayerOf("PRelu", (alphas,)), "prelu", ("weight",), value="self")


def _embedding(builder: Builder, node: Node) -> None:
    given = node.arguments
    layer = LayerOf("Embedding", builder.shape(given["weight"]))
    path = builder.parameters_of(node, "weight")
    x = builder.value(given["indices"])
    if path is None or not builder.layer(node, path, layer, x):
        builder.call(node, "embedding", x, builder.value(given["weight"]))


HANDLERS = {
    "aten.linear.default": _linear,
    "aten.conv1d.default": _convolution,
    "aten.conv1d.padding": _convolution,
    "aten.conv2d.default": _convolution,
    "aten.conv2d.padding": _convolution,
    "aten.conv_transpose1d.default": _transposed,
    "aten.conv_transpose2d.input": _transposed,
    "aten.batch_norm.default": _batch_norm,
    "aten.layer_norm.default": _layer_norm,
    "aten.rms_norm.default": _rms_norm,
    "aten.group_norm.default": _group_norm,
    "aten.instance_norm.default": _instance_norm,
    "aten.prelu.default": _prelu,
    "aten.embedding.default": _embedding,
}
