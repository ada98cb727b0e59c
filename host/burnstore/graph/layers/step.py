"""What makers of operations share: a step's parameters, and what is refused."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from burnpack.errors import InvalidTensor, Unsupported
from burnrt.trace import Step
from burnstore.graph.following import Maker
from burnstore.graph.operations import Numbers, Operation


def unsupported(step: Step, what: str) -> Unsupported:
    """Return the refusal of a step that integers can't compute."""
    what = f"{what} (--float {step.name} computes it in floats)"
    return Unsupported(what, step.name, found=type(step.layer).__name__)


def around(step: Step, layer: Any) -> tuple[int, int, int]:
    """Return how many numbers are before, along and behind the dimension of a layer that goes along one."""
    found: tuple[int, int, int] = layer.parts(step.output.shape)
    return found


def parameter(step: Step, name: str) -> Numbers:
    """Return a parameter of the layer."""
    found = np.asarray(step.layer.weights(name), np.float64).reshape(getattr(step.layer, name).shape)
    if not np.isfinite(found).all():
        raise InvalidTensor("not all of its numbers are finite", f"{step.name}.{name}")
    return found


def scales(step: Step, name: str, outputs: int, axis: int = 0, groups: int = 1) -> Numbers | None:
    """Return the scale of each output's weights, where these are integers times a scale, or None.

    axis: along which PyTorch has the outputs, those of one of the groups.
    """
    found = vars(getattr(step.layer, name)).get("scales")
    if found is None or found.size not in (1, *found.shape[axis : axis + 1]):
        return None
    if found.size not in (1, outputs // groups):
        return None
    each = np.broadcast_to(found.reshape(-1), (outputs // groups,))
    return np.tile(each, groups).astype(np.float64)


def check_batch(step: Step, shape: Sequence[int]) -> None:
    """Refuse a value that does not begin with a batch of one. Raises `Unsupported`."""
    if shape[0] != 1:
        what = "its input does not begin with the batch, or this is not one: integers are for one, "
        what += "so export with a batch of one, or a dynamic one"
        raise unsupported(step, what)


def behind_the_batch(maker: Maker) -> Maker:
    """Return the maker for a layer whose inputs must begin with a batch of one."""

    def make(step: Step, layer: Any, common: Any) -> Operation:
        check_batch(step, step.inputs[0].shape)
        return maker(step, layer, common)

    return make
