"""What a checkpoint holds that is like a tensor, or changes one, and is not read: each with its reason."""

from collections.abc import Callable, Iterable, Sequence

from burnpack.errors import printable
from burnpack.limits import Limits
from burnstore.pytorch.describe import join
from burnstore.pytorch.flatten import STEPS, STEPS_PER_TENSOR, children
from burnstore.pytorch.modules import BUFFERS, CHILDREN, PARAMETERS, TRANSIENT, module_state
from burnstore.pytorch.numpy_values import Array
from burnstore.pytorch.objects import Dict, Opaque, Refused, Set
from burnstore.pytorch.rebuild import TensorView
from burnstore.pytorch.storage import Storage

TOLD = 20  # that are told where nobody asked for them
MOST = 1000  # that are listed: more than anyone reads
_UNINITIALIZED = {
    "UninitializedParameter": "a parameter that is not initialized: it has no values yet",
    "UninitializedBuffer": "a buffer that is not initialized: it has no values yet",
}
_OF_A_STATE = (PARAMETERS, BUFFERS, CHILDREN)
_TENSORS = (TensorView, Refused, Storage)

Row = tuple[str, str]


def left_out(roots: Sequence[tuple[str, object]], read: Iterable[TensorView], limits: Limits) -> list[Row]:
    """Return (path, reason) for each such thing in objects, which are given with their paths.

    read: the tensors that have names: where they are met again, nothing is left out.

    Containers are opened as where tensors are looked for, each once. Of the roots, all but the first are
    beside what is read: tensors in them are left out themselves.
    """
    search = _Search(read, limits)
    for path, value in roots[1:]:
        if isinstance(value, Refused):
            search.add(path, f"{value.kind}: not read")
        elif type(value) is Opaque:
            search.look_through(path, value)
        elif search.holds(value):
            search.add(path, "no parameter and no buffer of its module")
    search.look_through(*roots[0])
    return search.found()


class _Search:
    """One way through an object, which counts the values that it looks at."""

    def __init__(self, read: Iterable[TensorView], limits: Limits) -> None:
        self._read = {_identity(view) for view in read}
        self._left = STEPS + STEPS_PER_TENSOR * limits.tensors
        self._rows: list[Row] = []
        self._omitted = 0
        self._without: set[int] = set()  # the identities of what holds no tensors

    def add(self, path: str, reason: str) -> None:
        """Add a row, as far as they are listed."""
        if len(self._rows) < MOST:
            self._rows.append((path, reason))
        else:
            self._omitted += 1

    def found(self) -> list[Row]:
        """Return the rows. The last ones say what is not listed."""
        rows = list(self._rows)
        if self._omitted:
            rows.append(("…", f"{self._omitted} more"))
        if self._left < 0:
            rows.append(("…", "there is too much to look through: more may be left out"))
        return rows

    def look_through(self, path: str, root: object) -> None:
        """Add what is left out of an object, and of all that it contains."""
        pending: list[tuple[str, object]] = [(path, root)]
        seen: set[int] = set()
        while pending and self._left >= 0:
            name, value = pending.pop()
            if id(value) in seen:
                continue
            seen.add(id(value))
            self._look_at(name, value)
            count, pairs = children(value)
            self._left -= count
            if count and self._left >= 0:
                inner = [(join(name, key), child) for key, child in pairs if type(child) in _OPENED]
                pending.extend(reversed(inner))

    def _look_at(self, path: str, value: object) -> None:
        look = _LOOKS.get(type(value))
        if look is not None:
            look(self, path, value)

    def holds(self, root: object) -> bool:
        """Tell whether there is a tensor in a value: in what it contains, its state or its arguments."""
        pending = [root]
        seen: set[int] = set()
        while pending and self._left >= 0:
            value = pending.pop()
            if self._is_lost(value):
                return True
            if id(value) in seen or id(value) in self._without:
                continue
            seen.add(id(value))
            inside = _inside(value)
            self._left -= len(inside)
            pending.extend([child for child in inside if type(child) in _OPENED])
        self._without |= seen
        return False

    def _is_lost(self, value: object) -> bool:
        if type(value) is TensorView:
            return _identity(value) not in self._read
        if type(value) is Array:
            return value.unread() is None and _identity(value) not in self._read
        return isinstance(value, _TENSORS)

    def at_tensor(self, path: str, value: TensorView) -> None:
        """A tensor itself is read; its hooks are not."""
        if value.hooked:
            self.add(path, "the hooks of this tensor are not read")

    def at_array(self, path: str, value: Array) -> None:
        """An array is a tensor, if its elements are numbers."""
        kind = value.unread()
        if kind is not None:
            self.add(path, kind)

    def at_storage(self, path: str, value: Storage) -> None:
        """A storage is read through its tensors."""
        self.add(path, f"a storage of {value.nbytes} bytes, without a tensor")

    def at_set(self, path: str, value: Set) -> None:
        """The items of a set have no names."""
        if self.holds(value):
            self.add(path, "a set, with tensors that are not read: they have no names")

    def at_dict(self, path: str, value: Dict) -> None:
        """A dict may have attributes, and keys that are tensors."""
        if value.state is not None and self.holds(value.state):
            self.add(path, "attributes of a dict, with tensors that are not read")
        if any(isinstance(key, _TENSORS) for key, _ in value.pairs):
            self.add(path, "keys of a dict that are tensors")

    def at_object(self, path: str, value: Opaque) -> None:
        """An object has tensors that are not read, unless it is a container or a module."""
        reason = _UNINITIALIZED.get(value.origin.name) if value.origin.module.startswith("torch.") else None
        if reason is not None:
            self.add(path, reason)
        elif module_state(value) is not None:
            self._at_module(path, value)
        elif self.holds([value.state, *value.arguments]):
            self.add(path, f"object of {printable(value.origin.path)}, with tensors that are not read")

    def _at_module(self, path: str, value: Opaque) -> None:
        pairs = value.state.pairs if isinstance(value.state, Dict) else []
        state = {key: item for key, item in pairs if type(key) is str and key in (BUFFERS, TRANSIENT)}
        self._at_transient(path, state.get(BUFFERS), state.get(TRANSIENT))
        for key, item in pairs:
            if type(key) is not str or key in _OF_A_STATE:
                continue
            if key.endswith("_hooks") and isinstance(item, Dict) and item.pairs:
                self.add(join(path, key), "hooks, which may change what the module computes, are not read")
            elif type(item) in _OPENED and not _is_module(item) and self.holds(item):
                self.add(join(path, key), "no parameter and no buffer of its module")

    def _at_transient(self, path: str, buffers: object, transient: object) -> None:
        if isinstance(buffers, Dict) and isinstance(transient, Set):
            names = {name for name in transient.items if type(name) is str}
            for name, buffer in buffers.pairs:
                if type(name) is str and name in names and isinstance(buffer, _TENSORS):
                    self.add(join(path, name), "a buffer that is no part of its module's state")


def _identity(value: TensorView | Array) -> tuple[object, ...]:
    if isinstance(value, Array):
        return (id(value.known),) if value.known is not None else ()
    plain = (value.offset, value.shape, value.stride)
    return (id(value),) if value.swapped is not None else (id(value.storage), value.dtype, *plain)


def _is_module(value: object) -> bool:
    return type(value) is Opaque and module_state(value) is not None


def _inside(value: object) -> Sequence[object]:
    """Return what a value is made of."""
    if type(value) is Dict:
        return [value.state, *_flat(value.pairs)]
    if type(value) is Set:
        return value.items
    if type(value) is Opaque:
        return [value.state, *value.arguments, *(value.items or ()), *_flat(value.pairs or ())]
    return value if isinstance(value, (list, tuple)) else ()


def _flat(pairs: Iterable[tuple[object, object]]) -> Iterable[object]:
    for key, value in pairs:
        yield key
        yield value


_LOOKS: dict[type, Callable[..., None]] = {
    TensorView: _Search.at_tensor,
    Array: _Search.at_array,
    Storage: _Search.at_storage,
    Set: _Search.at_set,
    Dict: _Search.at_dict,
    Opaque: _Search.at_object,
}
_OPENED = {*_LOOKS, Refused, list, tuple}


def left_out_notes(rows: Sequence[Row]) -> list[str]:
    """Return what to tell a person of what is left out: a line each, but of many only the first."""
    notes = [f"left out: {printable(path)}: {reason}" for path, reason in rows[:TOLD]]
    return [*notes, f"left out: {len(rows) - TOLD} more"] if len(rows) > TOLD else notes
