"""Operations whose arguments are not the function's: parts of values, other sizes, dtypes."""

import math
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import Unsupported
from burnstore.aten.building import Builder, Constant
from burnstore.aten.parts import part_of
from burnstore.aten.without_parameters import simple
from burnstore.classes.description import LayerOf
from burnstore.exported.graph import Node, Ref


def _slice(builder: Builder, node: Node) -> None:
    given: Any = node.arguments
    shape = builder.shape(given["self"])
    dim = given.get("dim", 0) % len(shape)
    start, stop, step = given.get("start"), given.get("end"), given.get("step", 1)
    stop = None if stop is None or stop >= shape[dim] else stop
    start = None if not start or start <= -shape[dim] else start
    if (start, stop, step) == (None, None, 1):
        builder.same(node, builder.value(given["self"]))
        return
    _part(builder, node, dim, slice(start, stop, None if step == 1 else step))


def _select(builder: Builder, node: Node) -> None:
    given: Any = node.arguments
    dim = given["dim"] % len(builder.shape(given["self"]))
    _part(builder, node, dim, given["index"])


def _part(builder: Builder, node: Node, dim: int, key: int | slice) -> None:
    everything = (slice(None),) * dim
    if isinstance(key, int) and len(builder.shape(node.arguments["self"])) == 1:
        row = part_of(builder, node, "row", (1,))  # an index of a row makes a number of it, not a value
        builder.call(row, "getitem", builder.value(node.arguments["self"]), (slice(key, key + 1 or None),))
        builder.reshape(node, builder.values[row.name])
        return
    builder.call(node, "getitem", builder.value(node.arguments["self"]), (*everything, key))


def _largest(builder: Builder, node: Node) -> None:
    """Add the largest or smallest along a dimension, and where they are if anybody asks for that."""
    given: Any = node.arguments
    name = "max" if ".max." in node.operation else "min"
    x = builder.value(given["self"])
    keep: dict[str, Any] = {"keepdim": True} if given.get("keepdim") else {}
    if node.outputs[1:] and node.outputs[1] in builder.reads:
        builder.call(node, name, x, given["dim"], **keep)
        return
    node.outputs = node.outputs[:1]
    builder.call(node, "a" + name, x, dim=given["dim"], **keep)


def _variance_and_mean(builder: Builder, node: Node) -> None:
    given: Any = node.arguments
    keywords = {key: given[key] for key in ("dim", "keepdim") if given.get(key) is not None}
    correction = given.get("correction")
    more: dict[str, Any] = {} if correction is None else {"correction": correction}
    name = "var" if ".var_mean." in node.operation else "std"
    both, x = node.outputs, builder.value(given["self"])
    for outputs, function, extra in ((both[:1], name, more), (both[1:], "mean", {})):
        builder.call(replace(node, outputs=outputs), function, x, **keywords, **extra)


def _resize(builder: Builder, node: Node) -> None:
    given: Any = node.arguments
    value = given.get("input", given.get("self"))
    rank = len(builder.shape(value)) - 2
    exact = "nearest-exact" if "exact" in node.operation else "nearest"
    mode = exact if "nearest" in node.operation else ("linear" if rank == 1 else "bilinear")
    keywords: dict[str, Any] = {"mode": mode}
    scales = given.get("scale_factors")
    if scales is None and "scales_h" in given and None not in (given["scales_h"], given.get("scales_w")):
        scales = given["scales_h"], given["scales_w"]
    if scales:
        keywords = {"scale_factor": simple(tuple(scales)), **keywords}
    else:
        size = given.get("output_size") or builder.graph.specs[node.outputs[0]].shape[2:]
        keywords = {"size": simple(tuple(size)), **keywords}
    if given.get("align_corners"):
        keywords["align_corners"] = True
    layer = LayerOf("Upsample", (), keywords)
    builder.call(node, "interpolate", builder.value(value), layer=layer, **keywords)


_WHOLE = ("U8", "I8", "I16", "I32", "I64", "U16", "U32", "U64", "Bool")


def _to(builder: Builder, node: Node) -> None:
    """Add what another dtype changes of the numbers: nothing, where both hold them."""
    given = node.arguments
    value = given["self"]
    x, target = builder.value(value), given.get("dtype")
    before = builder.graph.specs[value.name].dtype if isinstance(value, Ref) else "F32"
    if target == "Bool" and before != "Bool":
        builder.call(node, "ne", x, 0.0)
    elif target in _WHOLE and before not in _WHOLE:
        builder.call(node, "trunc", x)
    else:
        builder.same(node, x)


def _index(builder: Builder, node: Node) -> None:
    """Add numbers taken by indices that are known: along one dimension, or of numbers that are known, too."""
    given: Any = node.arguments
    found = [builder.value(each) for each in given["indices"]]
    places = [place for place, each in enumerate(found) if each is not None]
    if not all(isinstance(found[place], Constant) for place in places):
        raise Unsupported("takes numbers by indices that depend on an input", node.name, found=node.operation)
    x = builder.value(given["self"])
    if isinstance(x, Constant):
        keys = tuple(slice(None) if each is None else each.numbers().astype(np.int64) for each in found)
        builder.constant(node, x.numbers()[keys])
        return
    if len(places) != 1:
        what = "takes numbers by indices of several dimensions at once"
        raise Unsupported(what, node.name, found=node.operation)
    (dim,) = places
    _take(builder, node, dim, found[dim].numbers().astype(np.int64))


def _index_select(builder: Builder, node: Node) -> None:
    given: Any = node.arguments
    dim = given["dim"] % max(1, len(builder.shape(given["self"])))
    x, index = builder.value(given["self"]), builder.value(given["index"])
    if not isinstance(index, Constant):
        raise Unsupported("takes numbers by indices that depend on an input", node.name, found=node.operation)
    indices = index.numbers().astype(np.int64).reshape(-1)
    if isinstance(x, Constant):
        builder.constant(
            node, x.numbers().take(indices, dim).reshape(builder.graph.specs[node.outputs[0]].shape)
        )
        return
    _take(builder, node, dim, indices)


def _take(builder: Builder, node: Node, dim: int, indices: NDArray[np.int64]) -> None:
    """Add numbers taken along one dimension by indices, which count from the end where they are negative."""
    x, shape = builder.value(node.arguments["self"]), builder.shape(node.arguments["self"]) or (1,)
    indices = np.where(indices < 0, indices + shape[dim], indices)
    taken = part_of(builder, node, "taken", (*shape[:dim], indices.size, *shape[dim + 1 :]))
    builder.call(taken, "index_select", x, dim, tuple(indices.ravel().tolist()))
    builder.reshape(node, builder.values[taken.name])


def _attention(builder: Builder, node: Node) -> None:
    given = node.arguments
    names = ("query", "key", "value")
    found: dict[str, Any] = {
        name: given[name] for name in ("is_causal", "scale", "enable_gqa") if given.get(name)
    }
    mask = given.get("attn_mask")
    if isinstance(mask, Ref):
        found["attn_mask"] = _added(builder, node, mask)
    if given.get("dropout_p"):
        raise Unsupported("is exported with dropout: call net.eval() first", node.name, found=node.operation)
    builder.call(
        node, "scaled_dot_product_attention", *[builder.value(given[name]) for name in names], **found
    )


def _added(builder: Builder, node: Node, mask: Ref) -> Any:
    """Return a mask as what is added to scores; one of truths says what may be looked at."""
    if builder.graph.specs[mask.name].dtype != "Bool":
        return builder.value(mask)
    part = part_of(builder, node, "mask", builder.shape(mask))
    builder.call(part, "where", builder.value(mask), 0.0, -math.inf)
    return builder.values[part.name]


_LYING_OTHERWISE = frozenset("permute transpose t expand slice select split chunk unbind narrow".split())


def _as_strided(builder: Builder, node: Node) -> None:
    """Add another shape of a value, where strides say no more than that."""
    given: Any = node.arguments
    sizes, strides = given["size"], given["stride"]
    product = 1
    plain: list[int] = []
    for size in reversed(sizes):
        plain.insert(0, product)
        product *= size
    same = all(size == 1 or stride == own for size, stride, own in zip(sizes, strides, plain, strict=True))
    makers = [each for each in builder.graph.nodes if given["self"].name in each.outputs]
    lies = makers and makers[0].operation.split(".")[1] not in _LYING_OTHERWISE
    if not (
        same and lies and product == prod(builder.shape(given["self"])) and not given.get("storage_offset")
    ):
        raise Unsupported("takes numbers by strides of memory", node.name, found=node.operation)
    builder.reshape(node, builder.value(given["self"]))


def _nothing(builder: Builder, node: Node) -> None:
    """Add nothing: an assertion, which the exported shapes have met."""


def _dropout(builder: Builder, node: Node) -> None:
    given = node.arguments
    if given.get("train", False):
        raise Unsupported("is exported in training: call net.eval() first", node.name, found=node.operation)
    builder.same(node, builder.value(given.get("input", given.get("self"))))


def _truths(function: str) -> Any:
    """Return what adds whether any or all of some numbers are not 0."""

    def add(builder: Builder, node: Node) -> None:
        given: Any = node.arguments
        value, x = given["self"], builder.value(given["self"])
        if builder.graph.specs[value.name].dtype != "Bool":
            part = part_of(builder, node, "truth", builder.shape(value))
            builder.call(part, "ne", x, 0.0)
            x = builder.values[part.name]
        keywords = {key: given[key] for key in ("dim", "keepdim") if given.get(key) is not None}
        builder.call(node, function, x, **keywords)

    return add


HANDLERS = {
    "aten.as_strided.default": _as_strided,
    "aten.all.default": _truths("amin"),
    "aten.all.dim": _truths("amin"),
    "aten.any.default": _truths("amax"),
    "aten.any.dim": _truths("amax"),
    "aten.slice.Tensor": _slice,
    "aten.slice_copy.Tensor": _slice,
    "aten.select.int": _select,
    "aten.select_copy.int": _select,
    "aten.max.dim": _largest,
    "aten.min.dim": _largest,
    "aten.var_mean.correction": _variance_and_mean,
    "aten.std_mean.correction": _variance_and_mean,
    "aten.upsample_nearest1d.default": _resize,
    "aten.upsample_nearest2d.default": _resize,
    "aten.upsample_nearest2d.vec": _resize,
    "aten._upsample_nearest_exact2d.vec": _resize,
    "aten.upsample_bilinear2d.default": _resize,
    "aten.upsample_bilinear2d.vec": _resize,
    "aten.to.dtype": _to,
    "aten.type_as.default": _to,
    "aten.index.Tensor": _index,
    "aten.index_select.default": _index_select,
    "aten.scaled_dot_product_attention.default": _attention,
    "aten._assert_tensor_metadata.default": _nothing,
    "aten._assert_async.msg": _nothing,
    "aten._assert_scalar.default": _nothing,
    "aten.sym_constrain_range_for_size.default": _nothing,
    "aten.dropout.default": _dropout,
    "aten.feature_dropout.default": _dropout,
    "aten.alpha_dropout.default": _dropout,
}
