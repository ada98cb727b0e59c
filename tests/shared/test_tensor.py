"""Tensors: what they declare, and how they come by their bytes."""

from burnpack.errors import InvalidTensor
from burnpack.qfloat import QFloat
from burnpack.tensor import Tensor
from kit import support


def test_the_length_follows_from_dtype_and_shape_unless_it_is_given():
    for dtype, shape, nbytes in (
        ("F32", (2, 3), 24),
        ("F32", (), 4),
        ("F64", (0, 9), 0),
        ("F4", (3,), 2),
        ("F6_E2M3", (5,), 4),
        ("C128", (2,), 32),
        ("Bool(U32)", [3], 12),
        (QFloat(), (4,), 8),
        ("X1", (4,), None),
    ):
        tensor = Tensor("w", dtype, shape, None)
        assert tensor.nbytes == nbytes and tensor.shape == tuple(shape), dtype
    assert Tensor("w", QFloat(), (4,), None, None, 99).nbytes == 99


def test_a_buffer_is_handed_out_as_it_is():
    buffer = bytearray(b"\1\2\3")
    tensor = Tensor("w", "U8", (3,), buffer, 7)
    assert tensor.data() is buffer and tensor.data() is buffer and tensor.param_id == 7


def test_a_provider_is_asked_each_time_and_only_then():
    asked = []

    def data():
        asked.append(1)
        return bytes(3)

    tensor = Tensor("w", "U8", (3,), data).renamed("v").renamed("w")
    assert asked == []
    tensor.data()
    tensor.data()
    assert len(asked) == 2


def test_bytes_of_another_length_are_refused():
    for data in (b"", bytes(2), lambda: bytes(4), memoryview(bytes(4))):
        error = support.raises(InvalidTensor, Tensor("net.w", "U8", (3,), data).data)
        assert str(error).startswith("net.w: wrong number of bytes (expected 3, found "), str(error)


def test_readinto_fills_the_callers_buffer_and_nothing_else():
    filled = []
    for tensor in (
        Tensor("w", "U8", (3,), b"\1\2\3"),
        Tensor("w", "U8", (3,), lambda: b"\1\2\3"),
        Tensor("w", "U8", (3,), None, None, None, lambda buffer: fill(buffer, filled)),
    ):
        buffer = bytearray(b"-----")
        tensor.readinto(memoryview(buffer)[1:4])
        assert bytes(buffer) == b"-\1\2\3-"
        support.raises(InvalidTensor, tensor.readinto, buffer)
    assert filled == [3]


def fill(buffer, filled):
    filled.append(len(buffer))
    buffer[:] = b"\1\2\3"


def test_renaming_keeps_all_else():
    tensor = Tensor("a", QFloat("Q4S"), (3,), b"\1\2\3\4\5\6\7", 12, 7)
    other = tensor.renamed("b")
    assert (other.name, tensor.name) == ("b", "a")
    assert (other.dtype, other.shape, other.param_id, other.nbytes) == (QFloat("Q4S"), (3,), 12, 7)
    assert other.data() is tensor.data()
