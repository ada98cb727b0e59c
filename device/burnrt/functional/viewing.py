"""Other shapes of the same numbers."""

from burnrt.functional.operands import operands

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    from burnrt.value import Value


def reshape(input: "Any", shape: "Sequence[int]") -> "Value":
    """Return the same numbers under another shape, in which one extent may be -1."""
    return operands(input)[0].reshape(shape)


def ravel(input: "Any") -> "Value":
    """Return the numbers in a row."""
    return operands(input)[0].reshape(-1)


def flatten(input: "Any", start_dim: int = 0, end_dim: int = -1) -> "Value":
    """Return the value with these dimensions as one."""
    found: "Value" = operands(input)[0].flatten(start_dim, end_dim)
    return found


def unflatten(input: "Any", dim: int, sizes: "Sequence[int]") -> "Value":
    """Return the value with a dimension as several."""
    found: "Value" = operands(input)[0].unflatten(dim, sizes)
    return found


def squeeze(input: "Any", dim: "int | Sequence[int] | None" = None) -> "Value":
    """Return the value without dimensions of 1: these, or all."""
    found: "Value" = operands(input)[0].squeeze(dim)
    return found


def unsqueeze(input: "Any", dim: int) -> "Value":
    """Return the value with a dimension of 1 more."""
    found: "Value" = operands(input)[0].unsqueeze(dim)
    return found
