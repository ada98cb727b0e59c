"""Norms with parameters that are given, or with none."""

from burnpack.errors import Unsupported
from burnrt.functional.given import through
from burnrt.nn.group_norm import GroupNorm
from burnrt.nn.norm import BatchNorm, LayerNorm, RmsNorm

if False:  # for type checkers
    from collections.abc import Iterable
    from typing import Any

    from burnpack.types import Shape
    from burnrt.value import Value


def batch_norm(
    input: "Value",
    running_mean: "Any",
    running_var: "Any",
    weight: "Any" = None,
    bias: "Any" = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> "Value":
    """Return what an `nn.BatchNorm` makes, as it is after training. weight: its gamma. bias: its beta."""
    if training or running_mean is None or running_var is None:
        raise Unsupported("the batch's own statistics are not taken", "batch_norm")
    parameters = {"running_mean": running_mean, "running_var": running_var, "gamma": weight, "beta": bias}
    return through(BatchNorm(_channels(input), eps), input, **parameters)


def layer_norm(
    input: "Value",
    normalized_shape: "int | Iterable[int]",
    weight: "Any" = None,
    bias: "Any" = None,
    eps: float = 1e-5,
) -> "Value":
    """Return what an `nn.LayerNorm` makes. weight: its gamma. bias: its beta."""
    return through(LayerNorm(normalized_shape, eps), input, gamma=weight, beta=bias)


def rms_norm(
    input: "Value", normalized_shape: "int | Iterable[int]", weight: "Any" = None, eps: float | None = None
) -> "Value":
    """Return what an `nn.RmsNorm` makes. weight: its gamma."""
    return through(RmsNorm(normalized_shape, eps), input, gamma=weight)


def group_norm(
    input: "Value", num_groups: int, weight: "Any" = None, bias: "Any" = None, eps: float = 1e-5
) -> "Value":
    """Return what an `nn.GroupNorm` makes. weight: its gamma. bias: its beta."""
    return through(GroupNorm(num_groups, _channels(input), eps), input, gamma=weight, beta=bias)


def instance_norm(
    input: "Value",
    running_mean: "Any" = None,
    running_var: "Any" = None,
    weight: "Any" = None,
    bias: "Any" = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> "Value":
    """Return what an `nn.InstanceNorm` makes, or with use_input_stats=False an `nn.BatchNorm`.

    weight: its gamma. bias: its beta. running_mean, running_var: of the latter; the former changes none.
    """
    if not use_input_stats:
        return batch_norm(input, running_mean, running_var, weight, bias, eps=eps)
    return group_norm(input, _channels(input), weight, bias, eps)


def _channels(input: "Value") -> int:
    shape: "Shape" = getattr(input, "shape", ())
    return shape[1] if len(shape) > 1 else 1
