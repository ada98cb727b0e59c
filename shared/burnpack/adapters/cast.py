"""Floats of one width into floats of another.

Rounding is to nearest, ties to even; what BF16 is made of is rounded to a binary32 first. A NaN becomes the
quiet NaN without a sign, an infinity stays one. What is finite never becomes infinite: it is refused, or
becomes the largest finite number.
"""

import struct

from burnpack.adapters.base import ModuleAdapter
from burnpack.dtype import FLOAT, kind, row
from burnpack.errors import InvalidTensor, Unsupported
from burnpack.half import binary32, decode_bf16, decode_f16, encode_bf16, encode_f16
from burnpack.tensor import Tensor

if False:  # for type checkers
    from collections.abc import Callable

    from burnpack.types import Buffer, Dtype


_F64_NAN = b"\0\0\0\0\0\0\xf8\x7f"
_F32_NAN = 0x7FC00000


class CastingAdapter(ModuleAdapter):
    """What the adapters that change dtypes share. saturate: see `cast`."""

    def __init__(self, saturate: bool = False) -> None:
        self._saturate = saturate

    @staticmethod
    def convert(data: "Buffer", source: str, target: str, saturate: bool, name: str) -> "Buffer":
        """Return a buffer with numbers of another dtype.

        data: the numbers' bytes.
        source, target: the dtypes.
        saturate: as in `FloatCastAdapter`.
        name: of the tensor, for errors.
        """
        return cast(data, source, target, saturate, name)

    def _cast(self, tensor: "Tensor", target: str) -> "Tensor":
        """Return a float tensor as `target`, its bytes still unread; raises `Unsupported`."""
        source: str
        source = tensor.dtype  # type: ignore[assignment] # or it has no numbers
        if source == target:
            return tensor
        if source not in _NUMBERS:
            raise Unsupported("floats of this dtype can't be cast", tensor.name, found=source)

        def data() -> "Buffer":
            return self.convert(tensor.data(), source, target, self._saturate, tensor.name)

        return Tensor(tensor.name, target, tensor.shape, data, tensor.param_id)


def check_castable(dtype: str) -> None:
    """Refuse a dtype that nothing can be cast to."""
    if dtype not in _CODES and dtype != "F64":
        raise Unsupported("floats can't be cast to this dtype", expected="F64, F32, F16 or BF16", found=dtype)


def is_float(dtype: "Dtype") -> bool:
    """Return whether tensors of this dtype hold floats, one an element. Quantized ones don't."""
    return isinstance(dtype, str) and kind(dtype) == FLOAT


def cast(data: "Buffer", source: str, target: str, saturate: bool, name: str) -> bytearray:
    """Return a new buffer with the floats in `data`, of dtype `source`, as `target`.

    saturate: whether a finite number too large for `target` becomes its largest one; else it raises
        `InvalidTensor`, naming the tensor, `name`.
    """
    # What has a decoder has a row, and so has what can be cast to.
    decode, size = _NUMBERS[source], row(source)[1] // 8  # type: ignore[index]
    width = row(target)[1] // 8  # type: ignore[index]
    result = bytearray(len(data) // size * width)
    put = _put_f64 if target == "F64" else _putter(target, saturate, name)
    at = 0
    for start in range(0, len(data), size):
        put(result, at, decode(data, start))
        at += width
    return result


def _f64(data: "Buffer", at: int) -> float:
    return struct.unpack_from("<d", data, at)[0]  # type: ignore[no-any-return]


def _f32(data: "Buffer", at: int) -> float:
    return struct.unpack_from("<f", data, at)[0]  # type: ignore[no-any-return]


def _f16(data: "Buffer", at: int) -> float:
    return decode_f16(data[at] | data[at + 1] << 8)


def _bf16(data: "Buffer", at: int) -> float:
    return decode_bf16(data[at] | data[at + 1] << 8)


_NUMBERS = {"F64": _f64, "F32": _f32, "Flex32": _f32, "F16": _f16, "BF16": _bf16}


def _put_f64(result: bytearray, at: int, number: float) -> None:
    if number == number:
        struct.pack_into("<d", result, at, number)
    else:
        result[at : at + 8] = _F64_NAN


def _encode_f32(number: float) -> int:
    return struct.unpack("<I", binary32(number))[0] if number == number else _F32_NAN


# dtype: number to code, the code of its infinity, the format of a code
_CODES = {
    "F32": (_encode_f32, 0x7F800000, "<I"),
    "Flex32": (_encode_f32, 0x7F800000, "<I"),
    "F16": (encode_f16, 0x7C00, "<H"),
    "BF16": (encode_bf16, 0x7F80, "<H"),
}


def _putter(target: str, saturate: bool, name: str) -> "Callable[[bytearray, int, float], None]":
    encode, infinity, form = _CODES[target]
    sign = 0x80000000 if form == "<I" else 0x8000

    def put(result: bytearray, at: int, number: float) -> None:
        code = encode(number)
        if code in (infinity, infinity | sign) and number - number == 0:
            if not saturate:
                raise too_large(number, target, name)
            code -= 1  # the largest finite number lies right before the infinity
        struct.pack_into(form, result, at, code)

    return put


def too_large(number: float, target: str, name: str) -> "InvalidTensor":
    """Return the error that says so of a finite number."""
    advice = "saturate=True, or a wider dtype"
    return InvalidTensor("a number too large for %s" % target, name, None, None, advice, number)
