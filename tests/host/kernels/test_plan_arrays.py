"""Which numpy arrays a plan, and a model with a program, take for an input."""

from array import array

import numpy as np
import pytest

from burnpack.errors import InvalidTensor, Malformed
from burnrt import Model, nn
from kit import support
from kit.int8.quantizing import quantized_chain

SHAPE = (1, 3, 4)


def quantized():
    return Model(quantized_chain(SHAPE[1:], a=nn.ReLU())[0].to_bytes())


@pytest.mark.parametrize(
    ("make", "error"), ((lambda: nn.ReLU().plan(SHAPE), InvalidTensor), (quantized, Malformed))
)
def test_an_array_is_flat_or_of_the_inputs_shape(make, error):
    runs = make()
    for shape in (SHAPE, SHAPE[1:], (12,)):
        assert runs(np.ones(shape)).shape == SHAPE
    for shape in ((2, 6), (1, 12), (4, 3), (1, 1, 3, 4), (1, 4, 3), (11,), ()):
        support.raises(error, runs, np.ones(shape))


def test_an_array_of_bytes_is_taken_for_quantized_numbers():
    model = quantized()
    for given in (np.ones(SHAPE, np.uint8), np.ones(12, np.uint8), array("B", bytes(12)), model.output):
        assert "model.input" in str(support.raises(Malformed, model, given))
    for dtype in (np.int32, np.float16, np.float64):
        assert model(np.ones(SHAPE, dtype)).shape == SHAPE
