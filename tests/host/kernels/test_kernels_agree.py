"""The kernels on numpy answer as those in plain Python do, whatever the sizes."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from burnpack.errors import InvalidTensor
from burnpack.module import walk
from burnrt import kernels, nn
from burnrt.value import Value, allocate
from kit.examples import examples

SETTINGS = examples(1, suppress_health_check=[HealthCheck.filter_too_much])  # few sizes fit each other
CLOSE = {"rtol": 2e-5, "atol": 2e-5}

small = st.integers(1, 4)
extents = st.tuples(st.integers(1, 9), st.integers(1, 9))
pairs = st.tuples(small, small)
paddings = st.tuples(st.integers(0, 4), st.integers(0, 4))
seeds = st.integers(0, 2**32 - 1)


@pytest.fixture(autouse=True)
def usual_kernels():
    yield
    kernels.use()


def fill(layer, seed):
    """Give the layer's parameters random numbers; return where more of them come from."""
    random = np.random.default_rng(seed)
    for _, _, param in walk(layer):
        param.data = random.uniform(0.1, 1.0, param.shape).astype("<f4").tobytes()
    return random


def both(layer, shape, seed):
    """Check that both sets of kernels give this layer the same output for random numbers."""
    random = fill(layer, seed)
    x = random.normal(0.0, 3.0, shape).astype(np.float32)
    try:
        layer.output_shape(shape)
    except InvalidTensor:
        assume(False)
    answers = []
    for chosen in ("numpy", "plain"):
        kernels.use(chosen)
        answer = layer(Value(kernels.floats(x.reshape(-1)), shape))
        answer = answer[0] if isinstance(answer, tuple) else answer  # and a state
        assert answer.shape == layer.output_shape(shape)
        answers.append(np.array(answer))
    np.testing.assert_allclose(answers[0], answers[1], **CLOSE)


def made(cls, *arguments, **keywords):
    """Return the layer; a combination that no layer can have is passed over."""
    try:
        return cls(*arguments, **keywords)
    except InvalidTensor:
        assume(False)


@SETTINGS
@given(small, st.integers(1, 3), small, small, extents, pairs, pairs, paddings, pairs, st.booleans(), seeds)
def test_conv2d(batch, groups, inputs, outputs, extent, kernel, stride, padding, dilation, bias, seed):
    channels = (groups * inputs, groups * outputs)
    layer = nn.Conv2d(*channels, kernel, stride, padding, dilation, groups, bias)
    both(layer, (batch, channels[0], *extent), seed)


@SETTINGS
@given(small, small, st.integers(1, 12), small, small, st.integers(0, 4), small, seeds)
def test_conv1d(inputs, outputs, length, kernel, stride, padding, dilation, seed):
    both(nn.Conv1d(inputs, outputs, kernel, stride, padding, dilation), (2, inputs, length), seed)


@SETTINGS
@given(st.data(), small, st.integers(1, 3), small, small, extents, pairs, pairs, st.booleans(), seeds)
def test_conv_transpose2d(data, batch, groups, inputs, outputs, extent, kernel, stride, bias, seed):
    padding, more, dilation = data.draw(paddings), data.draw(paddings), data.draw(pairs)
    channels = (groups * inputs, groups * outputs)
    layer = made(nn.ConvTranspose2d, *channels, kernel, stride, padding, more, groups, bias, dilation)
    both(layer, (batch, channels[0], *extent), seed)


@SETTINGS
@given(small, small, st.integers(1, 9), small, small, st.integers(0, 4), st.integers(0, 2), small, seeds)
def test_conv_transpose1d(inputs, outputs, length, kernel, stride, padding, more, dilation, seed):
    layer = made(nn.ConvTranspose1d, inputs, outputs, kernel, stride, padding, more, dilation=dilation)
    both(layer, (2, inputs, length), seed)


@SETTINGS
@given(extents, pairs, pairs, paddings, pairs, st.booleans(), seeds)
def test_max_pool2d(extent, kernel, stride, padding, dilation, ceil_mode, seed):
    both(made(nn.MaxPool2d, kernel, stride, padding, dilation, False, ceil_mode), (2, 2, *extent), seed)


@SETTINGS
@given(extents, pairs, pairs, paddings, st.booleans(), st.booleans(), seeds)
def test_avg_pool2d(extent, kernel, stride, padding, ceil_mode, count_include_pad, seed):
    layer = made(nn.AvgPool2d, kernel, stride, padding, ceil_mode, count_include_pad)
    both(layer, (2, 2, *extent), seed)


@SETTINGS
@given(extents, extents, seeds)
def test_adaptive_avg_pool2d(extent, output_size, seed):
    both(nn.AdaptiveAvgPool2d(output_size), (2, 3, *extent), seed)


@SETTINGS
@given(small, st.integers(1, 20), st.integers(1, 20), st.booleans(), seeds)
def test_linear(rows, inputs, outputs, bias, seed):
    both(nn.Linear(inputs, outputs, bias), (rows, inputs), seed)


@SETTINGS
@given(st.lists(small, min_size=2, max_size=4), seeds)
def test_batch_norm(shape, seed):
    both(nn.BatchNorm(shape[1]), tuple(shape), seed)


@SETTINGS
@given(small, st.integers(1, 20), seeds)
def test_layer_norm(rows, size, seed):
    both(nn.LayerNorm(size, eps=0.1), (rows, size), seed)


@SETTINGS
@given(small, st.integers(1, 20), st.booleans(), seeds)
def test_rms_norm(rows, size, gamma, seed):
    both(nn.RmsNorm(size, 0.1, gamma), (rows, size), seed)


@SETTINGS
@given(small, small, small, st.lists(small, max_size=2), st.booleans(), seeds)
def test_group_norm(batch, groups, size, inner, affine, seed):
    both(nn.GroupNorm(groups, groups * size, 0.1, affine), (batch, groups * size, *inner), seed)
    both(nn.InstanceNorm(size, 0.1, affine=affine), (batch, size, *inner), seed)


ACTIVATIONS = [
    "Relu",
    "Gelu",
    "Sigmoid",
    "Tanh",
    "SiLU",
    "Relu6",
    "Hardtanh",
    "LeakyRelu",
    "HardSigmoid",
    "HardSwish",
    "PRelu",
    "ELU",
    "CELU",
    "Softplus",
    "Mish",
    "Softsign",
]


@SETTINGS
@given(st.sampled_from(ACTIVATIONS), st.integers(1, 40), seeds)
def test_activations(name, count, seed):
    both(getattr(nn, name)(), (count,), seed)


settings_of_smooth = st.sampled_from([-1.5, 0.3, 2.0])


@SETTINGS
@given(settings_of_smooth, settings_of_smooth, st.integers(1, 40), seeds)
def test_activations_with_settings(one, other, count, seed):
    for layer in (nn.Gelu("tanh"), nn.ELU(one), nn.CELU(one), nn.Softplus(one, other)):
        both(layer, (count,), seed)


@SETTINGS
@given(small, small, extents, pairs, pairs, st.sampled_from([1, 2]), seeds)
def test_conv2d_padded_to_the_same_size(inputs, outputs, extent, kernel, dilation, groups, seed):
    channels = (groups * inputs, groups * outputs)
    layer = nn.Conv2d(*channels, kernel, 1, "same", dilation, groups)
    assert layer.output_shape((1, channels[0], *extent)) == (1, channels[1], *extent)
    both(layer, (2, channels[0], *extent), seed)


@SETTINGS
@given(extents, pairs, paddings, st.booleans(), st.integers(1, 9), seeds)
def test_avg_pool2d_by_a_divisor(extent, kernel, padding, ceil_mode, divisor, seed):
    layer = made(nn.AvgPool2d, kernel, None, padding, ceil_mode, divisor_override=divisor)
    both(layer, (2, 2, *extent), seed)


@SETTINGS
@given(extents, st.lists(st.integers(-2, 4), min_size=4, max_size=4), seeds)
def test_padding(extent, padding, seed):
    both(nn.ConstantPad2d(padding, 0.5), (2, 2, *extent), seed)
    both(nn.ConstantPad1d(padding[:2], 0.5), (2, 2, extent[0]), seed)


@SETTINGS
@given(extents, extents, st.sampled_from([None, True, False]), seeds)
def test_upsample(extent, size, align_corners, seed):
    both(nn.Upsample(size), (2, 2, *extent), seed)
    both(nn.Upsample(size, None, "bilinear", align_corners), (2, 2, *extent), seed)
    both(nn.Upsample(size[0], None, "linear", align_corners), (2, 2, extent[0]), seed)
    both(nn.Upsample(scale_factor=(size[0] / 3, size[1] / 4)), (2, 2, *extent), seed)


@SETTINGS
@given(st.lists(small, min_size=2, max_size=4), seeds)
def test_prelu(shape, seed):
    both(nn.PRelu(shape[1]), tuple(shape), seed)


@SETTINGS
@given(
    st.sampled_from(["Lstm", "Gru", "Rnn", "BiLstm", "BiGru", "BiRnn"]), st.tuples(small, small), small, small
)
def test_recurrent_layers(name, sizes, inputs, hidden):
    for batch_first, bias in ((False, True), (True, False)):
        layer = getattr(nn, name)(inputs, hidden, bias=bias, batch_first=batch_first)
        both(layer, (*sizes, inputs), 1)
        both(layer, (sizes[0], inputs), 2)


@SETTINGS
@given(small, small, st.integers(1, 9), st.integers(1, 9), small, st.booleans(), st.booleans(), seeds)
def test_attention(heads, size, queries, keys, batch, batch_first, quiet, seed):
    """Masks and weights, too: those of kernels that are asked for everything."""
    layer = nn.MultiHeadAttention(heads * size, heads, batch_first=batch_first, quiet_softmax=quiet)
    random = fill(layer, seed)
    order = (lambda *sizes: sizes) if batch_first else (lambda batch, places, *rest: (places, batch, *rest))
    given_values = [
        Value(
            random.normal(size=batch * places * heads * size).astype("f"), order(batch, places, heads * size)
        )
        for places in (queries, keys, keys)
    ]
    masks = [
        Value(random.integers(0, 2, batch * keys).astype("u1"), (batch, keys)),
        Value(random.integers(0, 2, queries * keys).astype("u1"), (queries, keys)),
    ]
    answers = []
    for chosen in ("numpy", "plain"):
        kernels.use(chosen)
        weights = allocate((batch, heads, queries, keys))
        output = layer.attend(*given_values, *masks, weights)
        answers.append((np.array(output), np.array(weights)))
    for one, other in zip(*answers, strict=True):
        np.testing.assert_allclose(one, other, **CLOSE)


@SETTINGS
@given(st.sampled_from(["add", "multiply", "lerp"]), st.integers(1, 30), seeds)
def test_arithmetic(name, count, seed):
    numbers = np.random.default_rng(seed).normal(size=(3, count)).astype("f")
    answers = []
    for chosen in ("numpy", "plain"):
        kernels.use(chosen)
        out = kernels.buffer(count)
        given_numbers = [kernels.floats(row) for row in numbers[: 3 if name == "lerp" else 2]]
        getattr(kernels, name)(*given_numbers, out, count)
        answers.append(np.array(out))
    np.testing.assert_allclose(*answers, **CLOSE)


@SETTINGS
@given(st.data(), small, small, small, small)
def test_copying_rows(data, rows, size, gap, other_gap):
    x_start, start = data.draw(st.integers(0, 5)), data.draw(st.integers(0, 5))
    step, out_step = size + gap, size + other_gap
    answers = []
    for chosen in ("numpy", "plain"):
        kernels.use(chosen)
        x, out = kernels.floats(range(5 + rows * step)), kernels.floats([-1.0] * (5 + rows * out_step))
        kernels.copy_rows(x, x_start, step, out, start, out_step, rows, size)
        answers.append(list(out))
    assert answers[0] == answers[1] and answers[0][start] == x_start


@SETTINGS
@given(st.lists(small, min_size=3, max_size=3), seeds)
def test_quiet_softmax(shape, seed):
    x = np.random.default_rng(seed).normal(0.0, 30.0, np.prod(shape)).astype("f")
    answers = []
    for chosen in ("numpy", "plain"):
        kernels.use(chosen)
        out = kernels.buffer(len(x))
        kernels.quiet_softmax(kernels.floats(x), out, *shape)
        answers.append(np.array(out))
    np.testing.assert_allclose(*answers, **CLOSE)


@SETTINGS
@given(st.sampled_from(["Softmax", "LogSoftmax"]), st.lists(small, min_size=1, max_size=4), st.data(), seeds)
def test_softmax(name, shape, data, seed):
    dim = data.draw(st.integers(-len(shape), len(shape) - 1))
    both(getattr(nn, name)(dim), tuple(shape), seed)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32])
def test_a_model_takes_numpy_arrays_and_its_answer_becomes_one(dtype):
    from burnrt import tensor

    for chosen in ("numpy", "plain"):
        kernels.use(chosen)
        given_array = np.arange(6, dtype=dtype).reshape(2, 3)
        answer = np.asarray(nn.ReLU()(tensor(given_array)))
        assert answer.dtype == np.float32
        np.testing.assert_array_equal(answer, given_array)
