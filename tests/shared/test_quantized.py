"""Reading quantized tensors: the numbers they stand for, and their parts in place."""

import gc
import json
import struct
from array import array

from burnpack.dtype import count
from burnpack.qfloat import QFloat
from burnpack.quantized import dequantize, opened, parts, scales, zeros
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from kit import support

BLOCKS = QFloat(block=((2,), "F32"))
TWO_LEVELS = QFloat(block=((2,), "F16"), tensor="F32")
WORDS = ("PackedU32", 0)


def golden(name):
    return support.read(support.path("tests/vectors/quantized/" + name))


def numbers_of(tensor):
    """Return an array("f") of the numbers that a tensor stands for."""
    floats = zeros(count(tensor.shape))
    opened(tensor).fill(floats)
    return floats


def same_bits(found, expected):
    """Tell whether two buffers of little-endian binary32 hold the same; all NaNs are one."""
    if len(found) != len(expected):
        return False
    for at in range(0, len(found), 4):
        if bytes(found[at : at + 4]) != bytes(expected[at : at + 4]):
            one, other = struct.unpack_from("<f", found, at)[0], struct.unpack_from("<f", expected, at)[0]
            if one == one or other == other:
                return False
    return True


def quantized(scheme, shape, values, *numbers):
    """Return a tensor of these bytes and these F32 scales."""
    return Tensor("w", scheme, shape, bytes(values) + struct.pack("<%df" % len(numbers), *numbers))


def test_every_kind_store_and_level_stands_for_the_numbers_of_independent_code():
    expected = json.loads(golden("expected.json"))
    reader = Reader.from_static(golden("quantized.bpk"))
    assert len(expected) == len(reader) == 44
    for tensor in reader:
        wanted = bytes.fromhex(expected[tensor.name])
        assert same_bits(dequantize(tensor).data(), wanted), tensor.name
        assert same_bits(bytes(numbers_of(tensor)), wanted), tensor.name


def test_quantized_tensors_are_written_again_byte_for_byte():
    data = golden("quantized.bpk")
    assert Writer(list(Reader.from_static(data))).to_bytes() == data


def test_any_stretch_of_a_tensor_can_be_decoded_by_itself():
    for tensor in Reader.from_static(golden("quantized.bpk")):
        total = count(tensor.shape)
        whole = bytes(numbers_of(tensor))
        source = opened(tensor)
        for length in (1, 2, 5, 16):
            for start in range(0, total - length + 1, 7):
                floats = zeros(length)
                source.fill(floats, start)
                assert same_bits(bytes(floats), whole[start * 4 : (start + length) * 4]), (tensor, start)


def test_what_burn_quantized_stands_for_the_numbers_that_burn_says():
    if 1.0 + 2.0**-30 == 1.0:
        support.skip("decimals are not read exactly where floats have 32 bits")
    expected = json.loads(support.read(support.data("rust/quantized_values.json")))
    reader = Reader.from_static(support.read(support.data("rust/quantized_values.bpk")))
    assert len(reader) == len(expected) == 45
    for tensor in reader:
        wanted = array("f", expected[tensor.name])
        assert bytes(numbers_of(tensor)) == bytes(wanted), tensor.name
        assert bytes(dequantize(tensor).data()) == bytes(wanted), tensor.name


def test_every_scheme_that_burn_writes_is_decoded_and_written_again():
    for name, tensors in (("quantized", 13), ("quantized_values", 45)):
        data = support.read(support.data("rust/%s.bpk" % name))
        reader = Reader.from_static(data)
        assert len(reader) == tensors
        for tensor in reader:
            assert len(dequantize(tensor).data()) == 4 * count(tensor.shape), tensor.name
        writer = Writer(list(reader), reader.metadata(), reader.scalars())
        assert writer.to_bytes() == data, name


def test_tensors_of_older_releases_mean_the_same_when_they_are_written_as_todays():
    # A block is a line in these, or the tensor.
    for name, tensors in (("burn_0.20_q8s", 4), ("burn_0.20_q8s_block", 2)):
        data = support.read(support.data("rust/%s.bpk" % name))
        old = Reader.from_static(data)
        new = Reader.from_static(Writer(list(old), old.metadata(), old.scalars()).to_bytes())
        assert (len(new), old.dialect, new.dialect) == (tensors, "0.20-0.21", "0.22")
        for tensor in old:
            total = count(tensor.shape)
            values = struct.unpack_from("<%db" % total, tensor.data(), 0)
            factors = struct.unpack_from("<%df" % ((tensor.nbytes - total) // 4), tensor.data(), total)
            line = total // len(factors)
            wanted = array("f", [factors[at // line] * value for at, value in enumerate(values)])
            for either in (tensor, new.tensor(tensor.name)):
                assert bytes(numbers_of(either)) == bytes(wanted), (name, tensor.name)


def test_the_scales_are_multiplied_first_and_each_product_is_rounded():
    tensor = quantized(QFloat(block=((1,), "F16"), tensor="F32"), (1,), b"\x07\x00\x42", 0.7)
    scale = array("f", [0.7])
    scale[0] *= 3.0
    values_first = array("f", [0.7])
    values_first[0] *= 7 * 3.0
    assert bytes(numbers_of(tensor)) == bytes(array("f", [scale[0] * 7])) != bytes(values_first)


def test_the_parts_are_views_of_the_tensors_own_bytes():
    data = bytearray(b"\x01\xff\x02\x80" + struct.pack("<eef", 0.5, 2.0, 3.0))
    tensor = Tensor("w", TWO_LEVELS, (2, 2), data)
    values, blocks, tensor_scale = parts(tensor)
    assert (bytes(values), len(blocks), tensor_scale) == (b"\x01\xff\x02\x80", 4, 3.0)
    data[0] = 7
    data[4:6] = struct.pack("<e", 4.0)
    assert values[0] == 7 and bytes(blocks[:2]) == struct.pack("<e", 4.0)
    assert list(scales(tensor)) == [12.0, 6.0]
    assert list(numbers_of(tensor)) == [84.0, -12.0, 12.0, -768.0]


def test_one_level_of_scales_has_no_tensor_scale_beside_it():
    for scheme, expected in (
        (QFloat(), [1.5]),
        (QFloat(tensor="F32"), [1.5]),
        (QFloat(block=((4,), "F32")), [1.5]),
        (BLOCKS, [1.5, 0.25]),
    ):
        values, blocks, tensor_scale = parts(quantized(scheme, (4,), b"\1\2\3\4", *expected))
        assert (bytes(values), tensor_scale) == (b"\1\2\3\4", None)
        assert len(blocks) == 4 * len(expected)
        assert list(scales(quantized(scheme, (4,), b"\1\2\3\4", *expected))) == expected


def test_integers_with_a_byte_of_their_own_fill_it_whatever_their_range():
    for value in ("Q8F", "Q8S", "Q4F", "Q4S", "Q2F", "Q2S"):
        tensor = quantized(QFloat(value), (4,), b"\x00\x7f\x80\xff", 1.0)
        assert list(numbers_of(tensor)) == [0.0, 127.0, -128.0, -1.0]


def test_packed_values_lie_least_significant_bits_first_and_line_by_line():
    for scheme, shape, values, expected in (
        (QFloat("Q8S", WORDS), (5,), b"\x01\xfe\x03\xfc\x05\x00\x00\x00", [1, -2, 3, -4, 5]),
        (QFloat("Q4S", WORDS), (2, 3), b"\x21\xf3\xff\xff\xed\x07\xff\xff", [1, 2, 3, -3, -2, 7]),
        (QFloat("Q2S", WORDS), (5,), b"\xcd\x01\x00\x00", [1, -1, 0, -1, 1]),
        (QFloat("Q2S", ("PackedU32", 1)), (2, 2), b"\x01\0\0\0\x0c\0\0\0", [1, 0, 0, -1]),
        (QFloat("Q4F", ("PackedU32", 0)), (), b"\x08\0\0\0", [-8]),
        (QFloat("Q4F", ("PackedU32", 2)), (), b"\x07\0\0\0", [7]),
        (QFloat("E2M1", ("PackedNative", 0)), (2, 3), b"\x21\x07\xfa\x03", [0.5, 1, 6, -1, -6, 1.5]),
        (QFloat("E2M1", ("PackedNative", 1)), (3, 2), b"\x21\x43\x05\x06", [0.5, 1.5, 1, 2, 3, 4]),
    ):
        assert list(numbers_of(quantized(scheme, shape, values, 1.0))) == expected, (scheme, shape)


def test_a_block_that_is_cut_by_the_edge_has_a_scale_like_the_others():
    scheme = QFloat(block=((2, 2), "F32"))
    tensor = quantized(scheme, (3, 3), b"\1" * 9, 1.0, 2.0, 3.0, 4.0)
    assert list(numbers_of(tensor)) == [1, 1, 2, 1, 1, 2, 3, 3, 4]


def test_scales_of_any_sign_and_size_multiply_as_floats_do():
    infinity = float("inf")
    for scale, expected in (
        (-2.0, [-2.0, 2.0, -254.0]),
        (infinity, [infinity, -infinity, infinity]),
        (2.0**126, [2.0**126, -(2.0**126), infinity]),
        (2.0**-149, [2.0**-149, -(2.0**-149), 127 * 2.0**-149]),
        (0.0, [0.0, -0.0, 0.0]),
    ):
        found = numbers_of(quantized(QFloat(), (3,), b"\x01\xff\x7f", scale))
        assert bytes(found) == bytes(array("f", expected)), scale
    for number in numbers_of(quantized(QFloat(), (3,), b"\0\1\2", float("nan"))):
        assert number != number
    zero = numbers_of(quantized(QFloat(), (1,), b"\0", infinity))[0]
    assert zero != zero


def test_nothing_is_read_before_the_floats_are_asked_for():
    asked = []

    def data():
        asked.append(1)
        return b"\1\2\0\0\x80\x3f"

    tensor = dequantize(Tensor("w", QFloat(), (2,), data, 7))
    assert (tensor.name, tensor.dtype, tensor.shape, tensor.param_id) == ("w", "F32", (2,), 7)
    assert tensor.nbytes == 8 and not asked
    assert bytes(tensor.data()) == struct.pack("<ff", 1.0, 2.0) and len(asked) == 1
    buffer = bytearray(8)
    tensor.readinto(buffer)
    assert buffer == struct.pack("<ff", 1.0, 2.0) and len(asked) == 2


def test_tensors_of_a_stream_are_decoded_into_the_callers_buffer():
    memory = Reader.from_static(golden("quantized.bpk"))
    with open(support.path("tests/vectors/quantized/quantized.bpk"), "rb") as file:
        for tensor in Reader.from_stream(file):
            buffer = bytearray(4 * count(tensor.shape))
            dequantize(tensor).readinto(buffer)
            assert same_bits(buffer, dequantize(memory.tensor(tensor.name)).data()), tensor.name


def test_nothing_is_allocated_for_a_number_but_floats():
    if not hasattr(gc, "mem_alloc"):
        support.skip("this interpreter does not count what is allocated")
    floats = zeros(2000)
    one_float = taken(one_float_each, floats) // 2000
    for scheme, allowed in (
        (QFloat(), 2000 + 50),  # one for a number, one for a line
        (QFloat("Q4S", WORDS), 2000 + 50),
        (QFloat("Q2F", ("PackedU32", 1)), 2000 + 50),
        (QFloat(block=((50, 1), "BF16")), 2000 * 2),  # a number and its scale
        (QFloat("E4M3"), 2000 * 2 + 50),
    ):
        source = opened(Tensor("w", scheme, (50, 40), bytes(scheme.nbytes((50, 40)))))
        source.fill(floats)  # what is made once is made now
        assert one_float > 0 and taken(source.fill, floats) <= one_float * allowed, scheme


def one_float_each(floats):
    factor = 1.5
    for at in range(len(floats)):
        floats[at] = at * factor


def taken(function, argument):
    """Return the bytes that a call allocates, what becomes garbage included."""
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    function(argument)
    after = gc.mem_alloc()
    gc.enable()
    return after - before
