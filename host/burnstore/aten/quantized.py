"""Numbers that PyTorch has quantized: weights in integers, and values that are rounded to what bytes can say.

An exported program of PT2E says for each value that is rounded which numbers it is rounded to. In floats that
is computed as it says. The scales of weights are kept beside their numbers, for who wants the integers again.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import Unsupported
from burnstore.aten.building import Builder, Constant
from burnstore.exported.graph import Node, Ref, read_by

_OF = "quantized_decomposed."
_FROM, _TO = f"{_OF}dequantize_per_tensor", f"{_OF}quantize_per_tensor"
_LEAST, _LARGEST = -128, 127  # of a signed byte


def _numbers_of(builder: Builder, node: Node) -> None:
    """Add the numbers that integers stand for; those of a value that was rounded are its own."""
    value = builder.value(node.arguments["input"])
    if not isinstance(value, Constant):
        builder.same(node, value)
        return
    scales, zeros = _steps(builder, node, value.shape)
    integers = value.numbers() - zeros
    fits = integers.size > 0 and integers.min() >= _LEAST and integers.max() <= _LARGEST
    with np.errstate(all="ignore"):
        found = (integers * scales).astype(np.float32)
    builder.parameter(node.outputs[0], _path(builder, node), found, np.asarray(scales) if fits else None)


def _path(builder: Builder, node: Node) -> str:
    """Return what a parameter is called: as those of the module that uses it, and so is its bias.

    The file has both under other names.
    """
    reader, own = _reader(builder, node.outputs[0])
    where = reader.places[-1].path if reader is not None and reader.places else ""
    if reader is None or not where:
        return own
    bias = reader.arguments.get("bias")
    if isinstance(bias, Ref):
        found = builder.values.get(bias.name)
        if isinstance(found, Constant) and found.path != f"{where}.bias":
            builder.parameter(bias.name, f"{where}.bias", found.numbers())
    return f"{where}.{own}"


def _reader(builder: Builder, value: str) -> tuple[Node | None, str]:
    """Return the operation that takes a value as a parameter, and as which."""
    for node in builder.graph.nodes:
        for own in ("weight", "bias"):
            if node.arguments.get(own) == Ref(value):
                return node, own
    return None, "weight"


def _steps(builder: Builder, node: Node, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """Return scales and zero points, in shapes that fit the numbers."""
    if "axis" not in node.arguments:
        scale, zero = (_one(builder, node, name) for name in ("scale", "zero_point"))
        return np.float32(scale), np.float32(zero)
    scales = _known(builder, node, "scales")
    zeros = np.zeros_like(scales)
    if node.arguments.get("zero_points") is not None:
        zeros = _known(builder, node, "zero_points")
    axis: Any = node.arguments["axis"]
    if (
        type(axis) is not int
        or not -len(shape) <= axis < len(shape)
        or not scales.shape == zeros.shape == (shape[axis],)
    ):
        found = f"{list(scales.shape)} and {list(zeros.shape)} along {axis} of {list(shape)}"
        raise Unsupported("not one scale and zero point for each index", node.name, found=found)
    fitting = [1] * len(shape)
    fitting[axis] = -1
    return scales.reshape(fitting), zeros.reshape(fitting)


def _one(builder: Builder, node: Node, name: str) -> float:
    found = _known(builder, node, name)
    if found.size != 1 or not np.isfinite(found).all():
        raise Unsupported(f"its {name} is no number", node.name, found=str(found.reshape(-1)[:4].tolist()))
    return float(found.reshape(()))


def _known(builder: Builder, node: Node, name: str) -> NDArray[np.float32]:
    found = builder.value(node.arguments[name])
    if isinstance(found, Constant):
        return found.numbers()
    if isinstance(found, int | float):
        return np.asarray(found, np.float32)
    raise Unsupported("scales and zero points must be known", node.name, found=node.operation)


def _integers_of(builder: Builder, node: Node) -> None:
    """Add the rounding of a value, whose readers take what the integers stand for; of constants, integers."""
    given = node.arguments
    x = builder.value(given["input"])
    least, largest = (int(_one(builder, node, name)) for name in ("quant_min", "quant_max"))
    if isinstance(x, Constant):
        scales, zeros = _steps(builder, node, x.shape)
        with np.errstate(all="ignore"):  # who reads them tells what is no number
            steps = np.rint(x.numbers() * (np.float32(1) / scales)) + zeros
        builder.constant(node, np.clip(steps, least, largest))
        return
    _check_read_back(builder, node)
    if "axis" in given:
        what = "a value with a scale for each channel: only weights have those"
        raise Unsupported(what, node.name, found=node.operation)
    scale, zero = (_one(builder, node, name) for name in ("scale", "zero_point"))
    builder.call(node, "fake_quantize_per_tensor_affine", x, scale, int(zero), least, largest)


def _check_read_back(builder: Builder, node: Node) -> None:
    """Refuse integers that something else computes with than what takes them back, by the same scale."""
    for other in builder.graph.nodes:
        if node.outputs[0] not in read_by((other,)):
            continue
        if not other.operation.startswith(_FROM):
            what = "integers that something else computes with than what takes them back to floats"
            raise Unsupported(what, other.name, found=other.operation)
        for name in ("scale", "zero_point"):
            found = [_one(builder, each, name) for each in (node, other)]
            if found[0] != found[1]:
                what = f"integers that are taken back by another {name} than they were made by"
                raise Unsupported(what, other.name, expected=found[0], found=found[1])


HANDLERS = {
    f"{_OF}dequantize_per_channel.default": _numbers_of,
    f"{_OF}quantize_per_channel.default": _integers_of,
    **{f"{_FROM}.{overload}": _numbers_of for overload in ("default", "tensor", "tensor2")},
    **{f"{_TO}.{overload}": _integers_of for overload in ("default", "tensor", "tensor2")},
}
