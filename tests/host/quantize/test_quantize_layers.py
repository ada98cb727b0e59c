"""Each layer in integers: bytes for bytes what the layer makes of the numbers that they stand for."""

import numpy as np
import pytest

from burnpack.errors import BurnpackError, InvalidTensor, Unsupported
from burnrt import Model, kernels, nn, tensor
from burnrt.functional.statistics import CumulativeSum
from burnstore.quantize import quantize_model
from burnstore.quantize.measure import measure
from kit.int8.quantizing import (
    Chain,
    answering,
    any_bytes,
    kernels_of,
    loaded,
    names_of,
    put,
    quantized_chain,
    samples,
    with_weights_of,
)

# What a rescaled sum may be off by, and a little for biases that are rounded and for 32-bit floats.
OFF_MOST = 0.5 + 2**-5 + 0.01

# The kernels that must be run, the shape of a sample, the layers.
CASES = {
    "linear": (["linear"], (7,), {"fc": nn.Linear(7, 5)}),
    "linear without bias": (["linear"], (7,), {"fc": nn.Linear(7, 5, bias=False)}),
    "linear of rows": (["linear"], (3, 4, 7), {"fc": nn.Linear(7, 5)}),
    "linear and relu": (["linear"], (7,), {"fc": nn.Linear(7, 5), "relu": nn.ReLU()}),
    "linear and relu6": (["linear"], (7,), {"fc": nn.Linear(7, 5), "relu": nn.Relu6()}),
    "linear and hardtanh": (["linear"], (7,), {"fc": nn.Linear(7, 5), "cut": nn.Hardtanh(-0.5, 0.25)}),
    "conv2d": (["conv2d"], (2, 5, 6), {"conv": nn.Conv2d(2, 3, 3)}),
    "conv2d of all kinds": (
        ["conv2d"],
        (4, 7, 9),
        {"conv": nn.Conv2d(4, 6, (3, 2), stride=(2, 1), padding=(1, 2), dilation=(1, 2), groups=2)},
    ),
    "conv2d of more outputs a group": (["conv2d"], (3, 5, 5), {"conv": nn.Conv2d(3, 6, 3, groups=3)}),
    "depthwise2d": (["depthwise2d"], (3, 5, 5), {"conv": nn.Conv2d(3, 3, 3, padding=1, groups=3)}),
    "depthwise2d of one": (["depthwise2d"], (1, 5, 5), {"conv": nn.Conv2d(1, 1, 3, stride=2)}),
    "conv1d": (["conv2d"], (2, 9), {"conv": nn.Conv1d(2, 3, 3, stride=2, padding=1)}),
    "depthwise conv1d": (["depthwise2d"], (3, 9), {"conv": nn.Conv1d(3, 3, 3, dilation=2, groups=3)}),
    "max pool": (["max_pool2d"], (2, 5, 6), {"pool": nn.MaxPool2d(2)}),
    "max pool of all kinds": (
        ["max_pool2d"],
        (2, 7, 8),
        {"pool": nn.MaxPool2d(3, stride=2, padding=1, dilation=(1, 2), ceil_mode=True)},
    ),
    "average pool": (["avg_pool2d"], (2, 5, 6), {"pool": nn.AvgPool2d(2)}),
    "average pool with padding": (["avg_pool2d"], (2, 5, 6), {"pool": nn.AvgPool2d(3, 2, padding=1)}),
    "average pool that rounds up": (
        ["avg_pool2d"],
        (2, 6, 5),
        {"pool": nn.AvgPool2d(3, 2, padding=1, ceil_mode=True)},
    ),
    "average pool without padding": (
        ["avg_pool2d"],
        (2, 6, 5),
        {"pool": nn.AvgPool2d((3, 2), 2, padding=(1, 0), ceil_mode=True, count_include_pad=False)},
    ),
    "max pool of lines": (["max_pool2d"], (2, 9), {"pool": nn.MaxPool1d(3, 2, padding=1)}),
    "average pool of lines": (["avg_pool2d"], (2, 9), {"pool": nn.AvgPool1d(4, padding=2)}),
    "global average pool of lines": (["avg_pool2d"], (3, 7), {"pool": nn.AdaptiveAvgPool1d(1)}),
    "adaptive average pool of lines": (["avg_pool2d"], (2, 7), {"pool": nn.AdaptiveAvgPool1d(3)}),
    "global average pool": (["avg_pool2d"], (3, 7, 5), {"pool": nn.AdaptiveAvgPool2d(1)}),
    "adaptive average pool that divides": (["avg_pool2d"], (2, 6, 8), {"pool": nn.AdaptiveAvgPool2d((3, 2))}),
    "adaptive average pool that overlaps": (["avg_pool2d"], (2, 7, 4), {"pool": nn.AdaptiveAvgPool2d(3)}),
    "adaptive average pool that is uneven": (["linear"], (2, 6, 10), {"pool": nn.AdaptiveAvgPool2d(4)}),
    "adaptive average pool that repeats": (["linear"], (2, 3, 2), {"pool": nn.AdaptiveAvgPool2d((5, 3))}),
    "adaptive largest that divides": (["max_pool2d"], (2, 6, 8), {"pool": nn.AdaptiveMaxPool2d((3, 2))}),
    "adaptive largest that overlaps": (["max_pool2d"], (2, 7), {"pool": nn.AdaptiveMaxPool1d(3)}),
    "adaptive average pool of one place": (["linear"], (2, 1, 1), {"pool": nn.AdaptiveAvgPool2d(3)}),
    "adaptive average pool of one row": (["linear"], (2, 1, 4), {"pool": nn.AdaptiveAvgPool2d((3, 2))}),
    "adaptive average pool of lines of one": (["linear"], (2, 1), {"pool": nn.AdaptiveAvgPool1d(4)}),
    "adaptive average pool of own height": (
        ["avg_pool2d"],
        (2, 4, 6),
        {"pool": nn.AdaptiveAvgPool2d((None, 3))},
    ),
    "average pool by a divisor": (
        ["avg_pool2d"],
        (2, 5, 5),
        {"pool": nn.AvgPool2d(2, 2, 1, divisor_override=3)},
    ),
    "conv2d that pads past its kernel": (["conv2d"], (2, 4, 5), {"conv": nn.Conv2d(2, 3, (1, 2), 2, (3, 4))}),
    "conv2d of one place, padded": (["conv2d"], (2, 1, 1), {"conv": nn.Conv2d(2, 3, 3, 1, 4, dilation=3)}),
    "depthwise2d that pads past its kernel": (
        ["depthwise2d"],
        (3, 4, 3),
        {"conv": nn.Conv2d(3, 3, 2, 1, 5, dilation=3, groups=3)},
    ),
    "conv1d that pads past its kernel": (["conv2d"], (2, 5), {"conv": nn.Conv1d(2, 3, 1, 1, 2)}),
    "conv2d padded to the same size": (
        ["conv2d"],
        (2, 4, 5),
        {"conv": nn.Conv2d(2, 3, (4, 2), padding="same")},
    ),
    "depthwise2d padded to the same size": (
        ["depthwise2d"],
        (3, 5, 4),
        {"conv": nn.Conv2d(3, 3, 4, padding="same", dilation=(2, 1), groups=3)},
    ),
    "batch norm without factors": (["depthwise2d"], (3, 4, 5), {"norm": nn.BatchNorm(3, affine=False)}),
    "batch norm": (["depthwise2d"], (3, 4, 5), {"norm": nn.BatchNorm(3)}),
    "batch norm of lines": (["depthwise2d"], (3, 5), {"norm": nn.BatchNorm(3)}),
    "batch norm of rows": (["depthwise2d"], (3,), {"norm": nn.BatchNorm(3)}),
    "relu": (["lookup"], (3, 4), {"relu": nn.ReLU()}),
    "relu6": (["lookup"], (3, 4), {"relu": nn.Relu6()}),
    "a slope for each channel": (["lookup_each"], (3, 4), {"slopes": nn.PRelu(3)}),
    "gelu": (["lookup"], (3, 4), {"gelu": nn.Gelu()}),
    "gelu by a tangent": (["lookup"], (3, 4), {"gelu": nn.Gelu("tanh")}),
    "elu": (["lookup"], (3, 4), {"elu": nn.ELU(0.5)}),
    "celu": (["lookup"], (3, 4), {"celu": nn.CELU(2.0)}),
    "mish": (["lookup"], (3, 4), {"mish": nn.Mish()}),
    "softplus": (["lookup"], (3, 4), {"soft": nn.Softplus(2.0, 3.0)}),
    "selu": (["lookup"], (3, 4), {"selu": nn.SELU()}),
    "log sigmoid": (["lookup"], (3, 4), {"soft": nn.LogSigmoid()}),
    "hardshrink": (["lookup"], (3, 4), {"shrink": nn.Hardshrink(0.4)}),
    "softshrink": (["lookup"], (3, 4), {"shrink": nn.Softshrink(0.4)}),
    "tanhshrink": (["lookup"], (3, 4), {"shrink": nn.Tanhshrink()}),
    "threshold": (["lookup"], (3, 4), {"shrink": nn.Threshold(0.1, -0.5)}),
    "rrelu": (["lookup"], (3, 4), {"relu": nn.RReLU()}),
    "softsign": (["lookup"], (3, 4), {"soft": nn.Softsign()}),
    "sigmoid": (["lookup"], (3, 4), {"sigmoid": nn.Sigmoid()}),
    "silu": (["lookup"], (3, 4), {"silu": nn.SiLU()}),
    "tanh": (["lookup"], (3, 4), {"tanh": nn.Tanh()}),
    "leaky relu": (["lookup"], (3, 4), {"leaky": nn.LeakyRelu(0.1)}),
    "hard sigmoid": (["lookup"], (3, 4), {"sigmoid": nn.HardSigmoid()}),
    "hard sigmoid of PyTorch": (["lookup"], (3, 4), {"sigmoid": nn.Hardsigmoid()}),
    "hard swish": (["lookup"], (3, 4), {"swish": nn.HardSwish()}),
    "prelu": (["lookup"], (3, 4), {"prelu": nn.PRelu()}),
    "tanh and relu": (["lookup"], (3, 4), {"tanh": nn.Tanh(), "relu": nn.ReLU()}),
    "softmax": (["softmax"], (10,), {"softmax": nn.Softmax(1)}),
    "softmax of rows": (["softmax"], (3, 10), {"softmax": nn.Softmax(-1)}),
    "softmax of channels": (["softmax"], (10, 1, 1), {"softmax": nn.Softmax(1)}),
}


def check(quantized, model, kinds, off_most=OFF_MOST):
    """Hold the answers to any bytes to those that the model gives with the weights that are in the file."""
    assert kernels_of(quantized) == kinds
    with_weights_of(model, quantized)
    given, made = (quantized.known[value] for value in (quantized.network.input, quantized.network.output))
    answer = answering(quantized)
    for seed in range(9):
        x = any_bytes(quantized, seed)
        numbers = tensor(given.numbers(x), quantized.network.input_shape)
        wanted = np.asarray(model(numbers), np.float64).reshape(-1) / made.scale + made.zero_point
        off = answer(x) - np.clip(wanted, 0, 255)
        assert np.abs(off).max() <= off_most, seed


@pytest.mark.parametrize(("kinds", "shape", "layers"), CASES.values(), ids=CASES)
def test_a_layer_in_integers_is_off_by_half_a_step(kinds, shape, layers):
    check(*quantized_chain(shape, **layers), kinds)
    check(*quantized_chain(shape, per="tensor", **layers), kinds)


@pytest.mark.parametrize(("kinds", "shape", "layers"), CASES.values(), ids=CASES)
def test_plain_kernels_answer_the_same_bytes(kinds, shape, layers):
    quantized, _ = quantized_chain(shape, **layers)
    answer = answering(quantized)
    kernels.int8.use("plain")
    try:
        plainly = answering(quantized)
    finally:
        kernels.int8.use()
    for x in [any_bytes(quantized, seed) for seed in range(3)]:
        assert plainly(x).tolist() == answer(x).tolist()


class Sum(nn.Module):
    """The sum of an input and what layers make of it."""

    def __init__(self, **layers):
        self.chain = Chain(**layers)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.chain(x) + x)


class Twice(nn.Module):
    def forward(self, x):
        return x + x


def test_a_sum_is_off_by_half_a_step():
    check(quantize_model(Twice(), samples((3, 4))), Twice(), ["add"])
    for shape, layers in (((3, 4), {"tanh": nn.Tanh()}), ((3, 4), {"a": nn.Hardtanh(-9, 9)})):
        # The table rounds once, and the sum does.
        check(quantize_model(Sum(**layers), samples(shape)), Sum(**layers), ["lookup", "add"], 1.1)


def test_a_sum_that_is_nothing_beside_what_is_added_is_not_refused():
    class Nearly(nn.Module):
        def __init__(self):
            self.fc = nn.Linear(3, 3, bias=False)

        def forward(self, x):
            return self.fc(x) + x

    model = Nearly()
    put(model.fc.weight, np.eye(3) * (-1 + 1e-6))
    quantized = quantize_model(model, samples((3,)))
    report = measure(quantized, samples((3,)))
    assert kernels_of(quantized) == ["linear", "add"]
    assert report.steps[1].largest <= 1.5 * report.steps[0].scale


def test_log_softmax_is_left_to_floats():
    model = loaded(Chain(fc=nn.Linear(6, 4), last=nn.LogSoftmax(1)))
    quantized = quantize_model(model, samples((6,)))
    assert kernels_of(quantized) == ["linear"]
    assert quantized.program.form.outputs[0].last == "LogSoftmax"
    integers = Model(quantized.to_bytes())
    for x in samples((6,)):
        found = np.array(integers(x).data)
        assert np.exp(found).sum() == pytest.approx(1, rel=1e-5)
        assert np.abs(found - np.asarray(model(tensor(x, (1, 6))))).max() < 4 * quantized.known[1].scale


def test_layers_that_compute_nothing_leave_no_step():
    layers = {"a": nn.Flatten(), "b": nn.Identity(), "fc": nn.Linear(12, 5), "c": nn.Dropout()}
    quantized, model = quantized_chain((3, 4), **layers)
    check(quantized, model, ["linear"])


def test_a_layer_called_twice_has_two_names():
    class Again(nn.Module):
        def __init__(self):
            self.input = nn.Linear(4, 4)

        def forward(self, x):
            return self.input(self.input(x))

    quantized = quantize_model(loaded(Again()), samples((4,)))
    assert names_of(quantized) == ["input@2", "input@3"]  # "input" is the model's
    scalars = [name for name, _ in quantized.scalars]
    assert len(set(scalars)) == len(scalars) == 6
    answering(quantized)(any_bytes(quantized, 0))


def test_what_is_not_needed_is_left_out():
    class Idle(nn.Module):
        def __init__(self):
            self.fc, self.idle = nn.Linear(4, 4), nn.Lstm(4, 4)
            self.unused = nn.Tanh()

        def forward(self, x):
            self.unused(x)
            return self.fc(x)

    model = Idle()
    loaded(model)
    assert kernels_of(quantize_model(model, samples((4,)))) == ["linear"]


class Own(nn.Relu):
    """A layer with a name of Burn's that computes something else."""

    def run(self, input, output):
        output.data[:] = input.data

    def bind(self, *values):
        return [(self.run, values)]


REFUSED = {
    "a layer that has no integers": (
        {"a": nn.Tanh(), "sums": CumulativeSum()},
        (4, 5),
        "sums: .* CumulativeSum",
    ),
    "a layer within another": ({"a": Chain(sums=CumulativeSum())}, (4, 5), "a.sums: .* CumulativeSum"),
    "a layer of one's own": ({"own": Own()}, (4,), "own: .*Own"),
    "log softmax in between": ({"s": nn.LogSoftmax(1), "t": nn.Tanh()}, (4,), "s: .*only be the last step"),
    "log softmax of another dimension": ({"s": nn.LogSoftmax(1)}, (4, 5), "s: .*along the last dimension"),
    "nothing": ({"flatten": nn.Flatten()}, (4, 5), "nothing is computed"),
    "rows longer than boards allow": ({"fc": nn.Linear(40_000, 1)}, (40_000,), "fc.weight: more inputs"),
    "a name with a space": ({"a b": nn.Tanh()}, (4,), "a b: a layer whose name has spaces"),
}


@pytest.mark.parametrize(("layers", "shape", "what"), REFUSED.values(), ids=REFUSED)
def test_what_has_no_integers_is_refused_by_name(layers, shape, what):
    model = loaded(Chain(**layers))
    with pytest.raises(Unsupported, match=what):
        quantize_model(model, samples(shape, 2))


def test_a_refusal_tells_what_there_is():
    with pytest.raises(Unsupported) as caught:
        quantize_model(loaded(Chain(sums=CumulativeSum())), samples((4, 5)))
    text = str(caught.value)
    assert "\n" not in text and "CumulativeSum" in text and "--float sums" in text and "convert" in text


def test_a_batch_that_a_model_takes_apart_is_refused():
    class Apart(nn.Module):
        def __init__(self):
            self.conv = nn.Conv2d(1, 2, 3)

        def forward(self, x):
            return self.conv(x.reshape((2, 1, 4, 4)))

    with pytest.raises(Unsupported, match="conv: its input does not begin with the batch"):
        quantize_model(loaded(Apart()), samples((2, 4, 4)))


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_parameters_that_are_not_finite_are_refused(wrong):
    for layer, name in ((nn.Linear(2, 2), "weight"), (nn.Linear(2, 2), "bias"), (nn.PRelu(), "alpha")):
        model = loaded(Chain(it=layer))
        param = getattr(layer, name)
        numbers = np.zeros(param.shape)
        numbers.flat[-1] = wrong
        put(param, numbers)
        with pytest.raises(InvalidTensor, match=r"it.%s: not all of its numbers" % name):
            quantize_model(model, np.abs(samples((2,))))


def test_numbers_that_overflow_where_no_input_leads_to_are_refused_without_a_warning():
    model = loaded(Chain(slope=nn.LeakyRelu(3e38)))
    given = np.array([[4.0, -0.1], [2.0, -0.5]])
    quantize_model(model, np.abs(given))
    with pytest.raises(InvalidTensor, match="not finite"):
        quantize_model(model, np.array([[4.0, -1.5], [2.0, -0.5]]))


def test_a_variance_below_zero_is_refused():
    model = loaded(Chain(norm=nn.BatchNorm(2)))
    put(model.norm.running_var, [1, -1])
    with pytest.raises(BurnpackError, match="norm"):
        quantize_model(model, samples((2,)))


@pytest.mark.parametrize("inputs", [32_768, 32_896, 32_897, 70_000])
def test_the_inputs_of_a_linear_have_one_limit(inputs):
    error = refusal_of(nn.Linear(inputs, 1), (inputs,))
    assert (error.item, error.expected, error.found) == ("layer.weight", "at most 32767", inputs)


def test_the_most_inputs_that_are_said_are_taken():
    quantize_model(loaded(Chain(layer=nn.Linear(32_767, 1))), samples((32_767,), 2)).to_bytes()


def test_a_divisor_below_0_is_refused():
    assert "divided" in str(refusal_of(nn.AvgPool2d(2, divisor_override=-1), (1, 4, 4)))


def refusal_of(layer, shape):
    with pytest.raises(Unsupported) as caught:
        quantize_model(loaded(Chain(layer=layer)), samples(shape, 2)).to_bytes()
    return caught.value
