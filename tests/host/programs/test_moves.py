"""Programs of functions that move numbers answer as PyTorch does, in as few steps as there can be."""

import json

import numpy as np
import pytest

from burnrt import functional as F
from burnrt import nn
from kit import support
from kit.models.programs import One, answered, check, close, file_of, noise


def cases():
    return json.loads(support.read(support.path("tests/vectors/moves/moves.json")))


def called(text):
    """Return how a case is called: with what a layer makes of the inputs, so that there is a step before."""

    def call(layer, *given):
        values = {name: layer(value) for name, value in zip("xyz", given, strict=False)}
        return eval(text, {**values, "F": F, "nn": nn})

    return call


@pytest.mark.parametrize(
    ("text", "shapes", "wanted"), cases(), ids=lambda part: part if isinstance(part, str) else ""
)
def test_a_program_moves_numbers_as_torch_does(text, shapes, wanted):
    inputs = [np.arange(np.prod(shape)).reshape(shape) + 100.0 * at for at, shape in enumerate(shapes)]
    data, _ = file_of(One(nn.ReLU(), called(text)), *shapes)
    close(answered(data, *inputs), [np.reshape(numbers, shape) for shape, numbers in wanted])


# What is written of a value of (1, 4, 6, 5), and the kernels of its steps.
STEPS = {
    "F.cat([x, x], 1)": ["copy_rows", "copy_rows"],
    "F.cat([x, x], -1)": ["copy_rows", "copy_rows"],
    "F.split(x, 2, 1)[0]": ["copy_rows"],
    "F.select(x, -1, 2)": ["copy_rows"],
    "F.permute(x, (0, 2, 3, 1))": ["copy_strided"],
    "F.transpose(x, 0, 1)": [],
    "F.expand(x, (3, 4, 6, 5))": ["copy_rows"],
    "F.flip(x, (2,))": ["copy_strided"],
    "F.pad(x, (1, 1, 1, 1))": ["fill", "copy_strided"],
    "F.pad(x, (0, 0, 1, 0))": ["fill", "copy_rows"],
    "F.pad(x, (-1, -1, 0, 0))": ["copy_rows"],
    "F.pad(x, (2, 0, 0, 0), 'reflect')": ["copy_rows", "copy_strided"],
    "F.index_select(x, 2, [5, 4, 3])": ["copy_strided"],
    "F.index_select(x, 1, [1, 2])": ["copy_rows"],
    "F.index_select(x, 2, [5, 4, 5])": ["index_select"],
    "F.pixel_shuffle(x, 2)": ["copy_strided"],
    "F.pixel_unshuffle(x, 1)": ["copy_rows"],
    "F.channel_shuffle(x, 2)": ["copy_strided"],
    "F.unfold(x, 3)": ["copy_strided"],
    "F.unfold(x, 3, padding=1)": ["fill", "copy_strided", "copy_strided"],
    "F.roll(x, 1, 2)": ["copy_rows", "copy_rows"],
    "F.interpolate(x, scale_factor=2)": ["copy_strided"],
    "F.interpolate(x, (9, 9), mode='bilinear')": ["resample2d"],
}


@pytest.mark.parametrize(("text", "steps"), STEPS.items(), ids=STEPS)
def test_moving_takes_few_steps(text, steps):
    form = check(One(nn.ReLU(), called(text)), noise(1, 4, 6, 5))
    assert [kernel for kernel, _ in form.steps] == ["relu", *steps]


def test_a_skip_of_a_u_net_runs():
    def forward(conv, x):
        down = conv(x)
        up = F.interpolate(conv(nn.MaxPool2d(2)(down)), scale_factor=2, mode="nearest")
        return F.cat([up, down], dim=1), [F.pad(each, (1, 0)) for each in F.chunk(up, 2, 1)]

    from kit.models.chains import loaded

    check(loaded(One(nn.Conv2d(4, 4, 3, padding=1), forward)), noise(1, 4, 6, 6))
