"""Stripes of rows: less of an arena, and the same bytes."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from burnpack.errors import Unsupported
from burnrt import Model, kernels, nn
from burnstore.graph.placing import placed_within
from burnstore.graph.stripes import kept, planes_of, region_of, striped
from burnstore.quantize import program_of, quantize_model
from burnstore.quantize.measure import measure
from kit import support
from kit.int8.answered import answered
from kit.int8.quantizing import answering, any_bytes, opened, samples
from kit.models.chains import Chain, loaded
from kit.models.random_networks import Around
from tools import interpreters

LARGE = 1 << 20  # bytes of an arena
SCRIPT = Path(support.path("tests/kit/int8/answered.py"))


class Beside(nn.Module):
    """The sum of what two layers make of a value."""

    def __init__(self, first, second):
        self.first = first
        self.second = second

    def forward(self, x):
        return self.first(x) + self.second(x)


def layer(random, channels):
    """Return a layer of planes, and how many channels it makes."""
    stride, kernel = int(random.integers(1, 3)), int(random.choice([1, 2, 3]))
    padding, more = int(random.integers(0, kernel // 2 + 1)), int(random.integers(1, 5))
    kinds = [
        lambda: (nn.Conv2d(channels, more, kernel, stride, padding), more),
        lambda: (nn.Conv2d(channels, more, (3, 1), (2, 1), (1, 0), (2, 1)), more),
        lambda: (nn.Conv2d(channels, channels, kernel, stride, padding, groups=channels), channels),
        lambda: (nn.MaxPool2d(kernel, stride, padding), channels),
        lambda: (nn.AvgPool2d(3, stride, 1, count_include_pad=False), channels),
        lambda: (nn.ReLU(), channels),
        lambda: (nn.Gelu(), channels),
        lambda: (Around(nn.Conv2d(channels, channels, 3, 1, 1)), channels),
        lambda: (Beside(nn.Conv2d(channels, more, 3, 2, 1), nn.Conv2d(channels, more, 1, 2)), more),
    ]
    return kinds[random.integers(len(kinds))]()


def network(seed):
    """Return a random network of planes, and the shape of a sample."""
    random = np.random.default_rng(seed)
    channels, layers = int(random.integers(1, 4)), {}
    shape = (channels, *(int(extent) for extent in random.integers(13, 20, 2)))
    for number in range(random.integers(2, 6)):
        made, channels = layer(random, channels)
        layers[f"layer{number}"] = made
    return loaded(Chain(**layers), seed), shape


def in_stripes(quantized, random):
    """Return the model with some of its steps in stripes, as many as there can be."""
    whole = quantized.network
    planes, count = planes_of(whole), len(whole.operations)
    pairs = [(start, stop) for start in range(count) for stop in range(start + 1, count + 1)]
    regions = [region_of(whole, *pair, planes) for pair in pairs]
    regions = [region for region in regions if region is not None]
    region = regions[random.integers(len(regions))]
    inner = random.choice(range(1, region.height), min(region.height - 1, random.integers(1, 6)), False)
    ends = [*sorted(int(end) for end in inner), region.height]
    found = striped(whole, region, ends)
    again = [value for value in kept(found) if random.random() < 0.4]
    found = striped(whole, region, ends, again)
    known = {
        **quantized.known,
        **{value: quantized.known[each.whole] for value, each in found.stripes.items()},
    }
    program = program_of(found, known, "channel", quantized.fits, 0)
    return replace(quantized, program=program, striped=found)


@pytest.mark.parametrize("seed", range(16))
def test_stripes_of_rows_make_the_same_bytes(seed):
    model, shape = network(seed)
    quantized = quantize_model(model, samples(shape, 4), ranges="minmax")
    random = np.random.default_rng(seed)
    answer = answering(quantized)
    for _ in range(2):
        other = answering(in_stripes(quantized, random))
        for number in range(3):
            x = any_bytes(quantized, number)
            assert other(x).tolist() == answer(x).tolist()


def wide():
    """Return a network whose first planes are large, and the shape of a sample."""
    layers = {
        "first": nn.Conv2d(3, 8, 3, 2, 1),
        "act": nn.ReLU(),
        "depthwise": nn.Conv2d(8, 8, 3, 1, 1, groups=8),
        "around": Around(nn.Conv2d(8, 8, 3, 1, 1)),
        "again": Around(nn.Conv2d(8, 8, 1)),
        "pool": nn.MaxPool2d(2, 2),
        "last": nn.Conv2d(8, 4, 3, 2, 1),
        "flatten": nn.Flatten(),
        "fc": nn.Linear(36, 3),
    }
    return loaded(Chain(**layers)), (3, 24, 24)


@pytest.fixture(scope="module")
def both():
    """Return a model without stripes, and in an arena that is smaller by a fifth."""
    model, shape = wide()
    given = samples(shape, 8)
    quantized = quantize_model(model, given, ranges="minmax")
    arena = quantized.arena * 4 // 5
    return quantized, quantize_model(model, given, ranges="minmax", arena=arena), arena, given


def test_an_arena_is_no_larger_than_was_asked_for_and_answers_are_the_same(both):
    quantized, small, arena, _ = both
    assert len(Model(small.to_bytes()).arena) == small.arena <= arena
    for number in range(3):
        x = any_bytes(quantized, number)
        assert answering(small)(x).tolist() == answering(quantized)(x).tolist()


def test_an_arena_that_is_large_enough_takes_no_stripes(both):
    quantized, _, _, given = both
    found = quantize_model(wide()[0], given, ranges="minmax", arena=quantized.arena)
    assert len(found.program.form.steps) == len(quantized.program.form.steps)


def test_the_least_arena_is_told_where_none_is_so_small():
    layers = {"first": nn.Conv2d(1, 4, 3, 1, 1), "pool": nn.MaxPool2d(4, 4)}
    model, given = loaded(Chain(**layers)), samples((1, 12, 12), 4)
    with pytest.raises(Unsupported) as caught:
        quantize_model(model, given, ranges="minmax", arena=100)
    least = int(caught.value.expected.split()[0])
    assert least < quantize_model(model, given, ranges="minmax").arena
    assert quantize_model(model, given, ranges="minmax", arena=least).arena <= least


def test_a_weight_is_in_the_file_once_and_read_once(both):
    quantized, small, _, _ = both
    names = [[tensor.name for tensor in each.tensors] for each in (quantized, small)]
    assert names[0] == names[1]
    assert [name for name, _ in opened(small).scalars()] == [name for name, _ in opened(quantized).scalars()]
    copied = [Model(BytesIO(each.to_bytes())).memory._weights for each in (quantized, small)]
    assert len(copied[0]) == len(copied[1])
    x = any_bytes(quantized, 0)
    model = Model(BytesIO(small.to_bytes()))
    model.input[:] = x.tobytes()
    model.run()
    assert bytes(model.output) == answering(quantized)(x).tobytes()


def test_errors_of_steps_are_those_of_all_their_stripes(both):
    quantized, small, _, given = both
    for whole, rows in zip(measure(quantized, given).steps, measure(small, given).steps, strict=True):
        assert (whole.name, whole.kernel, whole.count) == (rows.name, rows.kernel, rows.count)
        assert (whole.macs, whole.largest) == (rows.macs, rows.largest)
        assert whole.ratio == pytest.approx(rows.ratio)


def test_plain_kernels_answer_the_same_bytes(both):
    quantized, small, _, _ = both
    x = any_bytes(quantized, 0)
    kernels.int8.use("plain")
    try:
        plainly = answering(small)(x)
    finally:
        kernels.int8.use()
    assert plainly.tolist() == answering(quantized)(x).tolist()


@pytest.mark.parametrize("interpreter", ["unix", "wasm"])
def test_micropython_answers_the_same_bytes(interpreter, both, tmp_path):
    path = tmp_path / "small.bpk"
    path.write_bytes(both[1].to_bytes())
    try:
        done = interpreters.run(interpreter, SCRIPT, [str(path)], heap="8M")
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    assert done.stdout.decode().split() == ["small.bpk", answered(str(path)).hex()]


@pytest.mark.parametrize("seed", range(10))
def test_what_lives_at_one_time_lies_apart(seed):
    random = np.random.default_rng(seed)
    births = random.integers(0, 20, 40).tolist()
    deaths = [birth + int(random.integers(0, 6)) for birth in births]
    sizes = random.integers(1, 50, 40).tolist()
    births[:2], sizes[:2] = [0, 0], [24, 16]
    offsets, total = placed_within(sizes, births, deaths, 4, [0, 24], 0, 5)
    assert offsets[:2] == [0, 24]
    spans = list(zip(offsets, sizes, births, deaths, strict=True))
    assert total == max(offset + -(-size // 4) * 4 for offset, size, _, _ in spans)
    for number, (offset, size, birth, death) in enumerate(spans):
        for other, more, first, last in spans[:number]:
            meet = birth <= last and first <= death
            assert not meet or offset + size <= other or other + more <= offset
