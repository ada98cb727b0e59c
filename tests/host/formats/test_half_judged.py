"""The 16-bit floats against numpy's and ml_dtypes'."""

import ml_dtypes
import numpy as np
import pytest

from burnpack import half

KINDS = [
    pytest.param(half.decode_f16, half.encode_f16, np.float16, id="F16"),
    pytest.param(half.decode_bf16, half.encode_bf16, ml_dtypes.bfloat16, id="BF16"),
]


@pytest.mark.parametrize(("decode", "encode", "judge"), KINDS)
def test_all_codes_mean_what_the_judge_says(decode, encode, judge):
    codes = np.arange(1 << 16, dtype=np.uint16)
    with np.errstate(invalid="ignore"):
        expected = codes.view(judge).astype(np.float64)
    found = np.array([decode(int(code)) for code in codes])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("decode", "encode", "judge"), KINDS)
def test_random_32_bit_numbers_are_rounded_as_the_judge_rounds(decode, encode, judge):
    bits = np.random.default_rng(7).integers(0, 1 << 32, 50_000, np.uint32)
    numbers = bits.view(np.float32)
    numbers = numbers[~np.isnan(numbers)]
    with np.errstate(over="ignore"):
        expected = numbers.astype(judge).view(np.uint16)
    found = np.array([encode(float(number)) for number in numbers], np.uint16)
    np.testing.assert_array_equal(found, expected)
