"""Tensors out of numpy arrays, and numpy arrays out of tensors. The narrow floats are those of ml_dtypes."""

import sys
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from burnpack.dtype import BOOL, kind
from burnpack.errors import Unsupported
from burnpack.tensor import Tensor
from burnstore.numerics.quantized import dequantize, held_by_numpy

_NATIVE_IS_LITTLE = sys.byteorder == "little"

# How numpy and ml_dtypes call each dtype that they have.
ARRAY_NAMES = {
    "F64": "float64",
    "F32": "float32",
    "F16": "float16",
    "BF16": "bfloat16",
    "I64": "int64",
    "I32": "int32",
    "I16": "int16",
    "I8": "int8",
    "U64": "uint64",
    "U32": "uint32",
    "U16": "uint16",
    "U8": "uint8",
    "Bool": "bool",
    "F8_E5M2": "float8_e5m2",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2FNUZ": "float8_e5m2fnuz",
    "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E8M0": "float8_e8m0fnu",
    "C32": "complex32",
    "C64": "complex64",
    "C128": "complex128",
}
_DTYPES = {name: dtype for dtype, name in ARRAY_NAMES.items()}

# Burn's dtypes of another spelling: what numpy reads them as. A Bool is then all that is not 0.
_READ_AS = {"Flex32": "F32", "Bool": "U8", "Bool(U8)": "U8", "Bool(U32)": "U32"}


def tensor_from_array(name: str, array: NDArray[Any]) -> Tensor:
    """Return a tensor of the array's elements, row-major and little-endian.

    name: the tensor's.
    array: one that lies so is not copied; another is rearranged each time the bytes are asked for. It must
        not change meanwhile.

    Raises `Unsupported` for elements that no container holds, such as text.
    """
    dtype = _DTYPES.get(array.dtype.name)
    if dtype is None:
        raise Unsupported("a numpy array of this dtype can't be stored", name, found=array.dtype.name)
    return Tensor(name, dtype, array.shape, lambda: _little_endian_bytes(array))


def array_from_tensor(tensor: Tensor) -> NDArray[Any]:
    """Return the elements as an array: a view of the tensor's bytes, writable only if these are.

    A Bool becomes an array of its own, and a quantized tensor one of the float32 numbers that it stands
    for. Raises `Unsupported` for elements that numpy has no dtype for.
    """
    dtype = tensor.dtype
    if not isinstance(dtype, str):
        return dequantize(tensor)
    read_as = numpy_dtype(_READ_AS.get(dtype, dtype))
    if read_as is None:
        raise Unsupported("numpy has no such dtype", tensor.name, found=dtype)
    with held_by_numpy(tensor.name):
        array = np.frombuffer(tensor.data(), read_as).reshape(tensor.shape)
    return np.asarray(array != 0) if kind(dtype) == BOOL else array


def numpy_dtype(dtype: str) -> np.dtype[Any] | None:
    name = ARRAY_NAMES.get(dtype)
    if name is None:
        return None
    if hasattr(np, name):
        return np.dtype(name).newbyteorder("<")
    scalar = getattr(ml_dtypes, name, None)  # older releases have no complex32
    return None if scalar is None else np.dtype(scalar)


def _little_endian_bytes(array: NDArray[Any]) -> memoryview:
    if array.dtype.isnative != _NATIVE_IS_LITTLE:
        array = array.astype(array.dtype.newbyteorder())
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
