"""What layers make: convolutions, pools, products of matrices, recurrent layers."""

from typing import Any

from burnstore.exported.graph import Spec
from burnstore.exported.script.shapes import Call, Shape, broadcast, rule


def _each(value: Any, rank: int, default: int) -> Shape:
    """Return a setting for each dimension: one may be given for all."""
    found = (default,) if value is None or value == () else (value,) if type(value) is int else tuple(value)
    return found * rank if len(found) == 1 else found


def _windows(
    extents: Shape, size: Shape, stride: Shape, padding: Shape, dilation: Shape, is_ceil: bool
) -> Shape:
    found = []
    for extent, width, step, pad, wide in zip(extents, size, stride, padding, dilation, strict=True):
        span = extent + 2 * pad - wide * (width - 1) - 1
        count = span // step + 1
        if is_ceil and span % step and count * step < extent + pad:
            count += 1
        found.append(count)
    return tuple(found)


@rule("conv1d conv2d conv3d convolution _convolution _convolution_mode conv_transpose1d conv_transpose2d")
def _convolution(call: Call) -> list[Spec]:
    shape, weight = call.first.shape, call.shape(call["weight"])
    rank = len(weight) - 2
    stride, dilation = (_each(call[name], rank, 1) for name in ("stride", "dilation"))
    extents, size = shape[len(shape) - rank :], weight[2:]
    outer = shape[: len(shape) - rank - 1]
    if call["padding"] == "same":
        return [Spec(call.first.dtype, (*outer, weight[0], *extents))]
    padding = _each(None if call["padding"] == "valid" else call["padding"], rank, 0)
    if call["transposed"]:
        added = _each(call["output_padding"], rank, 0)
        parts = zip(extents, size, stride, padding, dilation, added, strict=True)
        wide = [(e - 1) * s - 2 * p + d * (k - 1) + a + 1 for e, k, s, p, d, a in parts]
        return [Spec(call.first.dtype, (*outer, weight[1] * call.get("groups", 1), *wide))]
    found = _windows(extents, size, stride, padding, dilation, False)
    return [Spec(call.first.dtype, (*outer, weight[0], *found))]


@rule("max_pool1d max_pool2d avg_pool1d avg_pool2d max_pool2d_with_indices")
def _pool(call: Call) -> list[Spec]:
    shape = call.first.shape
    rank = 1 if len(_each(call["kernel_size"], 1, 1)) == 1 and len(shape) < 4 else 2
    size = _each(call["kernel_size"], rank, 1)
    stride = size if call["stride"] in (None, ()) else _each(call["stride"], rank, 1)
    padding, dilation = _each(call["padding"], rank, 0), _each(call["dilation"], rank, 1)
    found = _windows(shape[-rank:], size, stride, padding, dilation, bool(call["ceil_mode"]))
    return [Spec(call.first.dtype, (*shape[:-rank], *found))]


@rule("adaptive_avg_pool1d adaptive_avg_pool2d _adaptive_avg_pool2d")
def _adaptive(call: Call) -> list[Spec]:
    shape, size = call.first.shape, call["output_size"]
    return [Spec(call.first.dtype, (*shape[: -len(size)], *size))]


@rule("adaptive_max_pool1d adaptive_max_pool2d")
def _adaptive_max(call: Call) -> list[Spec]:
    (values,) = _adaptive(call)
    return [values, Spec("I64", values.shape)]


@rule("upsample_nearest1d upsample_nearest2d upsample_linear1d upsample_bilinear2d upsample_bicubic2d")
def _resized(call: Call) -> list[Spec]:
    shape, size = call.first.shape, call["output_size"]
    if size is None:
        scales = call["scale_factors"]
        size = [int(extent * scale) for extent, scale in zip(shape[-len(scales) :], scales, strict=True)]
    return [Spec(call.first.dtype, (*shape[: -len(size)], *size))]


@rule("linear")
def _linear(call: Call) -> list[Spec]:
    shape, weight = call.first.shape, call.shape(call["weight"])
    if shape[-1] != weight[-1]:
        raise ValueError(f"shapes that do not fit: {shape} and {weight}")
    return [Spec(call.first.dtype, (*shape[:-1], *weight[:-1]))]


def _product(first: Shape, second: Shape) -> Shape:
    left = first if len(first) > 1 else (1, *first)
    right = second if len(second) > 1 else (*second, 1)
    if left[-1] != right[-2]:
        raise ValueError(f"shapes that do not fit: {first} and {second}")
    rows = left[-2:-1] if len(first) > 1 else ()
    columns = right[-1:] if len(second) > 1 else ()
    return (*broadcast(left[:-2], right[:-2]), *rows, *columns)


@rule("matmul mm bmm")
def _matmul(call: Call) -> list[Spec]:
    first, second = (call.shape(value) for value in list(call.arguments.values())[:2])
    return [Spec(call.first.dtype, _product(first, second))]


@rule("addmm baddbmm")
def _added(call: Call) -> list[Spec]:
    first, second = (call.shape(value) for value in list(call.arguments.values())[1:3])
    return [Spec(call.first.dtype, _product(first, second))]


@rule("embedding")
def _embedding(call: Call) -> list[Spec]:
    return [Spec(call.first.dtype, (*call.shape(call["indices"]), call.first.shape[1]))]


@rule("scaled_dot_product_attention")
def _attention(call: Call) -> list[Spec]:
    query, value = call.first.shape, call.shape(call["value"])
    return [Spec(call.first.dtype, (*query[:-1], value[-1]))]


@rule("gru rnn_tanh rnn_relu")
def _recurrent(call: Call) -> list[Spec]:
    shape, state = call.first.shape, call.shape(call["hx"])
    width = state[-1] * (2 if call["bidirectional"] else 1)
    return [Spec(call.first.dtype, (*shape[:-1], width)), Spec(call.first.dtype, state)]


@rule("lstm")
def _lstm(call: Call) -> list[Spec]:
    shape, state, cell = call.first.shape, *(call.shape(value) for value in call["hx"])
    projected = state[-1] * (2 if call["bidirectional"] else 1)
    dtype = call.first.dtype
    return [Spec(dtype, (*shape[:-1], projected)), Spec(dtype, state), Spec(dtype, cell)]


@rule("gru_cell rnn_tanh_cell rnn_relu_cell")
def _cell(call: Call) -> list[Spec]:
    return [call.spec(call["hx"])]


@rule("lstm_cell")
def _lstm_cell(call: Call) -> list[Spec]:
    return [call.spec(value) for value in call["hx"]]
