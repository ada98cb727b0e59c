"""The 16-bit floats, number by number: `struct` has F16 on some firmware only, and wrong on some.

    F16     1 bit sign, 5 exponent (bias 15), 10 fraction (IEEE 754 binary16)
    BF16    1 bit sign, 8 exponent (bias 127), 7 fraction: the upper half of a binary32

Encoding rounds to nearest, ties to even. What is too large becomes an infinity, a NaN the quiet NaN.
"""

import math
import struct

from burnpack.compat import const

_F16_INFINITY = const(0x7C00)
_F16_NAN = const(0x7E00)
_BF16_NAN = const(0x7FC0)


def decode_f16(code: int) -> float:
    """Return the number that the 16 bits of `code` are."""
    exponent = code >> 10 & 31
    fraction = code & 0x3FF
    if exponent == 31:
        number = _nan(fraction) if fraction else float("inf")
    elif exponent == 0:
        number = fraction / 16777216  # 2**24: subnormals count in 2**-14 / 2**10
    else:
        number = (fraction + 1024) * 2.0 ** (exponent - 25)
    return -number if code & 0x8000 else number


def _nan(fraction: int) -> float:
    """Return the quiet NaN of a fraction of 10 bits."""
    return struct.unpack(  # type: ignore[no-any-return]
        "<d", struct.pack("<Q", 0x7FF8 << 48 | fraction << 42)
    )[0]


def encode_f16(number: float) -> int:
    """Return the 16 bits of the F16 nearest to `number`."""
    if number != number:
        return _F16_NAN
    sign = 0x8000 if math.copysign(1.0, number) < 0 else 0
    number = abs(number)
    if number >= 65520.0:  # halfway between the largest F16, 65504, and the next step
        return sign | _F16_INFINITY
    exponent = max(math.frexp(number)[1] - 1, -14) if number else -14
    # The fraction with its leading 1 carries into the exponent by itself when it rounds up.
    return sign | ((exponent + 14) << 10) + _nearest(number * 2.0 ** (10 - exponent))


def decode_bf16(code: int) -> float:
    """Return the number that the 16 bits of `code` are."""
    return struct.unpack("<f", bytes((0, 0, code & 0xFF, code >> 8)))[0]  # type: ignore[no-any-return]


def encode_bf16(number: float) -> int:
    """Return the 16 bits of the BF16 nearest to `number`, which is taken as a binary32 first."""
    if number != number:
        return _BF16_NAN
    bits: int = struct.unpack("<I", binary32(number))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def binary32(number: float) -> bytes:
    """Return the four bytes of the binary32 nearest to `number`; what is too large becomes an infinity."""
    try:
        return struct.pack("<f", number)
    except OverflowError:  # CPython refuses what MicroPython makes infinite
        return struct.pack("<f", math.copysign(float("inf"), number))


def _nearest(number: float) -> int:
    whole = int(number)
    rest = number - whole
    if rest > 0.5 or (rest == 0.5 and whole & 1):
        whole += 1
    return whole
