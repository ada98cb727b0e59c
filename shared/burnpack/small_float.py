"""The floats of 8 and 4 bits that quantized tensors are made of, number by number.

    E5M2     1 bit sign, 5 exponent (bias 15), 2 fraction: the upper half of an F16
    E4M3     1 bit sign, 4 exponent (bias 7), 3 fraction; no infinities, NaN where all else is 1
    E2M1     1 bit sign, 2 exponent (bias 1), 1 fraction; neither infinities nor NaN
    UE8M0    8 exponent (bias 127): powers of two alone; NaN where all bits are 1
    UE4M3    E4M3, of which scales use the positive half

Sources: the OCP specifications OFP8 and MX.
"""

import math

from burnpack.half import decode_f16

_E2M1 = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)


def decode_e5m2(code: int) -> float:
    """Return the number that the 8 bits of `code` are."""
    return decode_f16(code << 8)


def decode_e4m3(code: int) -> float:
    """Return the number that the 8 bits of `code` are."""
    exponent = code >> 3 & 15
    fraction = code & 7
    if exponent == 15 and fraction == 7:
        number = float("nan")
    elif exponent == 0:
        number = fraction / 512  # subnormals count in 2**-6 / 2**3
    else:
        number = math.ldexp(fraction + 8.0, exponent - 10)
    return -number if code & 0x80 else number


def decode_e2m1(code: int) -> float:
    """Return the number that the lowest 4 bits of `code` are."""
    number = _E2M1[code & 7]
    return -number if code & 8 else number


def decode_ue8m0(code: int) -> float:
    """Return the number that the 8 bits of `code` are: a power of two from 2**-127 to 2**127."""
    return float("nan") if code == 255 else math.ldexp(1.0, code - 127)
