"""Inputs whose samples are whole multiples of a step, as sensors count, keep these numbers exactly."""

import numpy as np
import pytest

from burnrt import Model, nn
from burnstore import quantize_model
from kit.models.chains import loaded


class Dense(nn.Module):
    def __init__(self):
        self.last = nn.Linear(6, 3)

    def forward(self, x):
        return self.last(x)


def first_end(samples, **more):
    """Return the input of a model that was calibrated with these samples."""
    return Model(quantize_model(loaded(Dense()), samples, **more).to_bytes()).inputs[0]


def numbers_in(end, samples):
    """Return what an input's bytes stand for once these numbers were written."""
    found = []
    for sample in samples:
        end.write(sample)
        found.append((np.frombuffer(bytes(end.data), np.uint8).astype(np.float64) - end.zero) * end.scale)
    return np.array(found)


def drawn(low, high, by):
    counts = np.random.default_rng(0).integers(low, high + 1, (40, 6))
    counts[0, :2] = low, high
    return (counts * np.float32(by)).astype(np.float32)


@pytest.mark.parametrize(
    ("low", "high", "by"),
    [(0, 16, 1 / 16), (0, 255, 1 / 255), (-120, 97, 1 / 128), (-3, 4, 0.1), (1, 9, 1000.0), (-255, 0, 0.003)],
)
@pytest.mark.parametrize("ranges", ["minmax", "mse", "auto"])
def test_bytes_say_multiples_of_a_step_exactly(low, high, by, ranges):
    samples = drawn(low, high, by)
    found = numbers_in(first_end(samples, ranges=ranges), samples)
    np.testing.assert_allclose(found, samples, rtol=1e-5, atol=1e-6 * by)


def test_they_reach_as_far_as_the_samples_and_not_twice_as_far():
    end = first_end(drawn(-2, 5, 0.5))
    assert (0 - end.zero) * end.scale <= -1 and 2.5 <= (255 - end.zero) * end.scale < 5


@pytest.mark.parametrize("change", ["another number", "more steps than bytes have", "a percentile"])
def test_other_samples_are_rounded_to_255_steps_of_their_range(change):
    samples, more = drawn(-120, 97, 1 / 128), {}
    if change == "another number":
        samples[3, 3] += 0.001
    elif change == "a percentile":
        more["percentile"] = 100
    else:
        samples[3, 3] = 3.0
    whole = float(samples.max() - samples.min())
    assert first_end(samples, ranges="minmax" if not more else "auto", **more).scale == pytest.approx(
        whole / 255
    )


def test_numbers_too_small_for_a_scale_are_no_multiples():
    end = first_end(drawn(0, 5, 1e-40))
    assert end.scale == 2.0**-126
