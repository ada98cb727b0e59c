"""Weights with scales, in Burn's Q8S or Q4S, and biases as 32-bit integers."""

from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import InvalidTensor, Unsupported
from burnpack.qfloat import BLOCK_MOST, NATIVE, PACKED, QFloat
from burnpack.tensor import Tensor
from burnstore.graph.operations import Numbers
from burnstore.numerics.few_bits import Moments, least_square_scales
from burnstore.numerics.quantized import encode, parts
from burnstore.quantize.calibrate import Bytes
from burnstore.quantize.fit import Fit
from burnstore.quantize.rescale import LARGEST

PER = ("channel", "tensor")

_FEW_STEPS = 16  # with fewer, the largest weight is no measure for the others
_LEAST = -128  # which PyTorch's weights have, too
_BIAS_ROOM = LARGEST >> 1  # the largest bias that a scale is chosen for
_BEYOND = 1 << 62  # more than any bias
_INPUTS_MOST = 32767  # of a Linear: see `burnrt.checks.integers`
_SMALLEST, _LARGEST = 2.0**-126, float(np.finfo(np.float32).max)  # of a scale


class Kind(NamedTuple):
    """What weights are in integers. value: Burn's name of it. steps: of one, to each side."""

    value: str
    steps: int

    def product(self, given: Bytes) -> int:
        """Return the largest product of a number that comes in and a weight."""
        return given.most * (self.steps + 1)


KINDS = {8: Kind("Q8S", 127), 4: Kind("Q4S", 7)}  # by their bits


class Integers(NamedTuple):
    """tensor: of the weights, quantized. scales: of each output channel. bias: with all that the sums of
    weight × byte lack, in steps of scale × that of the bytes.
    """

    tensor: Tensor
    scales: Numbers
    bias: NDArray[np.int64]


def integers(
    name: str,
    weight: Numbers,
    bias: Numbers,
    given: Bytes,
    per: str,
    shape: tuple[int, ...],
    bits: int = 8,
    moments: Moments | None = None,
    kept: Numbers | None = None,
    fit: Fit | None = None,
) -> Integers:
    """Return the integers of a weight (outputs, ...) and a bias (outputs).

    given: what the bytes that come in stand for. per: "channel" for a scale for each output, or "tensor" for
    one. shape: of the tensor. bits: of a weight. moments: of the inputs, which weights of few bits are fitted
    to. kept: the scale of each output, where the weight is integers of 8 bits times them. fit: what other
    scales and the bias are fitted to. A scale is enlarged until the bias leaves room for all products, so
    that no sum of its channel can reach 2^30. Raises `InvalidTensor` where none is large enough,
    `Unsupported` for more inputs than there can be.
    """
    kind, rows = KINDS[bits], weight.reshape(len(bias), -1)
    most = (LARGEST - 1) // kind.product(given)
    if len(shape) == 2:  # of a Linear: a word for them has no more
        most = min(most, _INPUTS_MOST)
    if rows.shape[1] > most:
        what, expected = "more inputs than there can be", "at most %d" % most
        raise Unsupported(what, name, expected=expected, found=rows.shape[1])
    room = LARGEST - kind.product(given) * rows.shape[1]
    _check_finite(name, rows, bias)
    if kept is None or bits != 8 or not ((kept >= _SMALLEST) & (kept <= _LARGEST)).all():
        squares = moments.squares if moments is not None else None if fit is None else fit.squares
        wanted = _scales(rows, bias, given.scale, per, kind, squares)
    else:
        wanted, per = kept, "tensor" if (kept == kept[0]).all() else "channel"
    scheme = _scheme(shape, per, kind)
    while True:
        _check_scales(name, wanted)
        scales = wanted.astype(np.float32).astype(np.float64)
        fitted = rows if moments is None else moments.rounded(rows, scales, kind.steps)
        tensor = _quantized(name, fitted, scales, scheme, shape)
        found = parts(tensor).values.reshape(rows.shape).astype(np.int64)
        mended = bias if fit is None else bias - fit.shift(found * scales[:, None] - rows)
        steps = np.rint(mended / (given.scale * scales)).clip(-_BEYOND, _BEYOND)
        whole = steps.astype(np.int64) - given.zero_point * found.sum(1)
        beyond = np.abs(whole) >= room
        if not beyond.any():
            return Integers(tensor, scales, whole)
        wanted = np.where(beyond.any() if per == "tensor" else beyond, 2 * wanted, wanted)


def _scheme(shape: tuple[int, ...], per: str, kind: Kind) -> QFloat:
    """Return the scheme; of one scale a channel, a block is as much of a channel as an extent allows.

    What is smaller than a byte is packed along the dimension of the inputs.
    """
    store: str | tuple[str, int] = NATIVE if kind.value == "Q8S" else (PACKED[1], len(shape) - 2)
    if per == "tensor":
        return QFloat(kind.value, store, tensor="F32")
    extents = [_block_extent(extent) for extent in shape[1:]]
    while len(extents) > 1 and extents[0] == 1:  # what a block leaves out is 1
        del extents[0]
    return QFloat(kind.value, store, block=(tuple(extents), "F32"))


def _block_extent(extent: int) -> int:
    """Return the extent of blocks along a dimension: all, or a divisor unless that makes many blocks."""
    fewest = -(-extent // BLOCK_MOST)
    for blocks in range(fewest, 2 * fewest + 1):
        if extent % blocks == 0:
            return extent // blocks
    return -(-extent // fewest)


def _scales(
    rows: Numbers, bias: Numbers, given: float, per: str, kind: Kind, squares: Numbers | None
) -> Numbers:
    """Return the scales that weights and biases need, one for each output."""
    with np.errstate(over="ignore"):
        for_bias = np.abs(bias) / (given * _BIAS_ROOM)
    wanted = np.abs(rows).max(1, initial=0) / kind.steps
    if kind.steps < _FEW_STEPS or squares is not None:
        wanted = least_square_scales(rows, wanted, kind.steps, per, squares)
    scales = np.maximum(wanted, for_bias)
    if per == "tensor":
        scales[:] = scales.max()
    scales[scales == 0] = 1.0  # of a channel of zeros
    found: Numbers = np.maximum(scales, _SMALLEST)
    return found


def _check_finite(name: str, rows: Numbers, bias: Numbers) -> None:
    if not ((np.abs(rows) <= _LARGEST).all() and np.isfinite(bias).all()):
        raise InvalidTensor("too large, with what is folded into it, for a 32-bit float", name)


def _check_scales(name: str, scales: Numbers) -> None:
    wrong = np.flatnonzero(scales > _LARGEST)
    if len(wrong):
        what = "its bias is too large for integers, beside what comes in"
        raise InvalidTensor(what, f"{name}, output channel {wrong[0]}")


def _quantized(name: str, rows: Numbers, scales: Numbers, scheme: QFloat, shape: tuple[int, ...]) -> Tensor:
    grid = scheme.grid(shape) if scheme.block else (1,) * len(shape)
    used = scales if scheme.block else scales[:1]
    numbers = rows.reshape(shape).astype(np.float32)
    data = encode(numbers, scheme, used.repeat(prod(grid) // len(used)).reshape(grid))
    if scheme.value == "Q8S":
        steps = np.rint(rows / scales[:, None]).reshape(-1)
        data[: steps.size].view(np.int8)[steps == _LEAST] = _LEAST
    return Tensor(name, scheme, shape, data.data)
