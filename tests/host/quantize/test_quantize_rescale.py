"""Factors as integers: how far the integers may be off, in exact arithmetic."""

from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnrt.kernels.int8.numpy import rescaled
from burnstore.quantize.rescale import LARGEST, add_words, word

OFF_MOST = Fraction(1, 2) + Fraction(1, 32)
FACTORS = st.builds(lambda share, power: share * 2.0**power, st.floats(0.5, 1.0), st.integers(-30, 9))
SUMS = st.one_of(st.integers(-LARGEST, LARGEST), st.integers(-70_000, 70_000), st.integers(-300, 300))
EDGES = [2.0**-31, 2.0**-30, 2.0**-7, 2.0**-7 * (1 - 2.0**-53), 0.5, 1.0, 1.0 - 2.0**-53, 255.9, 511.0]


def out(total, factor):
    return int(rescaled(total, word(factor)))


@given(FACTORS, SUMS)
def test_what_matters_is_off_by_little(factor, total):
    product = total * Fraction(factor)
    if abs(product) <= 256:
        assert abs(out(total, factor) - product) <= OFF_MOST
    else:
        assert abs(out(total, factor)) >= 255
        assert (out(total, factor) > 0) == (total > 0)


@pytest.mark.parametrize("factor", EDGES)
def test_factors_at_the_edges_are_off_by_little(factor):
    for reach in (-256, -255.5, -1, -0.5, 0, 0.5, 1, 127.5, 255, 256):
        total = max(-LARGEST, min(LARGEST, floor(reach / Fraction(factor))))
        for near in (total - 1, total, total + 1):
            if abs(near * Fraction(factor)) <= 256:
                assert abs(out(near, factor) - near * Fraction(factor)) <= OFF_MOST


@given(FACTORS, SUMS)
def test_no_number_on_the_way_is_too_large(factor, total):
    found = word(factor)
    numerator, first, second = found & 0xFFFF, found >> 16 & 31, found >> 24
    assert 1 << 13 <= numerator < 1 << 14 and 1 <= second <= 30 and not found >> 21 & 7
    cut = max(-32768, min(32767, total >> first))
    assert abs(cut * numerator + (1 << second - 1)) <= LARGEST


@pytest.mark.parametrize("factor", [0.0, 5e-324, 2.0**-32])
def test_a_factor_that_brings_every_sum_to_nothing(factor):
    assert [out(total, factor) for total in (-LARGEST, -1, 0, LARGEST)] == [0, 0, 0, 0]


@pytest.mark.parametrize("factor", [512.0, 1e6, 1e300])
def test_a_factor_that_brings_every_sum_beyond(factor):
    assert out(0, factor) == 0
    for total in (1, 2, 99, 1 << 29, LARGEST):
        assert out(total, factor) >= 255 and out(-total, factor) <= -255


@given(
    st.tuples(st.floats(2.0**-20, 256.0), st.floats(2.0**-20, 256.0)),
    st.tuples(st.integers(0, 255), st.integers(0, 255)),
    st.integers(0, 255),
    st.tuples(st.integers(0, 255), st.integers(0, 255)),
)
def test_a_sum_of_two_is_off_by_little(factors, zeros, zero, numbers):
    first, second, bias, shift = add_words(factors, zeros, zero)
    found = numbers[0] * first + numbers[1] * second + bias
    exact = zero + sum(Fraction(f) * (n - z) for f, n, z in zip(factors, numbers, zeros, strict=True))
    assert 255 * (first + second) + abs(bias) < LARGEST
    assert shift >= (19 if max(factors) <= 1 else 12)
    assert abs((found >> shift) - exact) <= Fraction(1, 2) + Fraction(255, 1 << shift)
