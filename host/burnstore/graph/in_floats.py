"""Steps that are computed in floats, within a network in integers.

Between two of them numbers are floats. At the borders, see `borders`, a step makes floats of bytes, or bytes
of floats.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from burnpack.errors import NotFound
from burnrt.trace import Step
from burnstore.graph.borders import place_borders
from burnstore.graph.moves import move_of
from burnstore.graph.network import Network
from burnstore.graph.operations import Kept, Operation


@dataclass(kw_only=True, eq=False)
class InFloats(Kept):
    """What a layer does, in floats."""


@dataclass(kw_only=True, eq=False)
class Quantize(Operation):
    """Make bytes of floats."""


@dataclass(kw_only=True, eq=False)
class Dequantize(Operation):
    """Make floats of bytes."""


def is_chosen(name: str, patterns: Sequence[str]) -> bool:
    """Tell whether the name of a step is one of these, in which * stands for anything."""
    return any(
        re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name, re.DOTALL) for pattern in patterns
    )


def check_chosen(steps: Sequence[Step | Operation], patterns: Sequence[str]) -> None:
    """Refuse a pattern that chooses no step. Raises `NotFound`."""
    for pattern in patterns:
        if not any(is_chosen(step.name, [pattern]) for step in steps):
            names = " ".join(dict.fromkeys(step.name for step in steps))
            raise NotFound(f"no step is called so; there are {names}", pattern)


def keep_moves(network: Network) -> None:
    """Let what only moves numbers do so in floats, where these come from and go to such steps alone."""
    for place, operation in enumerate(network.operations):
        if not isinstance(operation, Kept) or isinstance(operation, InFloats):
            continue
        made = [network.maker(value) for value in operation.inputs if value not in network.constants]
        are_floats = bool(made) and all(isinstance(each, InFloats) for each in made)
        if are_floats and _is_read_in_floats(network, operation) and move_of(operation) is not None:
            network.operations[place] = InFloats(**vars(operation))


def _is_read_in_floats(network: Network, operation: Operation) -> bool:
    """Tell whether only steps in floats read what an operation makes, or what is moved from there."""
    if network.is_output(operation.output):
        return False
    readers = network.readers(operation.output)
    return bool(readers) and all(
        isinstance(each, InFloats) or (isinstance(each, Kept) and _is_read_in_floats(network, each))
        for each in readers
    )


def place_floats(network: Network) -> None:
    """Put the steps where floats become bytes, and bytes floats, around those that are computed in floats."""
    place_borders(network, lambda each: isinstance(each, InFloats), network.floats, Dequantize, Quantize)
