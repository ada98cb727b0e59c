"""Quantized tensors with numpy: bit for bit as the portable code has them; ml_dtypes judges small floats."""

import json
from array import array

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnpack import quantized as portable
from burnpack import quantized_writer, small_float
from burnpack.errors import InvalidTensor, Unsupported
from burnpack.qfloat import SCALES, VALUES, QFloat
from burnpack.quantized_writer import NARROW, RANGES
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from burnstore.numerics.quantized import dequantize, encode, fitting_scales, parts, quantize, quantized_tensor
from kit import support

INTEGERS = list(RANGES)
SMALL = [value for value in VALUES if value not in RANGES]
EDGES = [0.0, -0.0, 1.0, -0.5, np.nan, np.inf, -np.inf, 2.0**-149, 2.0**-126, 3e38, -3e38]

JUDGES = [
    pytest.param(small_float.decode_e5m2, ml_dtypes.float8_e5m2, 256, id="E5M2"),
    pytest.param(small_float.decode_e4m3, ml_dtypes.float8_e4m3fn, 256, id="E4M3"),
    pytest.param(small_float.decode_e2m1, ml_dtypes.float4_e2m1fn, 16, id="E2M1"),
    pytest.param(small_float.decode_ue8m0, ml_dtypes.float8_e8m0fnu, 256, id="UE8M0"),
]


@st.composite
def shapes_and_schemes(draw, values, rules_only=False):
    """Return a shape and a scheme that suits it."""
    extents = st.sampled_from([1, 2, 3, 4, 5, 9, 0])
    shape = tuple(draw(st.lists(extents, max_size=4)))
    value = draw(st.sampled_from(values))
    stores = ["Native", "PackedNative", "PackedU32"]
    store = draw(st.sampled_from(stores))
    if store != "Native":
        store = store, draw(st.integers(0, max(len(shape) - 1, 0)))
    block = draw(st.lists(st.integers(1, 4), max_size=len(shape)))
    dtype = draw(st.sampled_from(list(SCALES)))
    levels = draw(st.sampled_from(["default", "tensor", "block", "both"]))
    if levels == "both" and rules_only:
        dtype = draw(st.sampled_from(quantized_writer.UNDER_A_TENSOR_SCALE))
    outer = {"default": None, "tensor": dtype, "block": None, "both": "F32"}[levels]
    blocks = (tuple(block), dtype) if levels in ("block", "both") else None
    return shape, QFloat(value, store, "Symmetric", outer, blocks)


def numbers_for(seed, shape):
    """Return an array of numbers that are hard to round, or at the edges of binary32."""
    random = np.random.default_rng(seed)
    kinds = (
        random.choice(np.float32(EDGES), shape),
        (random.integers(-300, 300, shape) / 2).astype(np.float32),
        random.standard_normal(shape, np.float32) * np.float32(2.0 ** random.integers(-140, 120)),
        random.integers(0, 1 << 32, shape, np.uint32).view(np.float32),
    )
    often = random.dirichlet([0.3, 1, 1, 0.3])  # so that not every tensor has an infinity
    return np.choose(random.choice(4, shape, p=often), kinds)


def assert_same_numbers(found, expected):
    """Hold bits against bits; all NaNs are one."""
    no_number = np.isnan(expected)
    np.testing.assert_array_equal(np.isnan(found), no_number)
    np.testing.assert_array_equal(found[~no_number].view(np.uint32), expected[~no_number].view(np.uint32))


def portably(tensor):
    floats = np.frombuffer(portable.dequantize(tensor).data(), "<f4")
    return floats.reshape(tensor.shape)


@pytest.mark.parametrize(("decode", "judge", "codes"), JUDGES)
def test_all_codes_of_small_floats_mean_what_the_judge_says(decode, judge, codes):
    expected = np.arange(codes, dtype=np.uint8).view(judge).astype(np.float64)
    np.testing.assert_array_equal(np.array([decode(code) for code in range(codes)]), expected)
    signs = np.signbit(expected) & ~np.isnan(expected)
    np.testing.assert_array_equal(
        np.signbit([decode(code) for code in range(codes)]) & ~np.isnan(expected), signs
    )


@given(st.integers(0, 1 << 32), shapes_and_schemes(list(VALUES)))
def test_any_bytes_stand_for_the_same_numbers_as_in_the_portable_code(seed, case):
    shape, scheme = case
    data = np.random.default_rng(seed).bytes(scheme.nbytes(shape))
    tensor = Tensor("w", scheme, shape, data)
    found = dequantize(tensor)
    assert (found.shape, found.dtype) == (shape, np.float32)
    assert_same_numbers(found, portably(tensor))


@given(st.integers(0, 1 << 32), shapes_and_schemes(INTEGERS, rules_only=True))
def test_any_numbers_become_the_same_bytes_as_in_the_portable_code(seed, case):
    shape, scheme = case
    numbers = numbers_for(seed, shape)
    found = quantize(numbers, scheme)
    assert found.tobytes() == quantized_writer.quantize(array("f", numbers.tobytes()), shape, scheme)


@given(st.data(), st.sampled_from(["Q8S", "Q4S", "Q2S"]))
def test_symmetric_kinds_come_back_the_same_when_quantized_again(data, value):
    sizes = st.floats(2.0**-100, 2.0**100, width=32)
    signed = st.tuples(sizes, st.sampled_from([1, -1])).map(lambda pair: pair[0] * pair[1])
    numbers = np.array(data.draw(st.lists(signed, min_size=8, max_size=8)), np.float32)
    scheme = QFloat(value, block=((4,), "F32"))
    once = quantize(numbers, scheme)
    again = quantize(dequantize(Tensor("w", scheme, (8,), once.data)), scheme)
    assert again.tobytes() == once.tobytes()


@pytest.mark.parametrize("dtype", NARROW)
def test_random_scales_are_rounded_up_to_the_next_that_the_dtype_has(dtype):
    random = np.random.default_rng(3)
    wanted = np.abs(random.standard_normal(5000) * 2.0 ** random.integers(-30, 12, 5000)).astype(np.float32)
    wanted = np.append(wanted, np.float32([0, np.nan, np.inf, 2.0**-149, 3e38]))
    scheme = QFloat(block=((), dtype))
    data = encode(np.zeros_like(wanted), scheme, wanted)
    used = parts(Tensor("w", scheme, wanted.shape, data.data)).scales
    largest = np.float32(NARROW[dtype][0](NARROW[dtype][1]))
    fits = wanted < largest
    assert np.all(used[fits] >= wanted[fits])
    assert np.all(used[~fits & ~np.isnan(wanted)] == largest)
    buffer = bytearray(2)
    for number, expected in zip(wanted, data[len(wanted) :].reshape(len(wanted), -1), strict=True):
        quantized_writer.put_scale(float(number), dtype, buffer, 0)
        assert bytes(buffer[: SCALES[dtype]]) == expected.tobytes(), number


def test_what_burn_quantized_stands_for_the_numbers_that_burn_says():
    expected = json.loads(support.read(support.data("rust/quantized_values.json")))
    with open(support.data("rust/quantized_values.bpk"), "rb") as file:
        tensors = list(Reader.from_stream(file))
        assert len(tensors) == 45
        for tensor in tensors:
            wanted = np.array(expected[tensor.name], np.float32)
            assert dequantize(tensor).tobytes() == wanted.tobytes(), tensor.name
            size = np.arange(wanted.size)
            numbers = ((37 * size % 101 - 50) / 16 * (1 + size // 8)).reshape(tensor.shape)
            assert quantize(numbers, tensor.dtype).tobytes() == bytes(tensor.data()), tensor.name


def test_integers_that_are_not_packed_are_a_view():
    data = bytearray(b"\x01\xff\x02\x80" + np.array([0.5, 2.0], "<f4").tobytes())
    found = parts(Tensor("w", QFloat(block=((2,), "F32")), (2, 2), data))
    assert found.values.dtype == np.int8 and found.values.tolist() == [[1, -1], [2, -128]]
    assert np.shares_memory(found.values, np.frombuffer(data, np.uint8))
    assert found.scales.tolist() == [[0.5], [2.0]]


def test_packed_integers_and_small_floats_are_unpacked():
    words = QFloat("Q4S", ("PackedU32", 0))
    found = parts(Tensor("w", words, (3,), b"\xf1\x07\0\0" + np.array([2.0], "<f4").tobytes()))
    assert found.values.dtype == np.int8 and found.values.tolist() == [1, -1, 7]
    assert found.scales.tolist() == [2.0]
    pairs = QFloat("E2M1", ("PackedNative", 0), block=((2,), "UE8M0"))
    found = parts(Tensor("w", pairs, (3,), b"\x21\x0f" + b"\x7f\x80"))
    assert found.values.dtype == np.float32 and found.values.tolist() == [0.5, 1.0, -6.0]
    assert found.scales.tolist() == [1.0, 2.0]


def test_numbers_beyond_what_small_floats_need_of_a_byte_are_passed_over():
    tensor = Tensor("w", QFloat("E2M1"), (2,), b"\xf1\x1f" + np.array([1.0], "<f4").tobytes())
    assert dequantize(tensor).tolist() == portably(tensor).tolist() == [0.5, -6.0]


def test_scales_of_ones_own_are_used():
    scheme = QFloat(block=((2,), "F32"))
    data = encode([1.0, -2.0, 100.0, 0.2], scheme, [0.5, 0.5])
    assert data[:4].tobytes() == b"\x02\xfc\x7f\x00"
    assert fitting_scales([[1.0, -2.0], [127.0, 0.2]], scheme).tolist() == [
        [np.float32(4) / np.float32(254)],
        [1.0],
    ]


@pytest.mark.parametrize("scales", [[1.0], 1.0, [[1.0, 2.0]], [1.0, 2.0, 3.0]])
def test_scales_of_another_number_than_blocks_are_refused(scales):
    with pytest.raises(InvalidTensor, match="scales"):
        encode([1.0, 2.0, 3.0, 4.0], QFloat(block=((2,), "F32")), scales)


def test_a_quantized_tensor_is_made_when_its_bytes_are_asked_for():
    numbers = np.zeros(3, np.float32)
    tensor = quantized_tensor("w", numbers, QFloat(), 5)
    numbers[:] = [127, -127, 64]
    assert (tensor.name, tensor.shape, tensor.param_id, tensor.nbytes) == ("w", (3,), 5, 7)
    assert dequantize(tensor).tolist() == [127, -127, 64]


def test_schemes_and_tensors_that_do_not_suit_are_refused():
    with pytest.raises(Unsupported):
        quantized_tensor("w", np.zeros(3), QFloat("E4M3"))
    with pytest.raises(InvalidTensor, match="more dimensions"):
        quantize(np.zeros(4), QFloat(block=((2, 2), "F32")))
    with pytest.raises(InvalidTensor, match="expected 8, found 7"):
        dequantize(Tensor("w", QFloat(), (4,), bytes(7), nbytes=7))
    with pytest.raises(Unsupported, match="w: numpy has no such array"):
        dequantize(Tensor("w", QFloat(), (0, 1 << 62), bytes(4)))
    with pytest.raises(InvalidTensor, match="not a quantized tensor"):
        parts(Tensor("w", "F32", (1,), bytes(4)))
