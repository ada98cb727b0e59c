"""Quantized tensors: their parts in place, and the floats that they stand for.

    number = (tensor scale × block scale) × value

All three are binary32 and so is each product, the scales' first, as in Burn's CPU backend. Where there
is one level of scales, there is one product. On an interpreter whose floats are narrower than 32 bits
(object representation C: two bits less) a result is off by as much.

The kinds Q8F, Q8S, Q4F, Q4S, Q2F and Q2S are two's-complement integers; where such a one has a byte of
its own, it fills that byte, whatever its range. The others are small floats.
"""

import struct
import sys
from array import array

from burnpack.compat import const
from burnpack.dtype import count
from burnpack.errors import BurnpackError, InvalidTensor, LimitExceeded, Unsupported
from burnpack.half import decode_bf16, decode_f16
from burnpack.qfloat import MODES, SCALES
from burnpack.quantized_layout import Layout
from burnpack.small_float import decode_e2m1, decode_e4m3, decode_e5m2, decode_ue8m0
from burnpack.tensor import Tensor

if False:  # for type checkers
    from collections.abc import Callable, MutableSequence, Sequence

    from burnpack.qfloat import QFloat
    from burnpack.types import Buffer, Writable


_CHUNK = const(64)  # floats between a decoder and a buffer of bytes: enough to make starting cheap
# The values that are no integers.
_FLOATS = {"E5M2": decode_e5m2, "E4M3": decode_e4m3, "E2M1": decode_e2m1}


def _f32_at(view: "Buffer", index: int) -> float:
    return struct.unpack_from("<f", view, index * 4)[0]  # type: ignore[no-any-return]


def _f16_at(view: "Buffer", index: int) -> float:
    return decode_f16(view[2 * index] | view[2 * index + 1] << 8)


def _bf16_at(view: "Buffer", index: int) -> float:
    return decode_bf16(view[2 * index] | view[2 * index + 1] << 8)


def _ue8m0_at(view: "Buffer", index: int) -> float:
    return decode_ue8m0(view[index])


def _ue4m3_at(view: "Buffer", index: int) -> float:
    return decode_e4m3(view[index])


SCALE_AT: "dict[str, Callable[[memoryview, int], float]]" = {
    "F32": _f32_at,
    "F16": _f16_at,
    "BF16": _bf16_at,
    "UE8M0": _ue8m0_at,
    "UE4M3": _ue4m3_at,
}


class Quantized:
    """A quantized tensor's parts, and what is needed to decode them, made once.

    values: view of the values' bytes, as they are stored.
    scales: view of the bytes of the block scales, or of the one scale of the tensor.
    tensor_scale: the number that the block scales are relative to; None where there is one level.
    scale_count: how many scales there are.
    """

    values: memoryview
    scales: memoryview
    tensor_scale: float | None
    scale_count: int

    def __init__(self, scheme: "QFloat", shape: "Sequence[int]", data: "Buffer") -> None:
        """data: a buffer of scheme.nbytes(shape) bytes, kept and sliced, never copied."""
        self._count = count(shape)
        self._layout = Layout(scheme, shape)
        self._numbers = _numbers(scheme.value, self._layout.bits)
        self._split(scheme, shape, memoryview(data))
        self._row: "array[float] | None" = None  # the scales along a line, decoded
        self._row_at = -1

    def _split(self, scheme: "QFloat", shape: "Sequence[int]", view: memoryview) -> None:
        """Find the parts."""
        start = scheme.values_nbytes(shape)
        self.values = view[:start]
        self.tensor_scale = None
        dtype = scheme.tensor or "F32"
        self.scale_count = 1
        if scheme.block is not None:
            self.scale_count = count(scheme.grid(shape))
            end = start + self.scale_count * SCALES[scheme.block[1]]
            if scheme.tensor:
                self.tensor_scale = SCALE_AT[dtype](view[end:], 0)
                view = view[:end]
            dtype = scheme.block[1]
        self.scales = view[start:]
        self._scale_at = SCALE_AT[dtype]

    def fill_scales(self, floats: "MutableSequence[float]", start: int = 0) -> None:
        """Write into `floats` the scales from number `start` on, each with the tensor scale in it.

        floats: an array("f"), or of another type that rounds to binary32.
        """
        tensor_scale = self.tensor_scale
        for at in range(len(floats)):
            scale = self._scale_at(self.scales, start + at)
            floats[at] = scale if tensor_scale is None else tensor_scale * scale

    def fill(self, floats: "MutableSequence[float]", start: int = 0) -> None:
        """Write into `floats` the numbers from element `start` on, in row-major order.

        floats: an array("f") of any length up to what is left. Nothing is allocated but what an
        interpreter takes for each float. Raises `InvalidTensor` when there are not as many numbers.
        """
        if start < 0 or len(floats) > self._count - start:
            found = start + len(floats)
            raise InvalidTensor("more numbers than the tensor has", None, None, None, self._count, found)
        length = self._layout.length
        done = 0
        while done < len(floats):
            line = (start + done) // length
            column = (start + done) % length
            end = min(done + length - column, len(floats))
            self._fill_of_line(floats, done, end, line, column)
            done = end

    def _fill_of_line(
        self, floats: "MutableSequence[float]", done: int, end: int, line: int, column: int
    ) -> None:
        """Fill `floats` from `done` to `end` with the numbers of a line from `column` on."""
        layout = self._layout
        values = self.values
        numbers = self._numbers
        row = self._row_of(layout.scale_at(line))
        mask = (1 << layout.bits) - 1
        step = layout.step
        bit = layout.value_at(line) + column * step
        while done < end:
            scale = row[column // layout.block]
            stop = min(end, done + layout.block - column % layout.block)
            column += stop - done
            while done < stop:
                floats[done] = numbers[values[bit >> 3] >> (bit & 7) & mask] * scale
                bit += step
                done += 1

    def _row_of(self, first: int) -> "array[float]":
        """Return the scales along a line; neighbouring lines of a block share them."""
        if self._row_at != first:
            if self._row is None:
                self._row = zeros(self._layout.line_scales)
            self.fill_scales(self._row, first)
            self._row_at = first
        return self._row  # type: ignore[return-value] # which is there by now


def check(tensor: "Tensor") -> None:
    """Refuse a tensor that is not quantized, or whose scheme, shape and length do not fit together.

    Only the declared length is looked at: nothing is read, and nothing allocated.
    """
    scheme = tensor.dtype
    if isinstance(scheme, str):
        raise InvalidTensor("not a quantized tensor", tensor.name, None, None, None, scheme)
    if scheme.mode != MODES[0]:
        raise Unsupported("its table is not in the file", tensor.name, None, None, MODES[0], scheme.mode)
    try:
        expected = scheme.nbytes(tensor.shape)
    except BurnpackError as error:
        raise error.about(tensor.name, error.source)
    if tensor.nbytes != expected:
        raise InvalidTensor("wrong number of bytes", tensor.name, None, None, expected, tensor.nbytes)


def opened(tensor: "Tensor") -> "Quantized":
    """Return the `Quantized` of a tensor; its bytes are asked for once. Raises `BurnpackError`."""
    check(tensor)
    return Quantized(tensor.dtype, tensor.shape, tensor.data())  # type: ignore[arg-type] # that `check` took


def parts(tensor: "Tensor") -> tuple[memoryview, memoryview, float | None]:
    """Return (values, scales, tensor scale), see `Quantized`. Where the tensor is in memory, so are they."""
    found = opened(tensor)
    return found.values, found.scales, found.tensor_scale


def scales(tensor: "Tensor") -> "array[float]":
    """Return an array("f") of the scales of all blocks, row-major, each with the tensor scale in it."""
    found = opened(tensor)
    floats = zeros(found.scale_count)
    found.fill_scales(floats)
    return floats


def dequantize(tensor: "Tensor") -> "Tensor":
    """Return the same tensor as F32. It is checked now, and decoded whenever its bytes are asked for."""
    check(tensor)

    def data() -> "Buffer":
        try:
            buffer = _room(count(tensor.shape) * 4)
        except MemoryError:
            raise LimitExceeded("not enough memory for the floats", tensor.name)
        fill(buffer)
        return buffer

    def fill(buffer: "Writable") -> None:
        _write(opened(tensor), buffer)

    return Tensor(tensor.name, "F32", tensor.shape, data, tensor.param_id, None, fill)


def zeros(length: int) -> "array[float]":
    """Return an array("f") of this many zeros. Raises `LimitExceeded` where memory does not hold them."""
    try:
        return array("f", _room(4 * length))
    except MemoryError:
        raise LimitExceeded("not enough memory for the floats", None, None, None, None, length)


def _room(size: int) -> bytearray:
    if size > sys.maxsize // 4:
        raise MemoryError  # MicroPython takes larger numbers for no numbers
    return bytearray(size)


def _write(quantized: "Quantized", buffer: "Writable") -> None:
    """Fill `buffer` with the numbers as little-endian binary32."""
    floats = zeros(_CHUNK)
    total = len(buffer) // 4
    for start in range(0, total, _CHUNK):
        if total - start < _CHUNK:
            floats = zeros(total - start)
        quantized.fill(floats, start)
        for at in range(len(floats)):
            struct.pack_into("<f", buffer, (start + at) * 4, floats[at])


def _numbers(value: str, bits: int) -> "array[float] | array[int]":
    """Return an array of what each code of so many bits stands for."""
    codes = range(1 << bits)
    decode = _FLOATS.get(value)
    if decode is not None:
        return array("f", [decode(code) for code in codes])
    half = 1 << bits - 1
    return array("b", [code - (code & half) * 2 for code in codes])
