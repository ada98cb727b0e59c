"""Numbers of what is the same in each run."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import InvalidTensor
from burnpack.module import Param
from burnrt import parameters
from burnrt.trace import Step, Traced
from burnrt.value import Value
from burnstore.graph.network import Source
from burnstore.graph.operations import Numbers


def numbers_of(source: Source) -> NDArray[np.float32]:
    """Return the numbers of a constant, in a row."""
    found: Any = source
    if isinstance(source, Param):
        found = parameters.numbers_of(source, "Parameter")
    elif isinstance(source, Value):
        found = source.data
    return np.asarray(found, np.float32).reshape(-1)


def is_constant(value: Traced) -> bool:
    """Tell whether a value is the same in each run."""
    return value.number in value.graph.constants


def constant(step: Step, value: Traced) -> Numbers:
    """Return a constant's numbers, in a row. Raises `InvalidTensor` where they are not all finite."""
    found = numbers_of(value.graph.constants[value.number]).astype(np.float64)
    if not np.isfinite(found).all():
        raise InvalidTensor("not all of its numbers are finite", f"{step.name}, a constant")
    return found
