"""Steps that are computed in floats, within a network in integers.

Between two of them numbers are floats. Where bytes go in or come out, a step makes floats of bytes or bytes
of floats. The bytes have the number of the value in the followed pass, the floats one of their own.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from burnpack.errors import NotFound
from burnrt.trace import Step
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


def check_chosen(steps: Sequence[Step], patterns: Sequence[str]) -> None:
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


def place_borders(network: Network) -> None:
    """Put the steps where floats become bytes, and bytes floats, around those that are computed in floats."""
    operations, network.operations = network.operations, []
    twins: dict[int, int] = {}  # of values that are there in floats, the number of those
    read = {value for each in operations if not isinstance(each, InFloats) for value in each.inputs}
    read |= {end.value for end in network.outputs}
    for operation in operations:
        if not isinstance(operation, InFloats):
            network.operations.append(operation)
            continue
        for value in operation.inputs:
            if value not in twins and value not in network.constants:
                twins[value] = _in_floats(network, value)
                network.operations.append(_border(Dequantize, network, value, twins[value]))
        operation.inputs = tuple(twins.get(value, value) for value in operation.inputs)
        made = [value for value in operation.outputs if value is not None]
        twins.update((value, _in_floats(network, value)) for value in made)
        operation.output = twins[operation.output]
        operation.besides = tuple(None if value is None else twins[value] for value in operation.besides)
        network.operations.append(operation)
        network.operations += [
            _border(Quantize, network, twins[value], value) for value in made if value in read
        ]


def _in_floats(network: Network, value: int) -> int:
    """Return a new value: another's numbers in floats."""
    twin = max(network.sizes) + 1
    network.sizes[twin] = network.sizes[value]
    network.floats[twin] = value
    return twin


def _border(kind: type[Operation], network: Network, given: int, made: int) -> Operation:
    """Return the operation that makes bytes of floats, or the other way round."""
    maker = network.maker(given)
    name = f"{'input' if maker is None else maker.name}.{kind.__name__.lower()}"
    return kind(name=name, inputs=(given,), output=made, count=network.sizes[given])
