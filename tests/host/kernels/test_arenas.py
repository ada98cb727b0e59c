"""The caller's own arena is one piece of memory that can be written, of floats where kernels take floats."""

from array import array

import numpy as np
import pytest

from burnpack.errors import InvalidTensor, Malformed
from burnrt import Model, nn
from burnrt.kernels import int8 as kernels
from kit.int8.small_int8 import INPUT, OUTPUT, Parts
from kit.int8.small_program import Program, end

BYTES = 512

NOT_BYTES = (
    np.zeros(2 * BYTES, np.uint8)[::2],
    np.zeros((2, BYTES), np.uint8),
    np.zeros(BYTES, complex),
    np.zeros(BYTES, object),
    np.zeros(BYTES, "M8[s]"),
    np.array(1, np.uint8),
    memoryview(bytearray(2 * BYTES))[::-1],
    memoryview(bytes(BYTES)),
)
NOT_FLOATS = (
    np.zeros(BYTES, np.float64),
    np.zeros(BYTES, np.int32),
    np.zeros(BYTES, np.uint8),
    np.zeros(BYTES, ">f4"),
    np.zeros(2 * BYTES, np.float32)[::2],
    np.zeros((9, 9), np.float32),
)


ALL_BYTES = (
    np.zeros(BYTES, np.uint8),
    np.zeros(BYTES, np.int8),
    np.zeros(BYTES, np.float32),
    array("B", bytes(BYTES)),
    array("f", range(BYTES)),
    memoryview(bytearray(BYTES))[4:],
    memoryview(bytearray(BYTES)).cast("c"),
)


def in_integers(arena):
    return Model(Parts().to_bytes(), arena)


def in_floats(arena):
    """Return a model that answers the four floats that it is given."""
    parts = Program(32, [end((1, 4), 16)], [end((1, 4), 16)])
    parts.names = ["add"]
    return Model(parts.to_bytes(), arena)


@pytest.mark.parametrize("arena", NOT_BYTES)
def test_what_is_not_one_piece_of_bytes_is_refused(arena):
    with pytest.raises(Malformed, match="arena"):
        in_integers(arena)


@pytest.mark.parametrize("arena", NOT_FLOATS)
def test_what_is_not_one_piece_of_floats_is_refused(arena):
    with pytest.raises(InvalidTensor):
        nn.ReLU().plan((1, 4), arena)
    with pytest.raises(Malformed, match="arena"):
        in_floats(arena)


@pytest.mark.parametrize(
    "arena", (np.zeros(BYTES, np.float32), array("f", range(9)), memoryview(array("f", range(9))))
)
def test_any_one_piece_of_floats_is_taken(arena):
    assert list(in_floats(arena)([1.0, 2.5, -3.0, 0.0]).data) == [1.0, 2.5, -3.0, 0.0]


@pytest.mark.parametrize("name", ["numpy", "plain"])
def test_every_set_of_kernels_takes_every_buffer_of_bytes(name):
    kernels.use(name)
    try:
        for arena in ALL_BYTES:
            model = in_integers(arena)
            model.input[:] = INPUT
            model.run()
            assert bytes(model.output) == OUTPUT
    finally:
        kernels.use()
