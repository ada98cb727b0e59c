"""Parts without numbers, which exported networks have, take no step."""

import numpy as np
import pytest

from burnpack.errors import Unsupported
from burnrt import functional as F
from burnrt import nn
from burnstore.quantize import quantize_model
from burnstore.quantize.measure import measure
from kit.int8.quantizing import kernels_of, samples


class Calling(nn.Module):
    def __init__(self, function):
        self.function = function

    def forward(self, x):
        return self.function(x)


def empty(x):
    return F.narrow(x, 1, 0, 0)


def test_what_is_joined_with_a_part_without_numbers_is_what_it_was():
    given = samples((6, 3))
    for function in (
        lambda x: F.relu(F.cat([empty(x), x], 1)),
        lambda x: F.relu(F.cat([F.narrow(x, 1, 2, 4), empty(x), F.narrow(x, 1, 0, 2)], 1)),
        lambda x: F.relu(F.cat([empty(F.cat([x, empty(x)], 1)), x, x], 1)),
        lambda x: F.relu(F.cat([F.permute(empty(x), [0, 1, 2]), x], 1)),
    ):
        quantized = quantize_model(Calling(function), given)
        assert "fill" not in kernels_of(quantized)
        report = measure(quantized, given)
        assert report.rmse < 0.02 * report.deviation


@pytest.mark.parametrize(
    "function", [empty, lambda x: F.sigmoid(empty(x)), lambda x: F.cat([empty(x)] * 2, 1)]
)
def test_an_answer_without_numbers_is_refused(function):
    with pytest.raises(Unsupported):
        quantize_model(Calling(function), np.ones((4, 6, 3), np.float32))
