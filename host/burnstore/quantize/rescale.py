"""From real factors to the integers that multiply by them: see `burnrt.kernels.int8`.

The rescaling word of a factor M holds m, a and b with m / 2^b close to M × 2^a. Where the true product
p = sum × M is within -256..256, what comes out of the sum is off by less than 1/2 + 2^-5: by 1/2 at most for
the last rounding, 2^-6 for m, which has 14 bits, and 2^-6 for the bits that the first shift drops. Where p is
beyond, what comes out is beyond -255..255, and cut as it should be.
"""

from math import frexp, ldexp

LARGEST = 1 << 30  # no sum, nor a part of one, passes this
WIDE_MOST = 127.99  # the largest factor of a value of 16 bits
WIDE_ADD_MOST = 4096.0  # and of one that is added to another

_REACH = 256  # the largest product that must come out right
_SUM_BITS = 15  # what the first shift leaves of a sum, besides its sign
_FACTOR_BITS = 14
_MOST = 2.0 * _REACH  # a larger factor does no more: every sum but 0 is beyond already
_LEAST = 2.0**-31  # below this, no sum reaches 1/2
_NOTHING = 1 << 24  # m is 0

_ADD_SHIFT = 22  # with a larger one, a zero point does not fit
_PRODUCT_MOST = 255 * 255

_WIDE_BITS = 16  # of a factor
_WIDE_STEPS = 65535


def word(factor: float) -> int:
    """Return the rescaling word that multiplies by a factor, which is not below 0."""
    if factor < _LEAST:
        return _NOTHING
    factor = min(factor, _MOST)
    # The least shift that makes all sums that matter fit: factor × 2^shift × 2^15 >= 256.
    shift = max(0, 1 - frexp(ldexp(factor, _SUM_BITS) / _REACH)[1])
    share, exponent = frexp(ldexp(factor, shift))
    numerator = round(ldexp(share, _FACTOR_BITS))
    if numerator == 1 << _FACTOR_BITS:
        numerator, exponent = numerator >> 1, exponent + 1
    return _FACTOR_BITS - exponent << 24 | shift << 16 | numerator


def wide_word(factor: float) -> int:
    """Return the rescaling word, see `burnrt.wide_words`, that multiplies by a factor of 0 to below 128.

    m, a and b have m / 2^(b + 8) close to M × 2^a; m has 16 bits, and the first shift leaves 16 parts of what
    becomes one.
    """
    if factor < _LEAST:
        return _NOTHING
    factor = min(factor, WIDE_MOST)
    shift = max(0, -4 - frexp(factor)[1] + 1)
    share, exponent = frexp(ldexp(factor, shift))
    numerator = round(ldexp(share, _WIDE_BITS))
    if numerator == 1 << _WIDE_BITS:
        numerator, exponent = numerator >> 1, exponent + 1
    return _WIDE_BITS - 8 - exponent << 24 | shift << 16 | numerator


def wide_add_words(factors: tuple[float, float], zeros: tuple[int, int], zero: int) -> list[int]:
    """Return FIRST_FACTOR, SECOND_FACTOR, BIAS and SHIFT of a sum of values of 16 bits, as `add_words`."""
    for shift in range(_ADD_SHIFT, -1, -1):
        first, second = (round(ldexp(factor, shift)) for factor in factors)
        bias = _half_and(zero, shift) - first * zeros[0] - second * zeros[1]
        if _WIDE_STEPS * (abs(first) + abs(second)) + abs(bias) < LARGEST:
            return [first, second, bias, shift]
    raise AssertionError("factors have a largest size")


def narrow_words(factor: float, given: int, zero: int) -> list[int]:
    """Return NARROW_FACTOR, NARROW_BIAS and NARROW_SHIFT. factor: of steps of the output. given, zero: the
    zero points of what comes in and goes out.
    """
    for shift in range(30, -1, -1):
        scaled = round(ldexp(min(factor, _MOST), shift))
        bias = _half_and(zero, shift) - scaled * given
        if scaled * _WIDE_STEPS + abs(bias) < LARGEST:
            return [scaled, bias, shift]
    raise AssertionError("factors have a largest size")


def add_words(factors: tuple[float, float], zeros: tuple[int, int], zero: int) -> list[int]:
    """Return FIRST_FACTOR, SECOND_FACTOR, BIAS and SHIFT of an add.

    factors: what the bytes that come in stand for, in steps of the output. zeros: their zero points. zero:
    the output's. What comes out is off by at most 1/2 + 255 / 2^SHIFT. The shift is the largest that keeps
    every sum in its bounds; for factors up to 1 it is 19 at least, for 256 it is 12.
    """
    for shift in range(_ADD_SHIFT, -1, -1):
        first, second = (round(ldexp(min(max(factor, -_MOST), _MOST), shift)) for factor in factors)
        bias = _half_and(zero, shift) - first * zeros[0] - second * zeros[1]
        if 255 * (abs(first) + abs(second)) + abs(bias) < LARGEST:
            return [first, second, bias, shift]
    raise AssertionError("factors have a largest size")


def product_words(factor: float, zero: int) -> list[int]:
    """Return BIAS, SHIFT and FACTOR of a product.

    factor: what a product of two bytes stands for, in steps of the output. zero: the output's zero point.
    What comes out is off by less than 1/2 + 2^-5 where it is not cut: FACTOR has 13 bits or more, unless the
    factor is below 1 / 256, when nothing but 0 comes out of steps of both.
    """
    for shift in range(_ADD_SHIFT, -1, -1):
        scaled, bias = round(ldexp(min(factor, _MOST), shift)), _half_and(zero, shift)
        if _PRODUCT_MOST * scaled + bias < LARGEST:
            return [bias, shift, scaled]
    raise AssertionError("factors have a largest size")


def _half_and(zero: int, shift: int) -> int:
    """Return a zero point and what rounds to the nearest, before they are shifted."""
    return (zero << shift) + (1 << shift >> 1)
