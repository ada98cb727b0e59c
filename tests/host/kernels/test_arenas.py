"""The caller's own arena is one piece of the numbers that kernels take, whatever it is a buffer of."""

from array import array

import numpy as np
import pytest

from burnpack.errors import InvalidTensor
from burnpack.reader import Reader
from burnrt import int8, nn
from burnrt.kernels import int8 as kernels
from kit.int8.small_int8 import INPUT, OUTPUT, Parts

BYTES = 512

NOT_BYTES = (
    np.zeros(BYTES, np.int8),
    np.zeros(BYTES, bool),
    np.zeros(2 * BYTES, np.uint8)[::2],
    np.zeros((2, BYTES), np.uint8),
    np.zeros(BYTES, complex),
    np.zeros(BYTES, object),
    np.zeros(BYTES, "M8[s]"),
    np.array(1, np.uint8),
    memoryview(bytearray(BYTES)).cast("c"),
    memoryview(bytearray(2 * BYTES))[::-1],
)
NOT_FLOATS = (
    np.zeros(BYTES, np.float64),
    np.zeros(BYTES, np.int32),
    np.zeros(BYTES, ">f4"),
    np.zeros(2 * BYTES, np.float32)[::2],
    np.zeros((9, 9), np.float32),
)


def plan_of(arena):
    return int8.Model(Reader.from_static(Parts().to_bytes())).plan(None, arena)


@pytest.mark.parametrize("arena", NOT_BYTES)
def test_what_is_not_one_piece_of_bytes_is_refused(arena):
    with pytest.raises(InvalidTensor):
        plan_of(arena)


@pytest.mark.parametrize("arena", NOT_FLOATS)
def test_what_is_not_one_piece_of_floats_is_refused(arena):
    with pytest.raises(InvalidTensor):
        nn.ReLU().plan((1, 4), arena)


@pytest.mark.parametrize("name", ["numpy", "plain"])
def test_every_set_of_kernels_takes_every_buffer_of_bytes(name):
    kernels.use(name)
    try:
        for arena in (np.zeros(BYTES, np.uint8), array("B", bytes(BYTES)), memoryview(bytearray(BYTES))[4:]):
            plan = plan_of(arena)
            plan.input[:] = INPUT
            plan.run()
            assert bytes(plan.output) == OUTPUT
    finally:
        kernels.use()
