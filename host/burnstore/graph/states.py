"""States: outputs of a run that are inputs of the next."""

from collections.abc import Mapping, Sequence

from burnpack.errors import InvalidTensor, Unsupported
from burnstore.graph.network import End, Network, State
from burnstore.graph.operations import Copy

STEP = "states"  # the name of steps that move them


def tie(network: Network, states: Mapping[int, int], names: Sequence[str] = ()) -> None:
    """Make states of inputs, which are none any more; nor are the outputs that they become.

    states: {place of the input: place of the output}. names: of the inputs, as far as they have any.
    Raises `Unsupported` for places that there are not, and where nothing else goes in or comes out,
    `InvalidTensor` for an output of another shape.
    """
    inputs, outputs = network.inputs, network.outputs
    for given, made in sorted(states.items()):
        name = names[given] if given < len(names) else f"input {given}"
        if given not in range(len(inputs)):
            raise Unsupported("no such input to be a state", name, expected=f"below {len(inputs)}")
        _check(network, name, inputs[given], made)
        network.states.append(State(inputs[given], outputs[made].value))
    network.inputs = [end for place, end in enumerate(inputs) if place not in states]
    network.outputs = [end for place, end in enumerate(outputs) if place not in states.values()]
    for ends, what in ((network.inputs, "input"), (network.outputs, "output")):
        if not ends:
            raise Unsupported(f"no {what} is left that is not a state's")
    _copy_old(network)


def _check(network: Network, name: str, given: End, made: int) -> None:
    outputs = network.outputs
    if made not in range(len(outputs)):
        raise Unsupported(
            f"no output {made} for the state to become", name, expected=f"below {len(outputs)}", found=made
        )
    if outputs[made].shape != given.shape:
        shapes = list(given.shape), list(outputs[made].shape)
        what = f"output {made}, which is the state of the next run, has another shape"
        raise InvalidTensor(what, name, expected=shapes[0], found=shapes[1])
    if outputs[made].last:
        what = f"output {made} ends with a {outputs[made].last}, which integers leave to floats"
        raise Unsupported(what, name)
    if outputs[made].value in network.constants:
        raise Unsupported(f"output {made} is the same in each run, and no state", name)


def _copy_old(network: Network) -> None:
    """Copy what is needed of a state once it has become another: what comes out, and what others become."""
    old = {state.given.value for state in network.states}
    network.outputs = [
        end._replace(value=_copied(network, end.value)) if end.value in old else end
        for end in network.outputs
    ]
    network.states = [
        state._replace(next=_copied(network, state.next)) if state.next in old else state
        for state in network.states
    ]


def _copied(network: Network, value: int) -> int:
    """Return a new value, with the numbers of another."""
    copy = max(network.sizes) + 1
    network.sizes[copy] = size = network.sizes[value]
    network.operations.append(Copy(name=STEP, inputs=(value,), output=copy, count=size))
    return copy
