"""The floats of 8 and 4 bits: every code."""

from burnpack import small_float

# decoder, codes that are no number, (code, number) pairs that pin the scale down
SMALL_FLOATS = (
    (
        small_float.decode_e5m2,
        (0x7D, 0x7E, 0x7F),
        ((0, 0.0), (1, 2.0 / 131072), (0x3C, 1.0), (0x7B, 57344.0)),
    ),
    (small_float.decode_e4m3, (0x7F,), ((0, 0.0), (1, 1 / 512), (8, 1 / 64), (0x38, 1.0), (0x7E, 448.0))),
    (small_float.decode_e2m1, (), ((0, 0.0), (1, 0.5), (2, 1.0), (3, 1.5), (5, 3.0), (7, 6.0))),
)


def test_small_floats_are_where_their_formats_say():
    for decode, no_numbers, anchors in SMALL_FLOATS:
        sign = 8 if decode is small_float.decode_e2m1 else 0x80
        for code, number in anchors:
            assert (decode(code), decode(code | sign)) == (number, -number), (decode, code)
        last = -1.0
        for code in range(sign):
            number = decode(code)
            assert (number != number) == (code in no_numbers), (decode, code)
            if number == number:
                assert number > last, (decode, code)
                last = number


def test_scales_that_are_exponents_alone_are_powers_of_two():
    for code in range(255):
        assert small_float.decode_ue8m0(code) * 2.0 ** (127 - code) == 1.0, code
    assert small_float.decode_ue8m0(255) != small_float.decode_ue8m0(255)
