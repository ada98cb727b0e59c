"""Ranges of least error, weights and biases that fit, channels made alike, and the choice between them."""

import numpy as np
import pytest

from burnpack.errors import InvalidTensor
from burnrt import nn
from burnstore.graph.operations import Convolution, Linear, Window
from burnstore.numerics.few_bits import least_square_scales
from burnstore.quantize import quantize_model
from burnstore.quantize.calibrate import bytes_of
from burnstore.quantize.choice import CHOICES
from burnstore.quantize.inputs import average
from burnstore.quantize.measure import measure
from burnstore.quantize.ranges import _centers, _with_least_error
from kit.models.chains import put

RANDOM = np.random.default_rng(7)


class Net(nn.Module):
    """Channels behind the first layer differ in size by `spread`, and the second layer makes up for that."""

    def __init__(self, spread=1.0):
        self.first, self.relu, self.second = nn.Linear(12, 16), nn.Relu(), nn.Linear(16, 4)
        random = np.random.default_rng(3)
        sizes = np.geomspace(1, spread, 16)
        fill(self.first, random.normal(0, 1, (12, 16)) * sizes, random.normal(0, 1, 16) * sizes)
        fill(self.second, random.normal(0, 1, (16, 4)) / sizes[:, None], random.normal(0, 1, 4))

    def forward(self, x):
        return self.second(self.relu(self.first(x)))


def fill(layer, weight, bias):
    put(layer.weight, weight)
    put(layer.bias, bias)


def error(numbers, ends):
    known = bytes_of(*ends)
    return np.square(known.numbers(known.of(numbers)) - numbers).mean()


@pytest.mark.parametrize("numbers", [RANDOM.normal(0, 1, 20000), np.abs(RANDOM.standard_t(3, 20000))])
def test_a_range_of_least_error_cuts_the_rarest_numbers_where_that_is_the_lesser_evil(numbers):
    whole = min(0.0, numbers.min()), numbers.max()
    edges = np.linspace(*whole, (1 << 12) + 1)
    counts = np.histogram(numbers, edges)[0]
    found = _with_least_error(_centers(whole)[counts > 0], counts[counts > 0])
    assert whole[0] <= found[0] <= 0 <= found[1] <= whole[1]
    assert error(numbers, found) < error(numbers, whole)


def test_a_range_that_all_numbers_fill_stays_whole():
    assert _with_least_error(_centers((-1.0, 1.0)), np.ones(1 << 12, np.int64)) == (-1.0, 1.0)


@pytest.mark.parametrize("padding", [0, 1, 2])
@pytest.mark.parametrize("groups", [1, 2])
def test_what_weights_multiply_on_average_gives_the_mean_of_the_output(padding, groups):
    out = (7 + 2 * padding - 5) // 2 + 1
    window = Window((7, 7), (out, out), (3, 3), (2, 2), (padding, padding), (2, 2))
    weight = RANDOM.normal(0, 1, (4, 4 // groups, 3, 3))
    common = {"name": "", "inputs": (0,), "output": 1, "count": 4 * out * out}
    operation = Convolution(**common, window=window, groups=groups, weight=weight, bias=np.zeros(4))
    x = RANDOM.normal(0, 1, (4, 7, 7))
    padded = np.pad(x, [(0, 0), (padding, padding + 2), (padding, padding + 2)])
    wanted = np.zeros(4)
    for channel in range(4):
        first = channel // (4 // groups) * (4 // groups)
        for row in range(out):
            for column in range(out):
                part = padded[
                    first : first + 4 // groups, 2 * row : 2 * row + 5 : 2, 2 * column : 2 * column + 5 : 2
                ]
                wanted[channel] += (weight[channel] * part).sum() / out**2
    assert np.allclose((weight * average(operation, x)).reshape(4, -1).sum(1), wanted)


def test_what_a_linear_multiplies_on_average_is_a_mean_over_rows():
    weight = RANDOM.normal(0, 1, (2, 3))
    linear = Linear(name="", inputs=(0,), output=1, count=8, rows=4, weight=weight, bias=np.zeros(2))
    x = RANDOM.normal(0, 1, (4, 3))
    assert np.allclose((weight * average(linear, x)).sum(1), (x @ weight.T).mean(0))


def test_fitted_scales_change_the_output_no_more_than_those_by_which_nothing_is_cut():
    rows, squares = RANDOM.standard_t(3, (5, 40)), np.square(RANDOM.normal(0, 1, (5, 40)))
    largest = np.abs(rows).max(1) / 127

    def lost(scales):
        found = np.clip(np.rint(rows / scales[:, None]), -127, 127) * scales[:, None]
        return (np.square(found - rows) * squares).sum(1)

    assert (lost(least_square_scales(rows, largest, 127, "channel", squares)) <= lost(largest)).all()
    assert (
        lost(least_square_scales(rows, largest, 127, "tensor", squares)).sum()
        <= lost(np.full(5, largest.max())).sum()
    )


def test_channels_of_unlike_sizes_are_made_alike():
    model, samples = Net(1000.0), RANDOM.normal(0, 1, (64, 12)).astype(np.float32)
    lost = {name: measure(quantize_model(model, samples, ranges=name), samples).rmse for name in CHOICES}
    assert lost["equalized"] < lost["mse"] / 3 and lost["auto"] == lost["equalized"]


def test_what_loses_least_on_samples_that_were_held_out_is_taken():
    quantized = quantize_model(Net(), RANDOM.normal(0, 1, (64, 12)).astype(np.float32))
    assert set(quantized.losses) == set(CHOICES) - {"auto"}
    assert quantized.method == min(quantized.losses, key=quantized.losses.get)


def test_biases_take_away_what_answers_are_off_on_average():
    model, samples = Net(), RANDOM.normal(0, 1, (64, 12)).astype(np.float32)
    plain, fitted = (
        measure(quantize_model(model, samples, ranges=name), samples).rmse for name in ("minmax", "fitted")
    )
    assert fitted < plain


def test_of_few_samples_none_are_held_out():
    quantized = quantize_model(Net(), RANDOM.normal(0, 1, (31, 12)).astype(np.float32))
    assert (quantized.method, quantized.losses) == ("minmax", {})


def test_a_percentile_is_kept_to():
    samples = RANDOM.standard_t(2, (64, 12)).astype(np.float32)
    whole, cut = (quantize_model(Net(), samples, percentile) for percentile in (None, 95))
    assert (cut.method, cut.losses) == ("fitted", {})
    assert cut.known[cut.network.input].scale < whole.known[whole.network.input].scale


@pytest.mark.parametrize("ranges", CHOICES)
def test_the_answer_keeps_its_whole_range(ranges):
    samples = RANDOM.standard_t(2, (64, 12)).astype(np.float32)
    quantized = quantize_model(Net(), samples, ranges=ranges)
    answers = np.concatenate(
        [values[quantized.network.output] for _, values in quantized.reference.values(samples)]
    )
    known = quantized.known[quantized.network.output]
    assert (np.abs(known.numbers(known.of(answers)) - answers) <= 1.01 * known.scale).all()


def test_other_names_of_ranges_are_refused():
    with pytest.raises(InvalidTensor, match="ranges are one of these"):
        quantize_model(Net(), np.ones((40, 12)), ranges="best")
