"""Quantized tensors with numpy: what burnpack.quantized and burnpack.quantized_writer do, bit for bit."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
from numpy.typing import ArrayLike, NDArray

from burnpack import quantized as portable
from burnpack.errors import InvalidTensor, LimitExceeded, Unsupported
from burnpack.qfloat import VALUES, QFloat
from burnpack.quantized_writer import NARROW, RANGES, check_writable
from burnpack.tensor import Tensor
from burnstore.numerics.packed import packed, unpacked

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]

_SMALL_FLOATS = {
    "E5M2": ml_dtypes.float8_e5m2,
    "E4M3": ml_dtypes.float8_e4m3fn,
    "E2M1": ml_dtypes.float4_e2m1fn,
}
# Scale dtype: its codes in a file, and what they are to numpy.
_SCALES = {
    "F32": ("<u4", np.float32),
    "F16": ("<u2", np.float16),
    "BF16": ("<u2", ml_dtypes.bfloat16),
    "UE8M0": ("u1", ml_dtypes.float8_e8m0fnu),
    "UE4M3": ("u1", ml_dtypes.float8_e4m3fn),
}
_SMALLEST = np.float32(2.0**-126)  # normal binary32


class Parts(NamedTuple):
    """What a quantized tensor is made of.

    values: int8, or float32 for the kinds of small floats, of the tensor's shape. Where integers are
        stored unpacked, it is a view of the tensor's bytes.
    scales: float32, one for each block along each dimension, with the tensor scale in it.
    """

    values: NDArray[Any]
    scales: Floats


def parts(tensor: Tensor) -> Parts:
    """Return the values, unpacked, and the scales.

    Raises `InvalidTensor` for bytes of another length, `Unsupported` for what numpy can't hold.
    """
    values, scales, tensor_scale = portable.parts(tensor)
    scheme = _scheme(tensor)
    found = _decoded(np.frombuffer(scales, np.uint8), _scale_dtype(scheme))
    if tensor_scale is not None:
        with np.errstate(all="ignore"):
            found = np.float32(tensor_scale) * found
    with held_by_numpy(tensor.name):
        return Parts(
            _values(np.frombuffer(values, np.uint8), scheme, tensor.shape),
            found.reshape(_grid(scheme, tensor.shape)),
        )


def dequantize(tensor: Tensor) -> Floats:
    """Return the numbers that a quantized tensor stands for."""
    values, scales = parts(tensor)
    with held_by_numpy(tensor.name), np.errstate(all="ignore"):  # infinities and NaNs take their course
        numbers: Floats = values.astype(np.float32)
        numbers *= _spread(scales, _scheme(tensor), tensor.shape)
        return numbers


@contextmanager
def held_by_numpy(name: str) -> Iterator[None]:
    """Turn what numpy raises for an array that it can't hold into an error on the tensor called `name`."""
    try:
        yield
    except ValueError as error:  # extents beside a 0 may be larger than it allows
        raise Unsupported(f"numpy has no such array: {error}", name) from None
    except MemoryError:
        raise LimitExceeded("not enough memory for the array", name) from None


def quantized_tensor(name: str, array: ArrayLike, scheme: QFloat, param_id: int | None = None) -> Tensor:
    """Return the tensor that `quantize` makes of an array, each time its bytes are asked for."""
    check_writable(scheme)
    return Tensor(name, scheme, np.shape(array), lambda: quantize(array, scheme).data, param_id)


def quantize(array: ArrayLike, scheme: QFloat) -> Bytes:
    """Return the bytes of a quantized tensor with the scales that fit its numbers, as Burn chooses them."""
    return encode(array, scheme, fitting_scales(array, scheme))


def fitting_scales(array: ArrayLike, scheme: QFloat) -> Floats:
    """Return the exact scale of each block along each dimension, by the largest magnitude in it."""
    check_writable(scheme)
    numbers = np.asarray(array, np.float32)
    grid = _grid(scheme, numbers.shape)
    if not numbers.size:
        return np.zeros(grid, np.float32)
    found: Floats = np.where(np.isnan(numbers), np.float32(0), np.abs(numbers))
    for axis, (extent, size) in enumerate(zip(numbers.shape, _sizes(scheme, numbers.shape), strict=True)):
        if size > 1:
            found = np.maximum.reduceat(found, np.arange(0, extent, size), axis)
    start, end = RANGES[scheme.value]
    with np.errstate(all="ignore"):
        return np.float32(2) * found / np.float32(end - start)


def encode(array: ArrayLike, scheme: QFloat, scales: ArrayLike) -> Bytes:
    """Return the bytes of a quantized tensor with these scales, which are rounded up to their dtype.

    scales: exact, one for each block along each dimension, as `fitting_scales` returns them. Of a
        scheme of two levels, the tensor scale follows from them.
    """
    check_writable(scheme)
    numbers, wanted = np.asarray(array, np.float32), np.asarray(scales, np.float32)
    if wanted.shape != _grid(scheme, numbers.shape):
        expected = _grid(scheme, numbers.shape)
        raise InvalidTensor("as many scales as there are blocks", expected=expected, found=wanted.shape)
    with np.errstate(all="ignore"):
        used, stored = _stored_scales(wanted, scheme)
        exact = numbers * _spread(np.float32(1) / used, scheme, numbers.shape)
    codes = _nearest(exact, RANGES[scheme.value]).view(np.uint8)
    return np.concatenate([packed(codes, scheme), *stored])


def _stored_scales(wanted: Floats, scheme: QFloat) -> tuple[Floats, list[Bytes]]:
    """Return what the numbers are to be divided by, and the bytes of the scales."""
    dtype = _scale_dtype(scheme)
    if not (scheme.block and scheme.tensor):
        stored = _encoded(wanted, dtype)
        return _decoded(stored, dtype).reshape(wanted.shape), [stored]
    peak = np.max(wanted, initial=0) / _numbers(dtype)[-1]
    outer = _encoded(np.reshape(peak, 1), scheme.tensor)
    factor = _decoded(outer, scheme.tensor)
    stored = _encoded(wanted / factor, dtype)
    return factor * _decoded(stored, dtype).reshape(wanted.shape), [stored, outer]


def _nearest(exact: Floats, limits: tuple[int, int]) -> NDArray[np.int8]:
    """Return the nearest integers within the limits, halves away from zero, and 0 for a NaN."""
    exact = np.clip(exact, *limits)
    exact = np.where(np.isnan(exact), np.float32(0), exact)
    whole = np.trunc(exact)
    rest = exact - whole
    whole += rest >= 0.5
    whole -= rest <= -0.5
    return whole.astype(np.int8)


def _values(data: Bytes, scheme: QFloat, shape: tuple[int, ...]) -> NDArray[Any]:
    codes = unpacked(data, scheme, shape)
    small = _SMALL_FLOATS.get(scheme.value)
    if small is not None:
        used = codes & np.uint8((1 << VALUES[scheme.value]) - 1)
        return np.asarray(used.view(small), np.float32)
    if scheme.packing()[1] == 1:
        return codes.view(np.int8)  # a value that has a byte of its own fills it, whatever its range
    unused = 8 - VALUES[scheme.value]
    return (codes << unused).view(np.int8) >> unused


def _decoded(stored: Bytes, dtype: str) -> Floats:
    codes, known_as = _SCALES[dtype]
    native = np.frombuffer(stored.data, codes).astype(np.dtype(codes).newbyteorder("="))
    return np.asarray(native.view(known_as), np.float32)


def _encoded(scales: Floats, dtype: str) -> Bytes:
    """Return the bytes of these scales, each rounded up to its dtype."""
    codes, _ = _SCALES[dtype]
    wanted = scales.reshape(-1)
    if dtype == "F32":
        wanted = np.where((wanted > 0) & (wanted < np.inf), wanted, _SMALLEST)
        return wanted.astype("<f4").view(np.uint8)
    numbers = _numbers(dtype)
    found = _rounded_up(np.where(np.isnan(wanted), _SMALLEST, wanted), numbers)
    found = np.where(numbers[found] > 0, found, _rounded_up(_SMALLEST, numbers))
    return found.astype(codes).view(np.uint8)


def _rounded_up(wanted: Any, numbers: Floats) -> NDArray[np.intp]:
    """Return the place of the smallest number that is not below each wanted one, or of the last."""
    return np.asarray(np.searchsorted(numbers, wanted)).clip(max=len(numbers) - 1)


@cache
def _numbers(dtype: str) -> Floats:
    """Return all numbers of a narrow scale dtype, in the order of their codes."""
    codes, _ = _SCALES[dtype]
    return _decoded(np.arange(NARROW[dtype][1] + 1, dtype=codes).view(np.uint8), dtype)


def _spread(scales: Floats, scheme: QFloat, shape: tuple[int, ...]) -> Floats:
    """Return the scales in a shape that broadcasts over the tensor's."""
    if 0 in shape:
        return np.ones((), np.float32)  # the other extents may be larger than any array could be
    for axis, size in enumerate(_sizes(scheme, shape)):
        if size > 1 and scales.shape[axis] > 1:
            kept = (slice(None),) * axis + (slice(shape[axis]),)
            scales = np.repeat(scales, size, axis)[kept]
    return scales


def _sizes(scheme: QFloat, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the extents of a block; without blocks the tensor is one."""
    if scheme.block is None:
        return tuple(max(extent, 1) for extent in shape)
    extents = scheme.block[0]
    return (1,) * (len(shape) - len(extents)) + extents


def _grid(scheme: QFloat, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return how many scales there are along each dimension."""
    return (1,) * len(shape) if scheme.block is None else scheme.grid(shape)


def _scale_dtype(scheme: QFloat) -> str:
    return scheme.block[1] if scheme.block else scheme.tensor or "F32"


def _scheme(tensor: Tensor) -> QFloat:
    scheme = tensor.dtype
    assert isinstance(scheme, QFloat)  # or the portable code had refused it
    return scheme
