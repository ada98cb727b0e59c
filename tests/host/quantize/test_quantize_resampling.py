"""Planes and lines of other sizes, made of numbers between those that come in, in integers."""

import numpy as np
import pytest

from burnrt import functional as F
from burnrt import nn, tensor
from burnrt.kernels import int8
from burnstore.quantize import quantize_model
from kit.int8.quantizing import answering, any_bytes, kernels_of, samples

# The shape of a sample, and what is done.
BETWEEN = {
    "planes of twice the size": ((2, 3, 4), {"scale_factor": 2, "mode": "bilinear"}),
    "their corners where they were": (
        (2, 3, 4),
        {"scale_factor": 2, "mode": "bilinear", "align_corners": True},
    ),
    "planes of any size": ((2, 5, 4), {"size": (7, 3), "mode": "bilinear"}),
    "planes of a part of the rows": ((2, 5, 4), {"size": (2, 4), "mode": "bilinear"}),
    "one number of each plane": ((2, 5, 4), {"size": (1, 1), "mode": "bilinear", "align_corners": True}),
    "planes of one number": ((2, 1, 1), {"size": (3, 2), "mode": "bilinear"}),
    "by a factor that leaves a rest": ((1, 5, 5), {"scale_factor": 1.3, "mode": "bilinear"}),
    "lines": ((3, 5), {"scale_factor": 3, "mode": "linear"}),
    "nearest of another size": ((2, 3, 4), {"size": (5, 7)}),
}


class Resized(nn.Module):
    """Interpolate, and maybe cut below 0."""

    def __init__(self, how, cut=False):
        self.how = how
        self.cut = cut

    def forward(self, x):
        found = F.interpolate(x, **self.how)
        return F.relu(found) if self.cut else found


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("name", BETWEEN)
def test_numbers_between_others_are_off_by_less_than_a_step(name, cut):
    shape, how = BETWEEN[name]
    model = Resized(how, cut)
    quantized = quantize_model(model, samples(shape))
    assert kernels_of(quantized) == ["resample"]
    given, made = (quantized.known[value] for value in (quantized.network.input, quantized.network.output))
    for seed in range(3):
        x = any_bytes(quantized, seed)
        exact = np.asarray(model.forward(tensor(given.numbers(x).astype(np.float32), (1, *shape))).data)
        wanted = np.clip(exact / made.scale + made.zero_point, 0, 255)
        answer = answering(quantized)(x)
        # Half a step to round to a byte, and a weight is a whole number of parts of 256.
        assert np.abs(answer - wanted).max() <= 0.54 + 255 * given.scale / made.scale / 256
        int8.use("plain")
        try:
            assert np.array_equal(answering(quantized)(x), answer)
        finally:
            int8.use()


def test_weights_of_quarters_are_exact_and_no_number_changes_where_all_are_one():
    how = {"scale_factor": 2, "mode": "bilinear"}
    quantized = quantize_model(Resized(how), samples((1, 4, 4)))
    given, made = (quantized.known[value] for value in (quantized.network.input, quantized.network.output))
    for byte in (0, 17, 255):
        answer = answering(quantized)(np.full(16, byte, np.uint8))
        assert set(answer.tolist()) == {int(made.of(given.numbers(np.full(1, byte)))[0])}


def test_planes_that_are_copied_a_few_times_at_most_are_moved():
    quantized = quantize_model(Resized({"scale_factor": 2}), samples((2, 3, 4)))
    assert kernels_of(quantized) == ["copy"]
