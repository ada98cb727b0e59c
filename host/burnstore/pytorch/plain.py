"""The plain values in a checkpoint: numbers, texts, lists and dicts, without its tensors."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import PurePath, PurePosixPath, PureWindowsPath

from burnpack.errors import DuplicateName, LimitExceeded, Malformed
from burnpack.limits import Limits
from burnstore.pytorch.budget import BASE, OBJECTS_PER_TENSOR
from burnstore.pytorch.describe import describe
from burnstore.pytorch.flatten import KEY_PARTS, Path, key_text, path_text
from burnstore.pytorch.modules import ATTRIBUTES, CHILDREN, module_state
from burnstore.pytorch.numpy_values import Array, Scalar
from burnstore.pytorch.objects import Dict, Global, Opaque, Refused, Set
from burnstore.pytorch.rebuild import TensorView
from burnstore.pytorch.storage import Storage

TEXT = 1000  # letters of a text that stands for a class, an object or a key: a pickle can repeat a long one

_PLAIN = (type(None), bool, int, float, complex, str, bytes)
_TENSORS = (TensorView, Refused, Storage)
_INTEGER_MOST = 1 << 64  # of a key: larger ones can be made to have one hash
_OMEGACONF = ("_content", "_val")  # the attributes of its objects that hold what a user put in
_PATHLIB = ("pathlib", "pathlib._local")
_PATHS: dict[str, Callable[..., PurePath]] = {
    "PosixPath": PurePosixPath,
    "PurePosixPath": PurePosixPath,
    "WindowsPath": PureWindowsPath,
    "PureWindowsPath": PureWindowsPath,
}

Pairs = Iterable[tuple[object, object]]


class _LeftOut:
    """What takes the place of a tensor, and of what holds nothing else."""


LEFT_OUT = _LeftOut()


class Plain:
    """Makes plain values of stand-ins.

    A dict goes without the tensors in it; in a list None takes a tensor's place; what holds nothing but
    tensors is left out itself. A set becomes a list; an object becomes a dict or a list if it is a kind of
    those, else a dict of its attributes; one without any, and a class, becomes a text that says what it is.
    A key that is no plain value becomes a text, or goes with its value if it has none. NumPy's small arrays
    become lists.
    """

    def __init__(self, limits: Limits) -> None:
        self._depth = limits.depth
        self._most = BASE + OBJECTS_PER_TENSOR * limits.tensors
        self._count = (
            0  # of values; one that is met under several paths counts each time, as in what is printed
        )
        self._open: list[int] = []
        self._made: dict[int, tuple[object, int]] = {}  # what is shared stays shared

    def convert(self, value: object, path: Path = ()) -> object:
        """Return the plain value, or `LEFT_OUT`."""
        if type(value) in _PLAIN:
            return value
        if isinstance(value, _TENSORS):
            return LEFT_OUT
        if type(value) is Scalar:
            return value.number
        known = self._made.get(id(value))
        if known is not None:
            self._add(known[1], path)
            return known[0]
        return self._enter(value, path)

    def _enter(self, value: object, path: Path) -> object:
        if id(value) in self._open:
            if type(value) is Opaque:
                return LEFT_OUT  # objects may lead back to those that hold them
            raise Malformed("an object contains itself", path_text(path))
        if len(self._open) >= self._depth:
            raise LimitExceeded("nested too deeply", path_text(path), expected=f"at most {self._depth}")
        before = self._count
        self._open.append(id(value))
        made = self._convert_object(value, path) if type(value) is Opaque else self._convert(value, path)
        self._open.pop()
        if self._count > before:
            self._made[id(value)] = made, self._count - before
        return made

    def _convert(self, value: object, path: Path) -> object:
        if type(value) is Dict:
            return self._dict(value.pairs, path)
        if type(value) is list or type(value) is tuple:
            made = self._list(value, path)
            return tuple(made) if type(value) is tuple and isinstance(made, list) else made
        if type(value) is Set:
            return self._list(value.items, path)
        if type(value) is Array:
            self._add(value.cost(), path)
            found = value.elements()
            return as_text(value) if found is None else found
        return as_text(value)

    def _convert_object(self, value: Opaque, path: Path) -> object:
        if value.pairs is not None:
            return self._dict(value.pairs, path)
        if value.items is not None:
            return self._list(value.items, path)
        pairs = attributes(value.state)
        if pairs is None:
            return as_text(value)
        if module_state(value) is not None:
            return self._dict(self._of_module(pairs, path), path)
        wrapped = _in_omegaconf(value)
        return self._dict(pairs, path) if wrapped is LEFT_OUT else self.convert(wrapped, path)

    def _of_module(self, pairs: Pairs, path: Path) -> Iterator[tuple[object, object]]:
        """Yield a module's own settings, and its children by name."""
        for key, value in pairs:
            self._add(1, path)
            if type(key) is not str:
                continue
            if key == CHILDREN and type(value) is Dict:
                yield from value.pairs
            elif not key.startswith("_"):
                yield key, value

    def _dict(self, pairs: Pairs, path: Path) -> object:
        made: dict[object, object] = {}
        left = False
        for key, child in pairs:
            self._add(1, path)
            item = child if type(child) in _PLAIN else self.convert(child, (path, key))
            plain_key = as_key(key)
            if item is LEFT_OUT or plain_key is LEFT_OUT:
                left = True
            elif plain_key in made:
                raise DuplicateName("two values have one key", path_text((path, key)))
            else:
                made[plain_key] = item
        return LEFT_OUT if left and not made else made

    def _list(self, items: Sequence[object], path: Path) -> object:
        self._add(len(items), path)
        made = [
            item if type(item) in _PLAIN else self.convert(item, (path, number))
            for number, item in enumerate(items)
        ]
        left = made.count(LEFT_OUT)
        if left == len(made) > 0:
            return LEFT_OUT
        return [None if item is LEFT_OUT else item for item in made] if left else made

    def _add(self, count: int, path: Path) -> None:
        self._count += count
        if self._count > self._most:
            most = f"at most {self._most}"
            raise LimitExceeded("too many plain values", path_text(path) or None, expected=most)


def named(value: object) -> Pairs | None:
    """Return what a dict, or an object that becomes one, holds by name; None for another value."""
    if type(value) is Dict:
        return value.pairs
    if type(value) is Opaque and value.items is None:
        return attributes(value.state) if value.pairs is None else value.pairs
    return None


def attributes(state: object) -> Pairs | None:
    """Return an object's attributes, out of its state; None where the state is of another kind."""
    if type(state) is Dict:
        return state.pairs
    if type(state) is tuple and len(state) == 2 and type(state[1]) is Dict:  # (its dict or None, its slots)
        return chain(state[0].pairs, state[1].pairs) if type(state[0]) is Dict else state[1].pairs
    return None


def _in_omegaconf(value: Opaque) -> object:
    """Return what an object of OmegaConf holds; `LEFT_OUT` for other objects."""
    if value.origin.module.startswith("omegaconf."):
        for key, item in islice(attributes(value.state) or (), ATTRIBUTES):
            if type(key) is str and key in _OMEGACONF:
                return item
    return LEFT_OUT


def as_key(key: object) -> object:
    """Return a key as a dict of plain values has it; `LEFT_OUT` for one that is no such value.

    Only what Python hashes well stays as it is: others become texts.
    """
    if type(key) is Scalar:
        key = key.number
    if key is None or type(key) in (bool, float, str):
        return key
    if type(key) is int and abs(key) < _INTEGER_MOST:
        return key
    text = _short_text(key)
    return LEFT_OUT if text is None else text


def as_text(value: object) -> str:
    """Return the text that stands for a class or an object: a path's own, or what it was called with."""
    found = _path_text(value) or _short_text(value)
    if found is not None:
        return found
    if type(value) is Opaque:
        return f"object of {_short_text(value.origin) or 'a class with a long name'}"
    return "a class with a long name" if type(value) is Global else describe(value)


def _path_text(value: object) -> str | None:
    """Return the text of one of pathlib's paths; None for other objects."""
    if type(value) is not Opaque or value.origin.module not in _PATHLIB or _letters(value) > TEXT:
        return None
    parts = value.arguments[:KEY_PARTS]
    made = _PATHS.get(value.origin.name)
    if made is None or len(parts) != len(value.arguments) or not all(type(part) is str for part in parts):
        return None
    return str(made(*parts))


def _short_text(value: object) -> str | None:
    """Return `key_text`, unless it is long."""
    return key_text(value) if _letters(value) <= TEXT else None


def _letters(value: object) -> int:
    if type(value) is Global:
        return len(value.module) + len(value.name)
    if type(value) is Opaque:
        return _letters(value.origin) + _letters(value.arguments)
    if type(value) is tuple:
        return sum(len(part) for part in value[:KEY_PARTS] if type(part) is str)
    return 0
