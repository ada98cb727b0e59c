"""A program run on samples, with the numbers that each step makes in sight."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnrt import Model
from burnstore.models.comparison import answered
from burnstore.programs.reading import Program, Span, Step

_KEPT = 1 << 18  # numbers of a step: with these, the rows that follow are run and not kept

Scales = Sequence[tuple[float, int] | None]


@dataclass
class Observed:
    """What samples came to. steps: the numbers of each step that are known. answers: the first output's."""

    steps: list[NDArray[np.float64] | None]
    answers: list[NDArray[Any]]


def observe(model: Model, program: Program, scales: Scales, samples: Sequence[NDArray[Any]]) -> Observed:
    """Run all rows of samples. scales: (scale, zero point) of each step of integers, where it is known."""
    pieces: list[list[NDArray[np.float64]]] = [[] for _ in program.steps]
    rows = max(1, len(samples[0]) if samples and samples[0].ndim else 1)
    plain = model.calls
    watched = []
    for number, (step, call) in enumerate(zip(program.steps, plain, strict=True)):
        look = _look(model, step, scales[number])
        if look is not None:
            call = (partial(_watched, call[0], look, pieces[number]), *call[1:])
        watched.append(call)
    model.calls = watched
    try:
        found = answered(model, [list(samples)], rows)
    finally:
        model.calls = plain
    steps = [np.concatenate(each) if each else None for each in pieces]
    return Observed(steps, [arrays[0] for arrays in found])


def _watched(
    function: Callable[..., Any],
    look: Callable[[], NDArray[np.float64]],
    found: list[NDArray[np.float64]],
    *arguments: Any,
) -> None:
    function(*arguments)
    if sum(each.size for each in found) < _KEPT:
        found.append(look())


def _look(
    model: Model, step: Step, scale: tuple[float, int] | None
) -> Callable[[], NDArray[np.float64]] | None:
    """Return what gives the numbers that a step has just made, or None where they are not known."""
    if not step.writes or (step.is_integer and scale is None):
        return None
    if step.is_integer:
        assert scale is not None
        return partial(_of_integers, model, step.writes[0], step.width, *scale)
    return partial(_of_floats, model, step.writes[0])


def _of_integers(model: Model, span: Span, width: int, scale: float, zero: int) -> NDArray[np.float64]:
    data = bytes(memoryview(model.memory.bytes)[span[0] : span[1]])
    found = np.frombuffer(data, np.uint16 if width == 2 else np.uint8).astype(np.float64)
    result: NDArray[np.float64] = (found - zero) * scale
    return result


def _of_floats(model: Model, span: Span) -> NDArray[np.float64]:
    data = bytes(memoryview(model.memory.bytes)[span[0] : span[1]])
    return np.frombuffer(data, np.float32).astype(np.float64)
