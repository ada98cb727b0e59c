"""What is folded together computes the same: in numbers whose sums and products are exact."""

from math import inf

import numpy as np
import pytest

from burnrt import nn, tensor
from burnrt.trace import trace
from burnstore.graph.fold import fold_scales
from burnstore.graph.fuse import fuse_clips
from burnstore.graph.layers import integer_network
from burnstore.graph.operations import AveragePool, Convolution, Linear, Lookup, MaxPool
from kit.int8.quantized_steps import computed
from kit.int8.quantizing import Chain, loaded, put


class Halved(nn.Module):
    """A value that two layers read."""

    def __init__(self):
        self.conv, self.norm, self.relu = nn.Conv2d(2, 3, 1), nn.BatchNorm(3), nn.ReLU()

    def forward(self, x):
        x = self.conv(x)
        return self.norm(x) + self.relu(x)


def exact_norm(channels, seed):
    """Return a BatchNorm whose factors are powers of two, and its shifts halves."""
    random = np.random.default_rng(seed)
    norm = nn.BatchNorm(channels, eps=0)
    put(norm.gamma, random.choice([-2, -1, 0.5, 4], channels))
    put(norm.beta, random.integers(-4, 5, channels) / 2)
    put(norm.running_mean, random.integers(-4, 5, channels))
    put(norm.running_var, random.choice([0.25, 1, 4, 16], channels))
    return norm


def exact(layer, seed):
    random = np.random.default_rng(seed)
    for param in (layer.weight, layer.bias):
        if param is not None:
            put(param, random.integers(-8, 9, param.shape))
    return layer


def folded(model, shape):
    found = integer_network(trace(model, (1, *shape)))
    fold_scales(found)
    fuse_clips(found)
    return found


def check(model, shape, kinds):
    """Fold the model into operations of these kinds, which answer exactly what it does."""
    network = folded(model, shape)
    assert [type(operation) for operation in network.operations] == kinds
    x = np.random.default_rng(9).integers(-8, 9, shape).astype(float)
    wanted = np.asarray(model(tensor(x.astype(np.float32)[None])), np.float64).reshape(-1)
    for operation in network.operations:
        x = computed(operation, [x])
    assert (x == wanted).all() and len(wanted) > 1


BACKWARDS = {
    "linear": ((5,), nn.Linear(5, 4), 4),
    "conv2d": ((2, 4, 3), nn.Conv2d(2, 3, 3, padding=1, bias=False), 3),
    "conv2d of groups": ((4, 4, 4), nn.Conv2d(4, 6, 2, stride=2, groups=2), 6),
    "depthwise": ((3, 4, 4), nn.Conv2d(3, 3, 3, groups=3, dilation=1), 3),
    "conv1d": ((2, 6), nn.Conv1d(2, 3, 3, padding=1, dilation=2), 3),
}
FORWARDS = {
    "linear": ((5,), nn.Linear(5, 4), 5),
    "conv2d": ((2, 4, 3), nn.Conv2d(2, 3, 3, stride=2), 2),
    "conv2d of groups": ((4, 4, 4), nn.Conv2d(4, 6, 2, groups=2), 4),
    "depthwise": ((3, 4, 4), nn.Conv2d(3, 6, 3, groups=3), 3),
    "conv1d": ((2, 6), nn.Conv1d(2, 3, 3), 2),
}


@pytest.mark.parametrize(("shape", "layer", "channels"), BACKWARDS.values(), ids=BACKWARDS)
def test_a_norm_goes_into_the_layer_before_it(shape, layer, channels):
    model = Chain(layer=exact(layer, 1), norm=exact_norm(channels, 2))
    check(model, shape, [Linear if len(shape) == 1 else Convolution])


@pytest.mark.parametrize(("shape", "layer", "channels"), FORWARDS.values(), ids=FORWARDS)
def test_a_norm_that_comes_first_goes_into_the_layer_behind_it(shape, layer, channels):
    model = Chain(norm=exact_norm(channels, 2), layer=exact(layer, 1))
    check(model, shape, [Linear if len(shape) == 1 else Convolution])


def test_norms_on_both_sides_go_into_one_layer():
    layers = {"before": exact_norm(2, 1), "conv": exact(nn.Conv2d(2, 3, 2), 2), "behind": exact_norm(3, 3)}
    check(Chain(**layers, again=exact_norm(3, 4)), (2, 3, 3), [Convolution])


def test_a_norm_goes_through_flatten_into_the_linear_layer_behind_it():
    linear = exact(nn.Linear(2 * 3 * 4, 5), 2)
    check(
        Chain(norm=exact_norm(2, 1), flatten=nn.Flatten(), drop=nn.Dropout(), fc=linear), (2, 3, 4), [Linear]
    )


def test_a_norm_that_has_no_neighbour_to_go_into_is_a_convolution_of_its_own():
    padded = exact(nn.Conv2d(2, 3, 3, padding=1), 2)
    check(Chain(norm=exact_norm(2, 1), conv=padded), (2, 3, 4), [Convolution] * 2)
    behind = exact(nn.Conv2d(2, 3, 2, padding="same"), 2)  # padded on two sides only
    check(Chain(norm=exact_norm(2, 1), conv=behind), (2, 3, 4), [Convolution] * 2)
    check(Chain(norm=exact_norm(2, 1)), (2, 3, 4), [Convolution])
    check(Chain(norm=exact_norm(2, 1)), (2, 5), [Convolution])
    check(Chain(norm=exact_norm(2, 1)), (2,), [Convolution])


def test_a_norm_of_rows_of_a_linear_layer_is_not_one_of_its_outputs():
    linear = exact(nn.Linear(4, 3), 2)
    check(Chain(fc=linear, norm=exact_norm(3, 1)), (3, 4), [Linear, Convolution])


def test_a_norm_of_channels_that_flatten_has_joined_stays_apart():
    layers = {"conv": exact(nn.Conv2d(1, 2, 2), 1), "flatten": nn.Flatten(), "norm": exact_norm(8, 2)}
    check(Chain(**layers), (1, 3, 3), [Convolution, Convolution])


def test_a_value_that_two_layers_read_is_left_alone():
    network = folded(loaded(Halved()), (2, 3, 3))
    names = [operation.name for operation in network.operations]
    assert names == ["conv", "norm", "relu", "Add"]
    assert isinstance(network.operations[1], Convolution) and isinstance(network.operations[2], Lookup)


CUTS = {
    "relu": ({"a": nn.ReLU()}, 0, inf),
    "relu6": ({"a": nn.Relu6()}, 0, 6),
    "hardtanh": ({"a": nn.Hardtanh(-2, 3)}, -2, 3),
    "two that meet": ({"a": nn.Relu6(), "b": nn.Hardtanh(-2, 3)}, 0, 3),
    "two that do not": ({"a": nn.ReLU(), "b": nn.Hardtanh(-2, -1)}, -1, -1),
}


@pytest.mark.parametrize(("layers", "low", "high"), CUTS.values(), ids=CUTS)
def test_cuts_go_into_what_is_before_them(layers, low, high):
    for first, kind in (
        (nn.Conv2d(2, 2, 1), Convolution),
        (nn.AvgPool2d(2), AveragePool),
        (nn.Tanh(), Lookup),
    ):
        (operation,) = folded(loaded(Chain(first=first, **layers)), (2, 4, 4)).operations
        assert isinstance(operation, kind) and (operation.low, operation.high) == (low, high)


def test_a_cut_behind_a_max_pool_goes_into_what_is_before_that():
    layers = {"conv": nn.Conv2d(1, 2, 3), "pool": nn.MaxPool2d(2), "flatten": nn.Flatten(), "relu": nn.ReLU()}
    conv, pool = folded(loaded(Chain(**layers)), (1, 6, 6)).operations
    assert isinstance(conv, Convolution) and isinstance(pool, MaxPool)
    assert conv.low == pool.low == 0


@pytest.mark.parametrize("first", [nn.Softmax(-1), nn.MaxPool2d(2)])
def test_a_cut_with_nothing_before_it_that_cuts_is_a_table(first):
    kinds = [
        type(operation) for operation in folded(Chain(first=first, relu=nn.ReLU()), (1, 4, 4)).operations
    ]
    assert kinds[1:] == [Lookup]
    assert [type(one) for one in folded(Chain(relu=nn.ReLU()), (3,)).operations] == [Lookup]
