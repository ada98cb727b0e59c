"""Numbers into the bytes of a quantized tensor, as Burn's CPU backend computes them.

    scale = 2 × largest magnitude / (range's end - range's start), rounded up to the scale's dtype
    value = number × (1 / scale), rounded half away from zero, cut to the range

Each step is one of binary32. Of two levels the tensor scale comes first: the largest block scale over
the largest number of the block scales' dtype. Block scales are then divided by it, and what a number is
multiplied by is 1 / (tensor scale × block scale). A scale that rounds to 0, or is infinite as an F32,
becomes the smallest normal binary32, rounded up likewise. A NaN has no magnitude and becomes 0.

Rounded up, a scale keeps the largest number within the range. What was quantized as Q8S, Q4S or Q2S
with one level of F32 scales, dequantized and quantized again, has the same bytes; other schemes may
find another scale. Burn quantizes into whole blocks and unpacked stores alone, and reads the others.
"""

import math
import struct

from burnpack.dtype import count
from burnpack.errors import InvalidTensor, Unsupported
from burnpack.half import decode_bf16, decode_f16
from burnpack.qfloat import MODES, SCALES
from burnpack.quantized import Quantized, zeros
from burnpack.quantized_layout import Layout
from burnpack.small_float import decode_e4m3, decode_ue8m0

if False:  # for type checkers
    from array import array
    from collections.abc import Callable, MutableSequence, Sequence

    from burnpack.qfloat import QFloat
    from burnpack.types import Writable


# value kind: the range's start and end
RANGES: dict[str, tuple[int, int]] = {
    "Q8F": (-128, 127),
    "Q8S": (-127, 127),
    "Q4F": (-8, 7),
    "Q4S": (-7, 7),
    "Q2F": (-2, 1),
    "Q2S": (-1, 1),
}
# scale dtype narrower than F32: its decoder, the code of its largest number
NARROW: "dict[str, tuple[Callable[[int], float], int]]" = {
    "F16": (decode_f16, 0x7BFF),
    "BF16": (decode_bf16, 0x7F7F),
    "UE8M0": (decode_ue8m0, 0xFE),
    "UE4M3": (decode_e4m3, 0x7E),
}
# What block scales can be under a tensor scale, which would vanish over one that reaches further.
UNDER_A_TENSOR_SCALE: tuple[str, ...] = ("F16", "UE4M3")


def quantize(floats: "Sequence[float]", shape: "Sequence[int]", scheme: "QFloat") -> bytearray:
    """Return the bytes of a quantized tensor with the scales that fit its numbers.

    floats: binary32 numbers in row-major order, such as an array("f"), as many as the shape makes.
    Raises `Unsupported` for a scheme that Burn does not quantize into, `InvalidTensor` when the
    numbers, the shape and the scheme do not belong together.
    """
    check_writable(scheme)
    buffer = bytearray(scheme.nbytes(shape))
    _check_count(floats, shape)
    put_scales(fitting_scales(floats, shape, scheme), shape, scheme, buffer)
    put_values(floats, shape, scheme, buffer)
    return buffer


def check_writable(scheme: "QFloat") -> None:
    """Refuse a scheme that Burn does not quantize into."""
    if scheme.value not in RANGES or scheme.mode != MODES[0]:
        raise Unsupported("no rule to quantize so", None, None, None, "symmetric integers", scheme)
    if scheme.block and scheme.tensor:
        if scheme.tensor != "F32" or scheme.block[1] not in UNDER_A_TENSOR_SCALE:
            expected = "F32 over one of %s" % " ".join(UNDER_A_TENSOR_SCALE)
            raise Unsupported("no rule for these two levels of scales", None, None, None, expected, scheme)


def fitting_scales(floats: "Sequence[float]", shape: "Sequence[int]", scheme: "QFloat") -> "array[float]":
    """Return an array("f") of the exact scale of each block, or of the tensor, by largest magnitude."""
    layout = Layout(scheme, shape)
    found = zeros(count(scheme.grid(shape)) if scheme.block else 1)
    at = 0
    for line in range(layout.lines):
        first = layout.scale_at(line)
        for column in range(layout.length):
            number = abs(floats[at])
            at += 1
            if number > found[first + column // layout.block]:
                found[first + column // layout.block] = number
    start, end = RANGES[scheme.value]
    for block in range(len(found)):
        found[block] *= 2.0  # a step of its own: it may become infinite
        found[block] /= end - start
    return found


def put_scales(
    scales: "MutableSequence[float]", shape: "Sequence[int]", scheme: "QFloat", buffer: "Writable"
) -> None:
    """Write the scales, rounded up, into the bytes of a quantized tensor.

    scales: array("f") of the exact scale of each block, or of the tensor. They are changed when there
    are two levels: what is left is relative to the tensor scale.
    """
    at = scheme.values_nbytes(shape)
    dtype = scheme.block[1] if scheme.block else scheme.tensor or "F32"
    if scheme.block and scheme.tensor:
        decode, most = NARROW[dtype]
        peak = zeros(1)
        peak[0] = max(scales) / decode(most) if len(scales) else 0.0
        put_scale(peak[0], scheme.tensor, buffer, len(buffer) - SCALES[scheme.tensor])
        tensor_scale = struct.unpack_from("<f", buffer, len(buffer) - 4)[0]
        for block in range(len(scales)):
            scales[block] /= tensor_scale
    for scale in scales:
        put_scale(scale, dtype, buffer, at)
        at += SCALES[dtype]


def put_scale(scale: float, dtype: str, buffer: "Writable", at: int) -> None:
    """Write one scale, rounded up to its dtype, at byte `at`. It is written as a positive number."""
    smallest = math.ldexp(1.0, -126)
    if dtype == "F32":
        usable = 0.0 < scale < float("inf")
        struct.pack_into("<f", buffer, at, scale if usable else smallest)
        return
    decode, most = NARROW[dtype]
    code = _rounded_up(scale if scale == scale else smallest, decode, most)
    if decode(code) == 0.0:
        code = _rounded_up(smallest, decode, most)
    buffer[at] = code & 0xFF
    if SCALES[dtype] == 2:
        buffer[at + 1] = code >> 8


def put_values(
    floats: "Sequence[float]", shape: "Sequence[int]", scheme: "QFloat", buffer: "Writable"
) -> None:
    """Write the values into the bytes of a quantized tensor whose scales are there already.

    Bits of `buffer` that hold values must be 0. Raises `InvalidTensor` for a scale that is not positive.
    """
    check_writable(scheme)
    _check_count(floats, shape)
    layout = Layout(scheme, shape)
    inverses = _inverses(Quantized(scheme, shape, buffer))
    start, end = RANGES[scheme.value]
    exact = zeros(1)
    mask = (1 << layout.bits) - 1
    at = 0
    for line in range(layout.lines):
        first = layout.scale_at(line)
        bit = layout.value_at(line)
        for column in range(layout.length):
            exact[0] = floats[at] * inverses[first + column // layout.block]
            buffer[bit >> 3] |= (_nearest(exact[0], start, end) & mask) << (bit & 7)
            bit += layout.step
            at += 1


def _inverses(quantized: "Quantized") -> "array[float]":
    """Return an array("f") of what the numbers of each block are multiplied by."""
    found = zeros(quantized.scale_count)
    quantized.fill_scales(found)
    for block in range(len(found)):
        if not found[block] >= 0.0:
            raise InvalidTensor("a scale must be positive", None, None, None, None, found[block])
        # The product of two tiny scales may be 0.
        found[block] = 1.0 / found[block] if found[block] else float("inf")
    return found


def _check_count(floats: "Sequence[float]", shape: "Sequence[int]") -> None:
    if len(floats) != count(shape):
        raise InvalidTensor("as many numbers as the shape makes", None, None, None, count(shape), len(floats))


def _rounded_up(number: float, decode: "Callable[[int], float]", most: int) -> int:
    """Return the smallest code whose number is not below `number`, or `most`. Codes are in order."""
    low = 0
    high = most
    while low < high:
        middle = (low + high) // 2
        if decode(middle) < number:
            low = middle + 1
        else:
            high = middle
    return low


def _nearest(number: float, start: int, end: int) -> int:
    """Return the integer nearest to `number`, halves away from zero, cut to the range; 0 for a NaN."""
    if number != number:
        return 0
    if number <= start or number >= end:
        return end if number > 0 else start
    whole = int(number)
    rest = number - whole
    if rest >= 0.5:
        return whole + 1
    return whole - 1 if rest <= -0.5 else whole
