"""Einstein's sums of two values: a product of matrices, with what is around it."""

from typing import Any

from burnpack.errors import Unsupported
from burnstore.aten.building import Builder
from burnstore.aten.parts import part_of
from burnstore.exported.graph import Node


def einsum(builder: Builder, node: Node) -> None:
    """Add the sum that an equation says, of two values that each have a letter once."""
    given: Any = node.arguments
    letters, out = _terms(node, given["equation"].replace(" ", ""), len(given["tensors"]))
    sizes: dict[str, int] = {}
    for term, tensor in zip(letters, given["tensors"], strict=True):
        sizes.update(zip(term, builder.shape(tensor), strict=True))
    first, second = letters
    batch = [each for each in first if each in second and each in out]
    summed = [each for each in first if each in second and each not in out]
    rows = [each for each in first if each not in second]
    columns = [each for each in second if each not in first]
    if any(each not in out for each in rows + columns):
        raise _refusal(node, given["equation"])

    def count(names: list[str]) -> int:
        product = 1
        for name in names:
            product *= sizes[name]
        return product

    shapes = (count(batch), count(rows), count(summed)), (count(batch), count(summed), count(columns))
    orders = batch + rows + summed, batch + summed + columns
    factors = []
    for place, (tensor, order, shape) in enumerate(zip(given["tensors"], orders, shapes, strict=True)):
        dims = tuple(letters[place].index(each) for each in order)
        turned = part_of(builder, node, f"turned{place}", tuple(sizes[each] for each in order))
        _permute(builder, turned, builder.value(tensor), dims)
        matrices = part_of(builder, node, f"matrices{place}", shape)
        builder.reshape(matrices, builder.values[turned.name])
        factors.append(builder.values[matrices.name])
    product = part_of(builder, node, "product", (shapes[0][0], shapes[0][1], shapes[1][2]))
    builder.call(product, "matmul", *factors)
    order = batch + rows + columns
    whole = part_of(builder, node, "whole", tuple(sizes[each] for each in order))
    builder.reshape(whole, builder.values[product.name])
    _permute(builder, node, builder.values[whole.name], tuple(order.index(each) for each in out))


def _permute(builder: Builder, node: Node, value: Any, dims: tuple[int, ...]) -> None:
    if dims == tuple(range(len(dims))):
        builder.same(node, value)
    else:
        builder.call(node, "permute", value, dims)


def _terms(node: Node, equation: str, count: int) -> tuple[list[str], str]:
    """Return the letters of the two values, and of the answer. Raises `Unsupported` for other equations."""
    left, arrow, out = equation.partition("->")
    letters = left.split(",")
    every = [*letters, out]
    known = all(term.isalpha() and len(set(term)) == len(term) for term in every if term)
    if not arrow or count != 2 or len(letters) != 2 or not known or not set(out) <= set(left):
        raise _refusal(node, equation)
    return letters, out


def _refusal(node: Node, equation: str) -> Unsupported:
    what = "only sums of two values are computed, of which each has a letter once"
    return Unsupported(what, node.name, found=equation)
