"""Floats become bytes and bytes floats, the same ones on every interpreter."""

from burnrt.numbers import dequantized, quantize

# x / 0.5 + 10 (scale 0.5, zero point 10): given, quantized
QUANTIZED = (
    (0.0, 10),
    (0.24, 10),
    (0.25, 11),
    (-0.25, 10),
    (-0.26, 9),
    (-5.0, 0),
    (-5.26, 0),
    (-1e30, 0),
    (122.5, 255),
    (122.74, 255),
    (122.75, 255),
    (1e30, 255),
    (float("inf"), 255),
    (float("-inf"), 0),
    (float("nan"), 0),
)


def test_numbers_are_rounded_half_up_and_cut():
    target = bytearray(1)
    for given, wanted in QUANTIZED:
        quantize([given], 0.5, 10, target)
        assert target[0] == wanted, (given, target[0])


def test_each_step_of_quantizing_is_rounded_to_32_bits():
    # The quotient is below 1.5 by less than a binary32 number can say.
    target = bytearray(1)
    quantize([1.5 * 0.1], 0.1, 0, target)
    assert target[0] == 2
    quantize([1e-9], 3e38, 0, target)
    assert target[0] == 0


def test_what_was_dequantized_is_quantized_to_the_same():
    source, target = bytes(range(256)), bytearray(256)
    for scale in (0.003921569, 0.1, 1 / 3, 7.77, 1e-6, 1e6):
        for zero in (0, 1, 128, 255):
            quantize(dequantized(source, scale, zero), scale, zero, target)
            assert target == source, (scale, zero)
