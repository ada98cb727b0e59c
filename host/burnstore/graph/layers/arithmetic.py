"""Sums of values."""

from typing import Any

from burnrt.trace import Step
from burnstore.graph.following import Maker
from burnstore.graph.operations import Add, Operation


def _add(step: Step, layer: Any, common: Any) -> Operation:
    return Add(**common)


ARITHMETIC: dict[str, Maker] = {"Add": _add}
