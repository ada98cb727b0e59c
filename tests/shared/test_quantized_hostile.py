"""Quantized tensors whose parts do not belong together are refused, before anything is made for them."""

import struct

from burnpack.errors import InvalidTensor, LimitExceeded, Unsupported
from burnpack.qfloat import QFloat
from burnpack.quantized import dequantize, opened, parts, scales, zeros
from burnpack.tensor import Tensor
from kit import support

BLOCKS = QFloat(block=((2,), "F32"))
TWO_LEVELS = QFloat(block=((2,), "F16"), tensor="F32")
WORDS = ("PackedU32", 0)


def test_bytes_that_do_not_fit_are_refused_before_they_are_asked_for():
    def unread():
        raise AssertionError("asked for")

    for scheme, shape, nbytes, expected in (
        (QFloat(), (4,), 7, "expected 8, found 7"),
        (QFloat(), (4,), 9, "expected 8, found 9"),
        (QFloat(), (4,), 0, "expected 8, found 0"),
        (QFloat(), (0,), 0, "expected 4, found 0"),
        (BLOCKS, (5,), 13, "expected 17, found 13"),
        (TWO_LEVELS, (4,), 8, "expected 12, found 8"),
        (QFloat("Q4S", WORDS), (3, 3), 8 + 4, "expected 16, found 12"),
        (QFloat("Q4S", ("PackedU32", 2)), (3, 3), 16, "a dimension it does not have"),
        (QFloat("E2M1", ("PackedNative", 9)), (3,), 16, "a dimension it does not have"),
        (QFloat(block=((2, 2), "F32")), (4,), 12, "more dimensions than the tensor"),
        (QFloat(block=((2,), "F32")), (), 5, "more dimensions than the tensor"),
        (QFloat(), (1 << 40, 1 << 20), 8, "found 8"),
        (QFloat("Q2S", WORDS), (1 << 62,), 8, "found 8"),
        (QFloat(block=((1,), "F32")), (1 << 62,), 1 << 32, "found 4294967296"),
    ):
        tensor = Tensor("w", scheme, shape, unread, None, nbytes)
        for function in (parts, opened, scales, dequantize):
            error = support.raises(InvalidTensor, function, tensor)
            assert error.item == "w" and expected in str(error), str(error)


def test_a_provider_of_another_length_is_refused():
    tensor = Tensor("w", QFloat(), (4,), lambda: bytes(7), None, 8)
    for function in (parts, scales, dequantize(tensor).data):
        arguments = () if function not in (parts, scales) else (tensor,)
        assert support.raises(InvalidTensor, function, *arguments).item == "w"


def test_plain_tensors_and_tables_that_are_not_there_are_refused():
    assert "F32" in str(support.raises(InvalidTensor, parts, Tensor("w", "F32", (1,), bytes(4))))
    lookup = Tensor("w", QFloat("Q4S", mode="Lookup"), (1,), bytes(5))
    assert support.raises(Unsupported, dequantize, lookup).item == "w"


def test_more_numbers_than_there_are_cannot_be_asked_for():
    source = opened(Tensor("w", BLOCKS, (2, 2), b"\1\2\3\4" + struct.pack("<ff", 1.0, 2.0)))
    for length, start in ((5, 0), (1, 4), (3, 2), (1, -1)):
        support.raises(InvalidTensor, source.fill, zeros(length), start)
    source.fill(zeros(0), 4)


def test_tensors_without_elements_have_no_numbers():
    for scheme, shape in (
        (QFloat(), (0,)),
        (BLOCKS, (3, 0)),
        (QFloat("Q4S", WORDS), (3, 0)),
        (QFloat("Q4S", ("PackedU32", 1)), (0, 3)),
        (TWO_LEVELS, (0, 1 << 40)),
    ):
        tensor = Tensor("w", scheme, shape, bytes(scheme.nbytes(shape)))
        assert len(dequantize(tensor).data()) == 0
        assert len(scales(tensor)) == (1 if scheme.block is None else 0)


def test_floats_that_no_memory_holds_are_an_error_of_ours():
    support.raises(LimitExceeded, zeros, 1 << 60)
