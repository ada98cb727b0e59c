"""Borders within a network in integers: of steps whose values are no bytes.

Between two of them numbers stay as these steps have them. Where bytes go in or come out, a step makes one of
the other. The bytes have the number of the value in the followed pass, the others one of their own: a twin.
"""

from collections.abc import Callable

from burnstore.graph.network import Network
from burnstore.graph.operations import Operation


def place_borders(
    network: Network,
    is_within: Callable[[Operation], bool],
    values: dict[int, int],
    entering: type[Operation],
    leaving: type[Operation],
) -> None:
    """Put the steps at the borders of those that are within.

    values: {twin: the value of the followed pass}, of the network, to be added to. entering, leaving: what
    makes twins of bytes, and bytes of twins.
    """
    operations, network.operations = network.operations, []
    twins = {value: value for value in values}  # of values that are there as these steps have them
    read = {value for each in operations if not is_within(each) for value in each.inputs}
    read |= {end.value for end in network.outputs} | {state.next for state in network.states}

    def twin_of(value: int) -> int:
        twin = max(network.sizes) + 1
        network.sizes[twin] = network.sizes[value]
        values[twin] = value
        return twin

    for operation in operations:
        if not is_within(operation):
            network.operations.append(operation)
            continue
        for value in operation.inputs:
            if value not in twins and value not in network.constants:
                twins[value] = twin_of(value)
                network.operations.append(_border(entering, network, value, twins[value]))
        operation.inputs = tuple(twins.get(value, value) for value in operation.inputs)
        made = [value for value in operation.outputs if value is not None]
        twins.update((value, twin_of(value)) for value in made)
        operation.output = twins[operation.output]
        operation.besides = tuple(None if value is None else twins[value] for value in operation.besides)
        network.operations.append(operation)
        network.operations += [
            _border(leaving, network, twins[value], value) for value in made if value in read
        ]


def _border(kind: type[Operation], network: Network, given: int, made: int) -> Operation:
    """Return the operation at a border; it cuts numbers as their maker does."""
    maker = network.maker(given)
    name = f"{'input' if maker is None else maker.name}.{kind.__name__.lower()}"
    found = kind(name=name, inputs=(given,), output=made, count=network.sizes[given])
    if maker is not None:
        found.cut(maker.low, maker.high)
    return found
