"""Weights of 4 bits: what they stand for, which layers can have them, and which are chosen."""

from dataclasses import replace

import numpy as np
import pytest

from burnpack.errors import InvalidTensor, Unsupported
from burnpack.qfloat import QFloat
from burnrt import kernels, nn, tensor
from burnrt.words import packed_size
from burnstore.numerics.few_bits import Moments, least_square_scales
from burnstore.numerics.quantized import parts
from burnstore.quantize import program_of, quantize_model
from burnstore.quantize.calibrate import Bytes
from burnstore.quantize.measure import measure
from burnstore.quantize.report import plain, text_of
from burnstore.quantize.weights import integers
from kit.int8.quantizing import (
    Chain,
    answering,
    any_bytes,
    kernels_of,
    loaded,
    opened,
    samples,
    with_weights_of,
)

# Steps: what a rescaled sum may be off by, and a bias, which is a whole number of the sum's coarser steps.
OFF_MOST = 0.5 + 2**-5 + 0.06

# The kernel, the shape of a sample, the layer: those that can have 4 bits, and those that keep 8.
CASES = {
    "linear": ("linear4", (19,), nn.Linear(19, 5)),
    "linear without bias": ("linear4", (16,), nn.Linear(16, 5, bias=False)),
    "linear of rows": ("linear4", (3, 4, 9), nn.Linear(9, 5)),
    "pointwise": ("linear4", (11, 3, 5), nn.Conv2d(11, 6, 1)),
    "pointwise of one place": ("linear4", (11, 1, 1), nn.Conv2d(11, 6, 1)),
    "pointwise of lines": ("linear4", (13, 7), nn.Conv1d(13, 3, 1)),
    "few inputs": ("linear", (4,), nn.Linear(4, 5)),
    "wider": ("conv2d", (11, 4, 5), nn.Conv2d(11, 6, (1, 2))),
    "steps": ("conv2d", (11, 4, 5), nn.Conv2d(11, 6, 1, stride=2)),
    "padding": ("conv2d", (11, 4, 5), nn.Conv2d(11, 6, 1, padding=1)),
    "groups": ("conv2d", (22, 4, 5), nn.Conv2d(22, 6, 1, groups=2)),
    "depthwise": ("depthwise2d", (11, 4, 5), nn.Conv2d(11, 11, 1, groups=11)),
    "a pool made of sums": ("linear", (9, 6, 10), nn.AdaptiveAvgPool2d(4)),
}
PACKED = {name: case for name, case in CASES.items() if case[0] == "linear4"}
OTHERS = {name: case for name, case in CASES.items() if case[0] != "linear4"}


def of_4_bits(shape, per="channel", **layers):
    model = loaded(Chain(**layers), 0)
    return quantize_model(model, samples(shape), per=per, bits=4), model


@pytest.mark.parametrize("per", ["channel", "tensor"])
@pytest.mark.parametrize(("kernel", "shape", "layer"), PACKED.values(), ids=PACKED)
def test_a_layer_with_weights_of_4_bits_is_off_by_half_a_step_beside_them(kernel, shape, layer, per):
    quantized, model = of_4_bits(shape, per, layer=layer)
    assert kernels_of(quantized) == [kernel]
    with_weights_of(model, quantized)
    given, made = (quantized.known[value] for value in (quantized.network.input, quantized.network.output))
    answer = answering(quantized)
    for seed in range(4):
        x = any_bytes(quantized, seed)
        wanted = np.asarray(model(tensor(given.numbers(x), quantized.network.input_shape))).reshape(-1)
        off = answer(x) - np.clip(wanted / made.scale + made.zero_point, 0, 255)
        assert np.abs(off).max() <= OFF_MOST


@pytest.mark.parametrize(("kernel", "shape", "layer"), PACKED.values(), ids=PACKED)
def test_plain_kernels_answer_the_same_bytes(kernel, shape, layer):
    quantized, _ = of_4_bits(shape, layer=layer)
    x = any_bytes(quantized, 0)
    wanted = answering(quantized)(x)
    kernels.int8.use("plain")
    try:
        assert answering(quantized)(x).tolist() == wanted.tolist()
    finally:
        kernels.int8.use()


@pytest.mark.parametrize(("kernel", "shape", "layer"), OTHERS.values(), ids=OTHERS)
def test_other_layers_keep_8_bits(kernel, shape, layer):
    with pytest.raises(Unsupported, match="no layer can have weights of 4 bits"):
        of_4_bits(shape, layer=layer)
    last = {"flatten": nn.Flatten(), "last": nn.Linear(int(np.prod(loaded_shape(layer, shape))), 3)}
    quantized, _ = of_4_bits(shape, layer=layer, **last)
    assert kernels_of(quantized) == [kernel, "linear4"]


def loaded_shape(layer, shape):
    """Return the shape of what a layer makes of a sample."""
    return loaded(Chain(layer=layer), 0)(tensor(samples(shape, 1), (1, *shape))).shape


@pytest.mark.parametrize(
    ("shape", "packed_along", "block"),
    [((3, 19), 0, (19,)), ((3, 257), 0, (129,)), ((4, 19, 1), 1, (19, 1)), ((4, 19, 1, 1), 2, (19, 1, 1))],
)
def test_weights_are_burns_packed_along_the_inputs(shape, packed_along, block):
    weight = np.random.default_rng(0).normal(0, 1, shape)
    found = integers("w", weight, np.zeros(shape[0]), Bytes(1 / 64, 100), "channel", shape, 4).tensor
    assert found.dtype == QFloat("Q4S", ("PackedU32", packed_along), block=(block, "F32"))
    assert found.dtype.values_nbytes(shape) == shape[0] * packed_size(shape[1])
    values = parts(found).values
    assert values.min() == -7 and values.max() == 7


@pytest.mark.parametrize("per", ["channel", "tensor"])
def test_scales_have_the_least_square_error_of_those_tried(per):
    rows = np.random.default_rng(1).standard_t(3, (5, 64))
    whole = np.abs(rows).max(1) / 7
    found = least_square_scales(rows, whole, 7, per)

    def error(scales):
        scales = np.broadcast_to(scales, 5)[:, None]
        squares = np.square(rows - scales * np.clip(np.rint(rows / scales), -7, 7)).sum(1)
        return squares if per == "channel" else squares.sum()

    assert len(set(found)) == (5 if per == "channel" else 1)
    for share in np.linspace(0.35, 1, 27):
        assert (error(found) <= error(share * (whole if per == "channel" else whole.max())) * 1.01).all()


def test_weights_are_rounded_so_that_what_they_make_of_the_samples_is_off_by_less():
    random = np.random.default_rng(2)
    given = (random.normal(0, 1, (200, 6)) @ random.normal(0, 1, (6, 24)) + 0.5).astype("f4")
    rows = random.normal(0, 1, (9, 24))
    scales, moments = np.abs(rows).max(1) / 7, Moments(24)
    moments.add(given[:80])
    moments.add(given[80:])
    nearest = scales[:, None] * np.clip(np.rint(rows / scales[:, None]), -7, 7)
    found = moments.rounded(rows, scales, 7)
    values = found / scales[:, None]
    assert np.abs(values - np.rint(values)).max() < 1e-9 and np.abs(values).max() < 7.1
    off, usual = (np.square(given @ (each - rows).T).mean() for each in (found, nearest))
    assert off < usual / 4


def test_inputs_of_which_samples_tell_nothing_are_rounded_to_the_nearest():
    rows = np.random.default_rng(3).normal(0, 1, (4, 9))
    scales = np.abs(rows).max(1) / 7
    found = Moments(9).rounded(rows, scales, 7)
    assert np.allclose(found, scales[:, None] * np.rint(rows / scales[:, None]))


def test_zeros_and_huge_numbers_have_scales_too():
    for weight in (np.zeros((2, 9)), np.full((2, 9), 3e38), np.full((2, 9), 1e-40)):
        found = integers("w", weight, np.zeros(2), Bytes(1.0, 0), "channel", (2, 9), 4)
        assert np.isfinite(found.scales).all() and (found.scales > 0).all()


def three(bits=8, size=None, **more):
    """Return a chain of three layers, of which the second is by far the largest, and the last needs care."""
    layers = {"a": nn.Linear(16, 32), "relu": nn.ReLU(), "b": nn.Linear(32, 120), "c": nn.Linear(120, 8)}
    return quantize_model(loaded(Chain(**layers), 0), samples((16,)), bits=bits, size=size, **more)


def packed_in(quantized):
    return [name for kernel, name in quantized.program.form.steps if kernel == "int8.linear4"]


def test_mixed_bits_reach_the_size_asked_for_with_as_few_layers_as_that_takes():
    whole, least = three().size, three(4).size
    middle = (whole + least) // 2
    assert packed_in(three("mixed", whole)) == []
    found = three("mixed", middle)
    assert found.size <= middle and packed_in(found) == ["b"]  # the others alone do not save enough
    assert packed_in(three("mixed", least)) == ["a", "b", "c"]


def test_a_layer_goes_first_that_loses_least_for_each_byte_that_it_saves():
    made = three(4)
    saved = {"a": 16 * 32, "b": 32 * 120, "c": 120 * 8}
    lost = {name: _square(made, name) - _square(made, "") for name in saved}
    chosen = packed_in(three("mixed", three().size - 1))
    assert chosen == [min(lost, key=lambda name: lost[name] / saved[name])]


def _square(made, name):
    """Return the mean square of the answers' errors where one layer alone has 4 bits."""
    for operation in made.network.operations:
        operation.bits = 4 if operation.name == name else 8
    found = replace(made, program=program_of(made.network, made.known, "channel"))
    return measure(found, samples((16,))).rmse ** 2


def test_a_size_that_cant_be_reached_is_refused_with_the_least_that_can():
    least = three(4).size
    with pytest.raises(Unsupported) as error:
        three("mixed", least - 1)
    assert error.value.expected == f"{least} bytes at least" and error.value.found == least - 1


def test_a_size_is_that_of_the_file_that_the_model_goes_into():
    more = three("mixed", three().size + 1000, size_of=lambda quantized: quantized.size + 2000)
    assert packed_in(more) and more.size <= three().size - 1000


@pytest.mark.parametrize(("bits", "size"), [(2, None), ("mixed", None), (4, 100), ("8", 100), (None, None)])
def test_other_bits_and_sizes_without_mixed_bits_are_refused(bits, size):
    with pytest.raises(InvalidTensor):
        three(bits, size)


def test_the_file_and_the_report_say_which_layers_have_4_bits():
    quantized = three(4)
    dtypes = {entry.name: str(entry.dtype) for entry in opened(quantized)}
    assert all("Q4S" in dtypes[f"{name}.weight"] for name in "abc")
    assert "int8.linear4 b" in dict(quantized.metadata)["burnrt.steps"]
    report = measure(quantized, samples((16,)))
    assert "weights of 4 bits: a, b, c" in text_of(report)
    assert plain(report)["of_4_bits"] == ["a", "b", "c"]
    assert plain(measure(three(), samples((16,))))["of_4_bits"] == []
