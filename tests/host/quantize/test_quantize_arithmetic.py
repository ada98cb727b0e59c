"""Arithmetic of values and constants in integers is close to floats, by the kernels that it should take."""

from math import inf

import pytest

from burnpack.errors import Unsupported
from burnpack.module import Param
from burnrt import functional as F
from burnrt import nn
from burnstore.quantize import quantize_model
from burnstore.quantize.measure import measure
from kit.int8.quantizing import kernels_of, samples
from kit.models.chains import Chain, loaded

SHAPE = (3, 4, 5)


class Net(nn.Module):
    """A function of a value, with parameters: numbers of channels, of a row, and of all."""

    def __init__(self, function):
        self.function = function
        self.channel, self.row, self.all = Param((3, 1, 1)), Param((5,)), Param(SHAPE)
        self.turned, self.fc, self.conv = Param((4, 1)), nn.Linear(5, 5), nn.Conv2d(3, 3, 1)

    def forward(self, x):
        return self.function(self, x)


def gate(net, x):
    return F.mul(x, F.sigmoid(F.mean(x, (2, 3), True)))


# What is computed, and the kernels that do it.
FUNCTIONS = {
    "product": (lambda net, x: x * F.sigmoid(x), "lookup multiply_strided"),
    "product of channels": (gate, "avg_pool2d lookup multiply_strided"),
    "product of planes": (lambda net, x: F.mean(x, 1, True) * x, "avg_pool2d multiply_strided"),
    "product of lines": (lambda net, x: F.mean(x, 3, True) * x, "avg_pool2d multiply_strided"),
    "outer product": (
        lambda net, x: F.mean(x, 3, True) * F.mean(x, 2, True),
        "avg_pool2d avg_pool2d multiply_strided",
    ),
    "product in the middle": (
        lambda net, x: x * F.amax(x, (1, 3), True),
        "max_pool2d max_pool2d multiply_strided",
    ),
    "square": (lambda net, x: x * x, "lookup"),
    "difference": (lambda net, x: x - F.tanh(x), "lookup add"),
    "difference of planes": (lambda net, x: F.mean(x, 1, True) - x, "avg_pool2d add_strided"),
    "sum of channels, cut": (lambda net, x: F.relu(x + F.amax(x, (2, 3), True)), "max_pool2d add_strided"),
    "a number": (lambda net, x: x * 2.5 - 1.0, "lookup"),
    "a factor a channel": (lambda net, x: x * net.channel, "depthwise2d"),
    "a shift a channel, and a number": (lambda net, x: (x - net.channel) * -3.0, "depthwise2d"),
    "a factor of a row": (lambda net, x: x * net.row, "multiply_strided"),
    "a shift of a line": (lambda net, x: net.turned - x, "add_strided"),
    "a divisor of a row": (lambda net, x: x / net.row, "multiply_strided"),
    "a shift of each": (lambda net, x: x + net.all, "add_strided"),
    "a factor of each": (lambda net, x: x * net.all, "multiply_strided"),
    "into a linear": (lambda net, x: net.fc(x) * 3.0 + 0.5, "linear"),
    "into a convolution": (lambda net, x: net.conv(x * net.channel * 2.0), "conv2d"),
    "means": (lambda net, x: F.mean(F.mean(x, 2), 1), "avg_pool2d avg_pool2d"),
    "sums": (lambda net, x: F.sum(x, (1, 3)), "avg_pool2d avg_pool2d"),
    "largest": (lambda net, x: F.max(x, 2)[0], "max_pool2d"),
    "magnitudes": (lambda net, x: F.abs(x), "lookup"),
    "roots": (lambda net, x: F.sqrt(F.abs(x)), "lookup lookup"),
    "logarithms": (lambda net, x: F.log(F.abs(x) + 1.0), "lookup lookup lookup"),
    "whole numbers": (lambda net, x: F.floor(x), "lookup"),
    "bounds": (lambda net, x: F.clamp(x, -0.5), "lookup"),
    "smaller of a number": (lambda net, x: F.minimum(x, 0.5), "lookup"),
    "powers": (lambda net, x: F.pow(F.abs(x), 1.5), "lookup lookup"),
    "where above": (lambda net, x: F.gt(x, 0.25), "lookup"),
    "a quotient of values": (
        lambda net, x: x / (F.amax(F.abs(x), (2, 3), True) + 1.0),
        "lookup max_pool2d lookup lookup multiply_strided",
    ),
    "smallest": (lambda net, x: F.amin(x, 2), "lookup max_pool2d lookup"),
    "larger of two": (lambda net, x: F.maximum(x, F.mean(x, 3, True)), "avg_pool2d add_strided add_strided"),
    "smaller of two": (lambda net, x: F.minimum(x, F.tanh(x)), "lookup add add"),
    "larger of a row": (lambda net, x: F.maximum(x, net.row), "add_strided add_strided"),
    "smaller of channels": (lambda net, x: F.minimum(net.channel, x), "depthwise2d depthwise2d"),
    "one of two": (
        lambda net, x: F.where(F.gt(F.tanh(x), 0.5), F.abs(x), x),
        "lookup lookup lookup add multiply_strided add",
    ),
    "equal to no number": (lambda net, x: F.eq(x, -inf) + F.minimum(x, inf), "lookup multiply_strided"),
    "rows of length one": (lambda net, x: F.normalize(x, dim=3), "normalize lookup"),
    "columns of length one": (lambda net, x: F.normalize(x), "copy normalize lookup copy"),
    "columns less a row": (lambda net, x: x[:, :, :, :1] - net.row, "copy copy add_strided"),
    "a row less columns": (lambda net, x: net.row - x[:, :, :, :1], "copy copy add_strided"),
    "means times a row": (lambda net, x: net.row * F.mean(x, 3, True), "avg_pool2d copy multiply_strided"),
    "variances": (lambda net, x: F.var(x, 3), "avg_pool2d add_strided lookup avg_pool2d lookup"),
    "a quotient": (lambda net, x: 2.0 / (F.abs(x) + 1.0), "lookup lookup lookup"),
}

STEEP = [FUNCTIONS[name][0] for name in ("whole numbers", "where above")]  # where a step changes much


def quantized(function):
    return quantize_model(loaded(Net(function), 3), samples(SHAPE))


@pytest.mark.parametrize(("function", "kernels"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_function_is_close_to_floats_by_the_kernels_that_it_should_take(function, kernels):
    found = quantized(function)
    assert kernels_of(found) == kernels.split()
    report = measure(found, samples(SHAPE, seed=1))
    assert report.steps[-1].ratio > (15 if function in STEEP else 28), report.steps


REFUSED = {
    "places": lambda net, x: F.max(x, 2)[1],
    "a power of a row": lambda net, x: F.pow(F.abs(x), net.row),
}


@pytest.mark.parametrize("function", REFUSED.values(), ids=REFUSED)
def test_what_has_no_integers_is_refused_by_name(function):
    with pytest.raises(Unsupported, match=r"MaxDim|Power"):
        quantized(function)


NORMS = {
    "layer": ((6, 20), nn.LayerNorm(20)),
    "layer of planes": ((3, 4, 5), nn.LayerNorm((4, 5))),
    "layer without factors": ((20,), nn.LayerNorm(20, elementwise_affine=False)),
    "root mean square": ((6, 20), nn.RmsNorm(20)),
    "group": ((6, 4, 5), nn.GroupNorm(2, 6)),
    "group of all": ((6, 9), nn.GroupNorm(1, 6, affine=False)),
    "instance": ((3, 4, 5), nn.InstanceNorm(3, affine=True)),
}


@pytest.mark.parametrize(("shape", "norm"), NORMS.values(), ids=NORMS)
def test_a_norm_and_a_relu_are_one_step_close_to_floats(shape, norm):
    found = quantize_model(loaded(Chain(norm=norm, relu=nn.Relu())), 3 * samples(shape) + 1)
    assert kernels_of(found) == ["normalize"]
    assert measure(found, 3 * samples(shape, seed=1) + 1).steps[0].ratio > 36


def test_too_many_numbers_to_a_mean_are_refused_with_the_most():
    with pytest.raises(Unsupported, match=r"more numbers to a mean than there can be .*at most 16512.*16513"):
        quantize_model(Chain(norm=nn.LayerNorm(16513, elementwise_affine=False)), samples((16513,), 1))
