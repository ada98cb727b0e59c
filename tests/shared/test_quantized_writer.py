"""Quantizing: the scales and the values that Burn finds for the same numbers."""

import struct
from array import array

from burnpack.dtype import count
from burnpack.errors import InvalidTensor, Unsupported
from burnpack.qfloat import QFloat
from burnpack.quantized import dequantize, opened, scales, zeros
from burnpack.quantized_writer import NARROW, RANGES, put_scale, put_values, quantize
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from kit import support

INFINITY = float("inf")
NAN = float("nan")
SMALLEST = 2.0**-126
TWO_LEVELS = QFloat(block=((2,), "UE4M3"), tensor="F32")


def ramp(size):
    """Return the numbers that the quantized tensors in the files were made of."""
    return array("f", [(37 * at % 101 - 50) / 16 * (1 + at // 8) for at in range(size)])


def numbers_of(scheme, shape, data):
    floats = zeros(count(shape))
    opened(Tensor("w", scheme, shape, data)).fill(floats)
    return floats


def test_the_numbers_of_the_files_become_the_bytes_in_the_files():
    made = 0
    for tensor in Reader.from_static(support.read(support.path("tests/vectors/quantized/quantized.bpk"))):
        if tensor.dtype.value in RANGES:
            found = quantize(ramp(count(tensor.shape)), tensor.shape, tensor.dtype)
            assert found == tensor.data(), tensor.name
            made += 1
    assert made == 36


def test_the_numbers_that_burn_quantized_become_the_bytes_that_burn_wrote():
    reader = Reader.from_static(support.read(support.data("rust/quantized_values.bpk")))
    assert len(reader) == 45
    for tensor in reader:
        assert quantize(ramp(count(tensor.shape)), tensor.shape, tensor.dtype) == tensor.data(), tensor.name


def test_symmetric_kinds_with_scales_of_f32_come_back_the_same_when_quantized_again():
    for value in ("Q8S", "Q4S", "Q2S"):
        for block, shape in (
            (None, (4, 16)),
            (((8,), "F32"), (4, 16)),
            (((2, 3), "F32"), (5, 7)),
            (None, (1,)),
        ):
            for factor in (1.0, 0.1, 2.0**-100, 3.0**70):
                scheme = QFloat(value, block=block)
                floats = ramp(count(shape))
                for at in range(len(floats)):
                    floats[at] *= factor
                once = quantize(floats, shape, scheme)
                assert quantize(numbers_of(scheme, shape, once), shape, scheme) == once, (scheme, factor)


def test_what_burns_older_releases_quantized_comes_back_the_same_when_quantized_again():
    for name in ("burn_0.20_q8s", "burn_0.20_q8s_block"):
        for tensor in Reader.from_static(support.read(support.data("rust/%s.bpk" % name))):
            floats = zeros(count(tensor.shape))
            opened(tensor).fill(floats)
            assert quantize(floats, tensor.shape, tensor.dtype) == tensor.data(), tensor.name


def test_values_are_rounded_half_away_from_zero_and_cut_to_the_range():
    for value, floats, expected in (
        ("Q8S", [127, 0.5, -0.5, 0.49, -0.49, 1.5, 2.5, -2.5], [127, 1, -1, 0, 0, 2, 3, -3]),
        ("Q8S", [-127, 126.4, -126.6, 0], [-127, 126, -127, 0]),
        ("Q8F", [127.5, -127.5], [127, -128]),
        ("Q4F", [7.5, -7.5, 3], [7, -8, 3]),
        ("Q2F", [1.5, -1.5, 0.6], [1, -2, 1]),
        ("Q2S", [1, -1, 0.5, -0.4], [1, -1, 1, 0]),
    ):
        data = quantize(array("f", floats), (len(floats),), QFloat(value))
        assert list(struct.unpack_from("<%dbf" % len(floats), data, 0)) == expected + [1.0], (value, floats)


def test_numbers_that_have_no_scale_get_the_smallest_normal_one():
    for floats, values in (
        ([0.0, -0.0], b"\x00\x00"),
        ([NAN, 0.0], b"\x00\x00"),
        ([INFINITY, -1.0], b"\x7f\x81"),
        ([3e38, 0.0], b"\x7f\x00"),  # twice that is infinite
    ):
        assert quantize(array("f", floats), (2,), QFloat()) == values + struct.pack("<f", SMALLEST), floats


def test_a_nan_becomes_0_and_takes_no_part_in_the_scale():
    assert quantize(array("f", [NAN, 127.0, -1.0]), (3,), QFloat()) == b"\x00\x7f\xff\x00\x00\x80\x3f"


def test_a_scale_of_the_smallest_numbers_has_no_inverse_and_values_are_cut():
    data = quantize(array("f", [2.0**-140, -(2.0**-140), 0.0]), (3,), QFloat())
    assert data[:3] == b"\x7f\x81\x00"
    assert 0 < struct.unpack_from("<f", data, 3)[0] < SMALLEST


def test_each_scale_that_a_dtype_has_is_kept_and_all_above_it_go_to_the_next():
    for dtype in ("F16", "BF16", "UE8M0", "UE4M3"):
        decode, most = NARROW[dtype]
        size = 1 if most < 256 else 2
        for code in range(1, most, 1 if size == 1 else 331):
            number = decode(code)
            above = number + (decode(code + 1) - number) / 8
            assert put(number, dtype, size) == code, (dtype, code)
            assert put(above, dtype, size) == code + 1, (dtype, code)
        for number in (decode(most), decode(most) * 1.25, INFINITY):
            assert put(number, dtype, size) == most, (dtype, number)


def test_a_scale_too_small_for_its_dtype_is_written_as_the_smallest_that_is_not_0():
    for dtype, of_zero, of_nan in (
        ("F32", SMALLEST, SMALLEST),
        ("F16", 2.0**-24, 2.0**-24),
        ("BF16", SMALLEST, SMALLEST),
        ("UE4M3", 1 / 512, 1 / 512),
        ("UE8M0", SMALLEST / 2, SMALLEST),
    ):
        for scale, expected in ((0.0, of_zero), (NAN, of_nan)):
            scheme = QFloat(tensor=dtype)
            buffer = bytearray(scheme.nbytes((0,)))
            put_scale(scale, dtype, buffer, 0)
            assert list(scales(Tensor("w", scheme, (0,), buffer))) == [expected], (dtype, scale)


def put(scale, dtype, size):
    """Return the code that is written for a scale between two bytes that must not change."""
    buffer = bytearray(b"\xaa" * (size + 2))
    put_scale(scale, dtype, buffer, 1)
    assert buffer[0] == buffer[-1] == 0xAA
    return buffer[1] | (buffer[2] << 8 if size == 2 else 0)


def test_of_two_levels_the_largest_block_scale_is_the_largest_that_its_dtype_has():
    data = quantize(array("f", [1.0, 0.0, 127.0, 5.0]), (4,), TWO_LEVELS)
    assert bytes(data[:6]) == b"\x77\x00\x7f\x05\x47\x7e"  # 448 / 127 is 3.53, rounded up 3.75
    assert list(struct.unpack_from("<f", data, 6)) == [array("f", [1 / 448])[0]]


def test_scales_of_ones_own_can_be_used():
    scheme = QFloat(block=((2,), "F32"))
    buffer = bytearray(scheme.nbytes((4,)))
    put_scale(0.5, "F32", buffer, 4)
    put_scale(0.5, "F32", buffer, 8)
    put_values(array("f", [1.0, -2.0, 100.0, 0.2]), (4,), scheme, buffer)
    assert buffer[:4] == b"\x02\xfc\x7f\x00"


def test_a_scale_that_is_not_positive_is_refused():
    for scale in (-1.0, NAN):
        buffer = bytearray(1) + struct.pack("<f", scale)
        support.raises(InvalidTensor, put_values, array("f", [1.0]), (1,), QFloat(), buffer)


def test_schemes_that_burn_has_no_rule_for_are_refused():
    for scheme in (
        QFloat("E4M3"),
        QFloat("E5M2"),
        QFloat("E2M1", ("PackedNative", 0)),
        QFloat(mode="Lookup"),
        QFloat(block=((2,), "F32"), tensor="F32"),
        QFloat(block=((2,), "BF16"), tensor="F32"),
        QFloat(block=((2,), "UE8M0"), tensor="F32"),
        QFloat(block=((2,), "UE4M3"), tensor="F16"),
    ):
        support.raises(Unsupported, quantize, zeros(4), (4,), scheme)


def test_numbers_that_do_not_make_the_shape_are_refused():
    for length, shape, scheme in (
        (3, (4,), QFloat()),
        (5, (4,), QFloat()),
        (1, (0,), QFloat()),
        (4, (4,), QFloat(block=((2, 2), "F32"))),
        (4, (4,), QFloat("Q4S", ("PackedU32", 1))),
    ):
        support.raises(InvalidTensor, quantize, zeros(length), shape, scheme)


def test_no_numbers_make_a_tensor_without_elements():
    for scheme, shape in (
        (QFloat(), (0,)),
        (TWO_LEVELS, (2, 0)),
        (QFloat("Q2S", ("PackedU32", 0)), (1 << 29, 0)),
    ):
        data = quantize(zeros(0), shape, scheme)
        assert len(data) == scheme.nbytes(shape)
        assert len(dequantize(Tensor("w", scheme, shape, data)).data()) == 0
