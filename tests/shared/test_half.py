"""The 16-bit floats: every code, and every rounding between two neighbours."""

from burnpack import half

INFINITY = float("inf")

# name, decoder, encoder, code of the infinity, (code, number) pairs that pin the scale down
KINDS = (
    (
        "F16",
        half.decode_f16,
        half.encode_f16,
        0x7C00,
        ((0x3C00, 1.0), (0x0001, 1 / 16777216), (0x0400, 1 / 16384), (0x7BFF, 65504.0)),
    ),
    (
        "BF16",
        half.decode_bf16,
        half.encode_bf16,
        0x7F80,
        ((0x3F80, 1.0), (0x4049, 3.140625), (0x0080, 2.0**-126), (0x7F7F, (2.0 - 2.0**-7) * 2.0**127)),
    ),
)


def test_numbers_are_where_the_formats_say():
    for name, decode, encode, infinity, anchors in KINDS:
        for code, number in anchors + ((0, 0.0), (infinity, INFINITY)):
            assert decode(code) == number, (name, code)
            assert decode(code | 0x8000) == -number, (name, code)
            assert encode(number) == code, (name, number)


def test_each_code_above_another_is_a_larger_number():
    for name, decode, _, infinity, _ in KINDS:
        last = decode(0)
        for code in range(1, infinity + 1):
            number = decode(code)
            assert number > last, (name, code)
            last = number


def test_each_code_comes_back():
    for name, decode, encode, infinity, _ in KINDS:
        for code in range(infinity + 1):
            assert encode(decode(code)) == code, (name, code)
            assert encode(decode(code | 0x8000)) == code | 0x8000, (name, code)


def test_codes_above_infinity_are_no_numbers_and_stay_so():
    for name, decode, encode, infinity, _ in KINDS:
        for code in range(infinity + 1, 0x8000):
            for signed in (code, code | 0x8000):
                number = decode(signed)
                assert number != number, (name, signed)
                assert encode(number) & 0x7FFF > infinity, (name, signed)


def test_what_lies_between_two_neighbours_goes_to_the_nearer_and_halfway_to_the_even():
    for name, decode, encode, infinity, _ in KINDS:
        for code in range(infinity - 1):
            low, high = decode(code), decode(code + 1)
            step = high - low
            assert encode(low + step / 4) == code, (name, code)
            assert encode(low + step / 2) == code + code % 2, (name, code)
            assert encode(low + step * 3 / 4) == code + 1, (name, code)


def test_what_is_too_large_becomes_infinite():
    for name, decode, encode, infinity, _ in KINDS:
        largest = decode(infinity - 1)
        step = largest - decode(infinity - 2)
        assert encode(largest + step / 4) == infinity - 1, name
        assert encode(largest + step / 2) == infinity, name
        assert encode(-largest - step / 2) == infinity | 0x8000, name
        assert encode(-INFINITY) == infinity | 0x8000, name


def test_negative_zero_keeps_its_sign():
    for name, _, encode, _, _ in KINDS:
        assert encode(-0.0) == 0x8000, name
