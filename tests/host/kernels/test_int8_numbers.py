"""Quantizing and dequantizing, with any width of floats, give what numpy's 32-bit floats give."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from burnrt.numbers import dequantized, quantize

scales = st.floats(2.0**-40, 2.0**40, width=32)
zeros = st.integers(0, 255)
numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)
near = st.floats(-300, 300, width=32)


def quantized(values, scale, zero):
    """Return the bytes by the rule, each operation in 32-bit floats."""
    with np.errstate(over="ignore"):
        shifted = np.asarray(values, np.float32) / np.float32(scale) + np.float32(zero + 0.5)
    return np.clip(np.floor(shifted), 0, 255).astype(np.uint8)


@given(st.lists(numbers, min_size=1), scales, zeros)
def test_any_number_is_quantized_as_on_a_board(values, scale, zero):
    target = bytearray(len(values))
    quantize(values, scale, zero, target)
    assert list(target) == quantized(values, scale, zero).tolist()


@given(st.lists(near, min_size=1), scales, zeros)
def test_numbers_near_a_step_are_quantized_as_on_a_board(steps, scale, zero):
    values = (np.asarray(steps, np.float32) * np.float32(scale)).tolist()
    target = bytearray(len(values))
    quantize(values, scale, zero, target)
    assert list(target) == quantized(values, scale, zero).tolist()


@given(st.lists(st.integers(-256, 255), min_size=1), scales, zeros)
def test_numbers_between_two_bytes_are_quantized_as_on_a_board(halves, scale, zero):
    values = ((np.asarray(halves, np.float32) + np.float32(0.5)) * np.float32(scale)).tolist()
    target = bytearray(len(values))
    quantize(values, scale, zero, target)
    assert list(target) == quantized(values, scale, zero).tolist()


@given(scales, zeros)
def test_bytes_are_dequantized_as_on_a_board(scale, zero):
    found = np.array(dequantized(bytes(range(256)), scale, zero))
    wanted = np.float32(scale) * (np.arange(256) - zero).astype(np.float32)
    np.testing.assert_array_equal(found, wanted)


def test_the_calls_that_an_array_takes_are_accepted():
    target = bytearray(4)
    quantize(np.arange(4, dtype=np.float64), 1.0, 0, target)
    assert list(target) == [0, 1, 2, 3]
