"""Operations that become several lines."""

from typing import Any

import numpy as np

from burnpack.errors import Unsupported
from burnstore.aten.building import Builder
from burnstore.aten.einsum import einsum
from burnstore.aten.parts import part_of
from burnstore.classes.description import LayerOf
from burnstore.exported.graph import Node


def _add_products(builder: Builder, node: Node) -> None:
    """Add what is added of a product, or of a quotient, of two values."""
    given: Any = node.arguments
    x, first, second = (builder.value(given[name]) for name in ("self", "tensor1", "tensor2"))
    shape = np.broadcast_shapes(builder.shape(given["tensor1"]), builder.shape(given["tensor2"]))
    product = part_of(builder, node, "product", shape)
    builder.call(product, "mul" if ".addcmul." in node.operation else "div", first, second)
    value = given.get("value", 1)
    builder.call(node, "add", x, builder.values[product.name], **({} if value == 1 else {"alpha": value}))


def _elu(builder: Builder, node: Node) -> None:
    """Add an elu, of which celu and selu are forms."""
    given: Any = node.arguments
    x, alpha = builder.value(given["self"]), given.get("alpha", 1)
    scale, inner = given.get("scale", 1), given.get("input_scale", 1)
    if inner != 1:
        if scale != 1 or abs(inner * alpha - 1) > 1e-6:
            raise Unsupported("an elu whose scales are no celu's", node.name, found=node.operation)
        builder.call(node, "celu", x, layer=LayerOf("CELU", (alpha,)), alpha=alpha)
        return
    if scale == 1:
        builder.call(node, "elu", x, layer=LayerOf("ELU", (alpha,)), alpha=alpha)
        return
    part = part_of(builder, node, "elu", builder.shape(given["self"]))
    builder.call(part, "elu", x, alpha=alpha)
    builder.call(node, "mul", builder.values[part.name], scale)


def _add_matrices(builder: Builder, node: Node) -> None:
    """Add a product of matrices that is added to something."""
    given: Any = node.arguments
    names = ("mat1", "mat2") if ".addmm." in node.operation else ("batch1", "batch2")
    first, second = (builder.value(given[name]) for name in names)
    shape = (*builder.shape(given[names[0]])[:-1], builder.shape(given[names[1]])[-1])
    product = part_of(builder, node, "product", shape)
    builder.call(product, "matmul", first, second)
    found, x = builder.values[product.name], builder.value(given["self"])
    alpha, beta = given.get("alpha", 1), given.get("beta", 1)
    if beta not in (0, 1):
        scaled = part_of(builder, node, "scaled", builder.shape(given["self"]))
        builder.call(scaled, "mul", x, beta)
        x = builder.values[scaled.name]
    if beta == 0:
        builder.call(node, "mul", found, alpha)
    else:
        builder.call(node, "add", x, found, **({} if alpha == 1 else {"alpha": alpha}))


def _cosine(builder: Builder, node: Node) -> None:
    """Add the cosine of the angle between two values along a dimension: the product of unit vectors."""
    given: Any = node.arguments
    shape = np.broadcast_shapes(builder.shape(given["x1"]), builder.shape(given["x2"]))
    dim = given.get("dim", 1) % len(shape)

    def step(name: str, sizes: tuple[int, ...], function: str, *given: Any, **keywords: Any) -> Any:
        part = part_of(builder, node, name, sizes)
        builder.call(part, function, *given, **keywords)
        return builder.values[part.name]

    norms = (*shape[:dim], 1, *shape[dim + 1 :])
    units = []
    for name in ("x1", "x2"):
        x = builder.value(given[name])
        if builder.shape(given[name]) != shape:
            x = step(name + ".expanded", shape, "expand", x, shape)
        norm = step(name + ".norm", norms, "norm", x, p=2, dim=dim, keepdim=True)
        norm = step(name + ".clamped", norms, "clamp", norm, min=given.get("eps", 1e-8))
        units.append(step(name + ".unit", shape, "div", x, norm))
    builder.call(node, "sum", step("product", shape, "mul", *units), dim=dim)


def _scatter(builder: Builder, node: Node) -> None:
    """Add a value with other numbers in a part of it, which is one piece of a dimension."""
    given: Any = node.arguments
    shape = builder.shape(given["self"])
    dim = given.get("dim", 0) % len(shape)
    x, source = builder.value(given["self"]), builder.value(given["src"])
    if "index" in given:
        start = given["index"] % shape[dim]
        stop, step = start + 1, 1
        row = part_of(builder, node, "row", (*shape[:dim], 1, *shape[dim + 1 :]))
        builder.reshape(row, source)
        source = builder.values[row.name]
    else:
        start, stop, step = slice(given.get("start"), given.get("end"), given.get("step", 1)).indices(
            shape[dim]
        )
    if step != 1:
        raise Unsupported("writes into every other part of a value", node.name, found=node.operation)
    pieces = [source]
    for name, first, last, at in (("before", 0, start, 0), ("behind", stop, shape[dim], len(pieces) + 1)):
        if first < last:
            piece = part_of(builder, node, name, (*shape[:dim], last - first, *shape[dim + 1 :]))
            builder.call(piece, "getitem", x, (*(slice(None),) * dim, slice(first, last)))
            pieces.insert(at, builder.values[piece.name])
    builder.call(node, "cat", tuple(pieces), dim=dim)


def _prelu_kernel(builder: Builder, node: Node) -> None:
    """Add a prelu whose alphas are broadcast: what is positive, and alpha times the rest."""
    given: Any = node.arguments
    x, alpha, shape = (
        builder.value(given["self"]),
        builder.value(given["weight"]),
        builder.shape(given["self"]),
    )
    found = []
    for name, bound in (("positive", "min"), ("negative", "max")):
        part = part_of(builder, node, name, shape)
        bounds: dict[str, Any] = {bound: 0.0}
        builder.call(part, "clamp", x, **bounds)
        found.append(builder.values[part.name])
    scaled = part_of(builder, node, "scaled", shape)
    builder.call(scaled, "mul", found[1], alpha)
    builder.call(node, "add", found[0], builder.values[scaled.name])


HANDLERS = {
    "aten._prelu_kernel.default": _prelu_kernel,
    "aten.addcdiv.default": _add_products,
    "aten.addcmul.default": _add_products,
    "aten.addmm.default": _add_matrices,
    "aten.baddbmm.default": _add_matrices,
    "aten.cosine_similarity.default": _cosine,
    "aten.einsum.default": einsum,
    "aten.elu.default": _elu,
    "aten.select_scatter.default": _scatter,
    "aten.slice_scatter.default": _scatter,
}
