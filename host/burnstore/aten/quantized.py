"""Numbers that PyTorch has quantized: weights in integers, and values that are rounded to what bytes can say.

An exported program of PT2E says for each value that is rounded which numbers it is rounded to. In floats that
is computed as it says.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import Unsupported
from burnstore.aten.building import Builder, Constant
from burnstore.exported.graph import Node, Ref, read_by

_FROM, _TO = "quantized_decomposed.dequantize_per_tensor", "quantized_decomposed.quantize_per_tensor"


def _weights(builder: Builder, node: Node) -> None:
    """Add the weights that integers stand for, as a parameter of the module that uses them."""
    names = ("input", "scales", "zero_points")
    numbers, scales, zeros = (_numbers(builder, node, name) for name in names)
    axis: Any = node.arguments["axis"]
    shape = [1] * numbers.ndim
    shape[axis] = -1
    found = (numbers - zeros.reshape(shape)) * scales.reshape(shape)
    builder.parameter(node.outputs[0], _path(builder, node), found)


def _weight(builder: Builder, node: Node) -> None:
    """Add numbers that integers stand for; those of a value that was rounded are its own."""
    value = builder.value(node.arguments["input"])
    if isinstance(value, Constant):
        scale, zero = (_numbers(builder, node, name) for name in ("scale", "zero_point"))
        builder.parameter(node.outputs[0], _path(builder, node), (value.numbers() - zero) * scale)
    else:
        builder.same(node, value)


def _path(builder: Builder, node: Node) -> str:
    """Return what the weights are called: as those of the module that uses them, and so is its bias.

    The file has both under other names.
    """
    readers = [each for each in builder.graph.nodes if each.arguments.get("weight") == Ref(node.outputs[0])]
    where = readers[0].places[-1].path if readers and readers[0].places else ""
    if not where:
        return "weight"
    bias = readers[0].arguments.get("bias")
    if isinstance(bias, Ref):
        found = builder.value(bias)
        if isinstance(found, Constant) and found.path != f"{where}.bias":
            builder.parameter(bias.name, f"{where}.bias", found.numbers())
    return f"{where}.weight"


def _numbers(builder: Builder, node: Node, name: str) -> NDArray[np.float32]:
    found = builder.value(node.arguments[name])
    if isinstance(found, Constant):
        return found.numbers()
    if isinstance(found, int | float):
        return np.asarray(found, np.float32)
    raise Unsupported("scales and zero points must be known", node.name, found=node.operation)


def _round(builder: Builder, node: Node) -> None:
    """Add the rounding of a value, whose readers take what the integers stand for."""
    for other in builder.graph.nodes:
        if node.outputs[0] in read_by((other,)) and not other.operation.startswith(_FROM):
            what = "integers that something else computes with than what takes them back to floats"
            raise Unsupported(what, other.name, found=other.operation)
    given = node.arguments
    scale, zero = (float(_numbers(builder, node, name)) for name in ("scale", "zero_point"))
    bounds = (given["quant_min"], given["quant_max"])
    x = builder.value(given["input"])
    builder.call(node, "fake_quantize_per_tensor_affine", x, scale, int(zero), *bounds)


HANDLERS = {
    "quantized_decomposed.dequantize_per_channel.default": _weights,
    **{f"{_FROM}.{overload}": _weight for overload in ("default", "tensor")},
    **{f"{_TO}.{overload}": _round for overload in ("default", "tensor")},
}
