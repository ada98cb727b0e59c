"""Which numpy arrays a plan takes for its input."""

import numpy as np
import pytest

from burnpack.errors import InvalidTensor
from burnrt import int8, nn
from kit import support
from kit.int8.quantizing import opened, quantized_chain

SHAPE = (1, 3, 4)


def quantized():
    return int8.Model(opened(quantized_chain(SHAPE[1:], a=nn.ReLU())[0]))


@pytest.mark.parametrize("make", (nn.ReLU, quantized))
def test_an_array_is_flat_or_of_the_inputs_shape(make):
    plan = make().plan(SHAPE)
    for shape in (SHAPE, SHAPE[1:], (12,)):
        assert np.shape(plan(np.ones(shape))) == SHAPE
    for shape in ((2, 6), (1, 12), (4, 3), (1, 1, 3, 4), (1, 4, 3), (11,), ()):
        support.raises(InvalidTensor, plan, np.ones(shape))


def test_an_array_of_bytes_is_taken_for_quantized_numbers():
    model = quantized()
    assert "plan.input" in str(support.raises(InvalidTensor, model, np.ones(SHAPE, np.uint8)))
    assert model(np.ones(SHAPE, np.int32)).shape == SHAPE
