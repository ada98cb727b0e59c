"""Whole modules: `torch.save(model)` pickles the module objects, seen here as what `state_dict()` has."""

from collections.abc import Iterator
from itertools import islice

from burnstore.pytorch.objects import Dict, Opaque, Set

ATTRIBUTES = 256  # of an object that are looked through; a module's own come first
PARAMETERS, BUFFERS, CHILDREN = "_parameters", "_buffers", "_modules"
TRANSIENT = "_non_persistent_buffers_set"  # names of buffers that are no part of the state


class ModuleState:
    """What a `torch.nn.Module` keeps: parameters, buffers and children, in the order of `state_dict()`."""

    def __init__(self, parameters: Dict, buffers: Dict, children: Dict, transient: object) -> None:
        self._parameters = parameters.pairs
        self._buffers = buffers.pairs
        self._children = children.pairs
        self._transient = transient.items if type(transient) is Set else []

    def __len__(self) -> int:
        """Return how many values there are to look at, the names of transient buffers included."""
        return len(self._parameters) + len(self._buffers) + len(self._children) + len(self._transient)

    def __iter__(self) -> Iterator[tuple[object, object]]:
        skipped = {name for name in self._transient if type(name) is str}
        yield from self._parameters
        for name, value in self._buffers:
            if type(name) is not str or name not in skipped:
                yield name, value
        yield from self._children


def module_state(value: Opaque) -> ModuleState | None:
    """Return a module's state; None for an object without the attributes that all modules have."""
    if type(value.state) is not Dict:
        return None
    found = {key: item for key, item in islice(value.state.pairs, ATTRIBUTES) if type(key) is str}
    parameters, buffers, inner = found.get(PARAMETERS), found.get(BUFFERS), found.get(CHILDREN)
    if type(parameters) is Dict and type(buffers) is Dict and type(inner) is Dict:
        return ModuleState(parameters, buffers, inner, found.get(TRANSIENT))
    return None
