"""Layers that only move numbers: in integers each byte goes where its number does."""

import numpy as np
import pytest

from burnrt import functional as F
from burnrt import nn, tensor
from burnrt.kernels import int8
from burnstore.quantize import quantize_model
from burnstore.quantize.measure import measure
from kit.int8.quantizing import answering, any_bytes, kernels_of, loaded, samples

# The shape of a sample, and what is done.
MOVES = {
    "cat of channels": ((2, 3, 4), lambda x: F.cat([x, x[:, :1], x], 1)),
    "cat of columns": ((2, 3, 4), lambda x: F.cat([x, F.flip(x, (3,))], 3)),
    "stack": ((2, 3), lambda x: F.stack([x, x], 2)),
    "a slice": ((3, 5, 4), lambda x: x[:, 1:3]),
    "a slice with a step": ((3, 5, 4), lambda x: x[:, :, ::2]),
    "one place": ((3, 5), lambda x: x[:, :, -1]),
    "narrow": ((3, 5), lambda x: F.narrow(x, 2, 1, 3)),
    "permute": ((2, 3, 5), lambda x: F.permute(x, (0, 3, 1, 2))),
    "transpose": ((7, 5), lambda x: F.transpose(x, 1, 2)),
    "flip": ((2, 3, 4), lambda x: F.flip(x, (2, 3))),
    "roll": ((2, 7), lambda x: F.roll(x, 3, 2)),
    "expand": ((1, 4), lambda x: F.expand(x, 1, 3, 4)),
    "repeat": ((2, 3), lambda x: F.repeat(x, 1, 2, 3)),
    "repeat_interleave": ((2, 3), lambda x: F.repeat_interleave(x, 2, 1)),
    "pad": ((2, 3, 4), lambda x: F.pad(x, (1, 2, 0, 1))),
    "pad by what the bytes do not reach": ((2, 3), lambda x: F.pad(x, (1, 1), value=9.0)),
    "pad and cut": ((2, 3, 4), lambda x: F.pad(x, (-1, 1))),
    "reflect": ((2, 4, 5), lambda x: F.pad(x, (2, 1, 1, 2), mode="reflect")),
    "replicate": ((2, 4, 5), lambda x: F.pad(x, (2, 1, 1, 2), mode="replicate")),
    "circular": ((2, 4), lambda x: F.pad(x, (2, 1), mode="circular")),
    "pixel shuffle": ((8, 2, 3), lambda x: F.pixel_shuffle(x, 2)),
    "pixel unshuffle": ((2, 4, 6), lambda x: F.pixel_unshuffle(x, 2)),
    "channel shuffle": ((6, 2, 3), lambda x: F.channel_shuffle(x, 3)),
    "unfold": ((2, 4, 5), lambda x: F.unfold(x, 2)),
    "unfold with padding": ((2, 4, 5), lambda x: F.unfold(x, 3, padding=1)),
    "windows": ((2, 6), lambda x: x.unfold(2, 3, 2)),
    "nearest": ((2, 3, 4), lambda x: F.interpolate(x, scale_factor=2)),
    "nearest of a line": ((2, 5), lambda x: F.interpolate(x, size=3, mode="nearest-exact")),
    "places in any order": ((5, 3), lambda x: x.index_select(1, tensor([3, 0, 1, 4], (4,)))),
    "of six dimensions": ((2, 3, 2, 3, 2), lambda x: F.permute(x, (0, 5, 4, 3, 2, 1))),
    "shuffled": ((2, 2, 2, 2, 2, 2), lambda x: F.permute(F.flip(x, (1, 3)), (0, 6, 2, 4, 3, 5, 1))),
}


# What is done with a sample of (4, 4, 4), and the kernels that must be run for it.
SHARED = {
    "parts that are read where they lie": (
        lambda x: F.relu(x[:, :2]) + F.sigmoid(x[:, 2:]),
        ["lookup", "lookup", "add"],
    ),
    "parts of a part": (lambda x: F.relu(x[:, 1:][:, 1:]), ["lookup"]),
    "what is made where it will be a part": (
        lambda x: F.max_pool2d(F.cat([F.relu(x), F.relu(x * 0.99)], 1), 2),
        ["lookup", "lookup", "max_pool2d"],
    ),
    "a part of a part that is made there": (
        lambda x: F.max_pool2d(F.cat([F.cat([F.relu(x), F.relu(x * 0.99)], 1), F.relu(x)], 1), 2),
        None,
    ),
    "what is twice a part": (lambda x: F.max_pool2d(twice(F.relu(x)), 2), ["lookup", "copy", "max_pool2d"]),
    "columns": (lambda x: F.max_pool2d(twice(F.relu(x), 3), 2), ["lookup", "copy", "copy", "max_pool2d"]),
    "parts of another scale": (
        lambda x: F.max_pool2d(F.cat([F.relu(x), F.relu(x) * 100], 1), 2),
        None,
    ),
    "what others change in place": (lambda x: parted(F.relu(x)), None),
    "the input, a part of what is made": (lambda x: F.max_pool2d(F.cat([x, x * 2], 1), 2), None),
}


def twice(x, dim=1):
    return F.cat([x, x], dim)


def parted(x):
    first, second = F.chunk(x, 2, 1)
    return F.cat([F.sigmoid(first), second + first, x], 1)


class Doing(nn.Module):
    """A model that does one thing, and has no weights."""

    def __init__(self, act):
        self._act = act

    def forward(self, x):
        return self._act(x)


@pytest.mark.parametrize("name", MOVES)
def test_bytes_go_where_the_numbers_go(name):
    shape, act = MOVES[name]
    quantized = quantize_model(Doing(act), samples(shape))
    assert set(kernels_of(quantized)) <= {"copy", "fill"}
    given, made = (quantized.known[value] for value in (quantized.network.input, quantized.network.output))
    for seed in range(3):
        x = any_bytes(quantized, seed)
        wanted = np.asarray(act(tensor(given.numbers(x).astype(np.float32), (1, *shape))).data)
        found = answering(quantized)(x)
        assert np.array_equal(found, made.of(wanted))


@pytest.mark.parametrize("name", SHARED)
def test_what_lies_in_others_is_what_it_would_be_alone(name, monkeypatch):
    act, kernels = SHARED[name]
    given = samples((4, 4, 4))
    alike = quantize_model(Doing(act), given)
    monkeypatch.setattr("burnstore.quantize.memory.shared", lambda *_: {})
    apart = quantize_model(Doing(act), given)
    assert kernels is None or kernels_of(alike) == kernels
    assert alike.arena <= apart.arena
    assert len(kernels_of(alike)) <= len(kernels_of(apart))
    for seed in range(3):
        x = any_bytes(alike, seed)
        assert np.array_equal(answering(alike)(x), answering(apart)(x))


class Beginning(nn.Module):
    """A model that puts a parameter before its input, and does something with both."""

    def __init__(self, act):
        self.first = nn.Param((1, 2, 3))
        self._act = act

    def forward(self, x):
        return self._act(self.first, x)


@pytest.mark.parametrize("scale", [1, 100])
def test_numbers_that_stay_the_same_are_moved_from_the_file(scale):
    for act in (
        lambda first, x: F.cat([first, x], 1),
        lambda first, x: F.cat([x, first, x], 2),
        lambda first, x: F.relu(F.cat([x, first], 2)),
    ):
        model = loaded(Beginning(act))
        quantized = quantize_model(model, samples((2, 3)) * scale)
        assert "copy" in kernels_of(quantized)
        report = measure(quantized, samples((2, 3)) * scale)
        assert report.steps[0].largest <= 1.01 * report.steps[0].scale
        x = any_bytes(quantized, 0)
        answer = answering(quantized)(x)
        int8.use("plain")
        try:
            assert np.array_equal(answering(quantized)(x), answer)
        finally:
            int8.use()


def test_the_sets_of_kernels_move_alike():
    for shape, act in MOVES.values():
        quantized = quantize_model(Doing(act), samples(shape))
        x = any_bytes(quantized, 0)
        wanted = answering(quantized)(x)
        int8.use("plain")
        try:
            assert np.array_equal(answering(quantized)(x), wanted)
        finally:
            int8.use()
