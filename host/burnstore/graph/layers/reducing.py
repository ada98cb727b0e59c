"""Means, sums and largest numbers along dimensions: pools of whole lines or columns of planes."""

from typing import Any

import numpy as np

from burnrt.trace import Step
from burnstore.graph.following import Maker
from burnstore.graph.layers.step import unsupported
from burnstore.graph.operations import AveragePool, MaxPool, Operation, Window

_EXTENT_MOST = 1 << 15  # of a plane


def _window(step: Step) -> Window:
    """Return the window that is a whole row, for each number behind it."""
    _, size, inner = step.inputs[0].shape
    if inner > 1:
        return Window((size, inner), (1, inner), (size, 1))
    lines = next((lines for lines in range(1, size) if not size % lines and size // lines <= _EXTENT_MOST), 1)
    return Window((lines, size // lines), (1, 1), (lines, size // lines))


def _mean(step: Step, layer: Any, common: Any) -> Operation:
    return _average(step, common, step.inputs[0].shape[1])


def _sum(step: Step, layer: Any, common: Any) -> Operation:
    return _average(step, common, 1)


def _average(step: Step, common: Any, divisor: int) -> Operation:
    channels, size, _ = step.inputs[0].shape
    inside, divisors = (np.full(1, number) for number in (size, divisor))
    return AveragePool(**common, channels=channels, window=_window(step), inside=inside, divisors=divisors)


def _largest(step: Step, layer: Any, common: Any) -> Operation:
    places = [value.number for value in step.outputs[1:]]
    if not set(places) <= set(step.output.graph.unread()):
        raise unsupported(step, "where the largest numbers are is not told in integers")
    return MaxPool(**common, channels=step.inputs[0].shape[0], window=_window(step))


REDUCING: dict[str, Maker] = {"Mean": _mean, "Sum": _sum, "Amax": _largest, "MaxDim": _largest}
