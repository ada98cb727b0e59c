"""Nested objects as a list of tensors with names: keys and indices joined with dots."""

from collections.abc import Iterable

from burnpack.errors import DuplicateName, LimitExceeded, Malformed, Unsupported, printable
from burnpack.limits import Limits
from burnstore.pytorch.modules import module_state
from burnstore.pytorch.numpy_values import Array, Scalar
from burnstore.pytorch.objects import Dict, Global, Opaque, Refused
from burnstore.pytorch.rebuild import TensorView

NAME = 1 << 16  # letters of a name, at most
KEY_PARTS = 16  # of a tuple that is a key
STEPS_PER_TENSOR = 40  # how many values are looked at, at most, besides
STEPS = 10_000  # for what a checkpoint holds besides tensors
_INTEGER_MOST = 1 << 64
_LEAVES = (str, int, float, bool, bytes, type(None))

Found = TensorView | Refused
Path = tuple[object, ...]  # the keys that lead to a value, as a linked list: (path of the parent, key)


def children(value: object) -> tuple[int, Iterable[tuple[object, object]]]:
    """Return how many values a container holds, and these with their keys; (0, ()) for what holds none."""
    if type(value) is Dict:
        return len(value.pairs), value.pairs
    if type(value) is list or type(value) is tuple:
        return len(value), enumerate(value)
    if type(value) is Opaque:
        state = module_state(value)
        if state is not None:
            return len(state), state
        if value.pairs is not None:
            return len(value.pairs), value.pairs
        if value.items is not None:
            return len(value.items), enumerate(value.items)
    return 0, ()


def key_text(key: object) -> str | None:
    """Return a key's part of a name, or None for a key that has none.

    A class has its full name; a tuple, and what a class was called with (such as an enum's member), is
    written as Python would, as long as it holds plain values only.
    """
    if type(key) is str:
        return key
    if type(key) is Global:
        return key.path
    if type(key) is Opaque:
        arguments = key_text(key.arguments)
        return None if arguments is None else key.origin.path + arguments
    if type(key) is tuple:
        parts = [_plain_text(part) for part in key[:KEY_PARTS]]
        return None if None in parts or len(key) > KEY_PARTS else f"({', '.join(map(str, parts))})"
    return _plain_text(key)


def _plain_text(value: object) -> str | None:
    if type(value) is Scalar:
        value = value.number
    if type(value) is int:
        return str(value) if -_INTEGER_MOST < value < _INTEGER_MOST else None
    return str(value) if value is None or type(value) in (str, bool, float) else None


class Walk:
    """One way through an object, depth first.

    found: the tensors by name, in the order in which they are met.
    fruitful: the identities of the containers that have tensors in them.

    A NumPy array is a tensor; so is a NumPy scalar in a dict of arrays, which elsewhere is a number.
    A container without tensors is entered once, however often it is met: a pickle can hold the same
    one under more paths than there is time for. One with tensors is entered each time, as each path is
    a name.
    """

    def __init__(self, limits: Limits) -> None:
        self.found: dict[str, Found] = {}
        self.fruitful: set[int] = set()
        self._limits = limits
        self._steps = STEPS + STEPS_PER_TENSOR * limits.tensors
        self._letters = limits.metadata
        self._paths: dict[str, Path] = {}
        self._open: list[int] = []
        self._barren: set[int] = set()

    def visit(self, value: object, path: Path) -> bool:
        """Add the tensors at and below `value`; tell whether there are any."""
        if isinstance(value, (TensorView, Refused)):
            self._add(value, path)
            return True
        if type(value) is Array and value.unread() is None:
            self._add(value.tensor(path_text(path)), path)
            return True
        if id(value) in self._barren:
            return False
        count, pairs = children(value)
        if not count:
            return False
        self._enter(value, path, count)
        fruitful = False
        of_arrays = type(value) is Dict and _is_of_numpy(value)
        for key, child in pairs:
            if type(child) is Scalar:
                child = child.array if of_arrays else None
            if type(child) not in _LEAVES and self.visit(child, (path, key)):
                fruitful = True
        self._open.pop()
        (self.fruitful if fruitful else self._barren).add(id(value))
        return fruitful

    def _enter(self, value: object, path: Path, count: int) -> None:
        if id(value) in self._open:
            raise Malformed("an object contains itself", path_text(path) or None)
        most = self._limits.depth
        if len(self._open) >= most:
            raise LimitExceeded("nested too deeply", path_text(path), expected=f"at most {most}")
        self._steps -= count
        if self._steps < 0:
            raise LimitExceeded("too many values to look through", path_text(path) or None)
        self._open.append(id(value))

    def _add(self, value: Found, path: Path) -> None:
        name = self._name(path)
        if name in self.found:
            both = f"{path_text(self._paths[name])} and {path_text(path)}"
            raise DuplicateName("two tensors would have this name", name, found=both)
        if len(self.found) >= self._limits.tensors:
            raise LimitExceeded("too many tensors", name, expected=f"at most {self._limits.tensors}")
        self.found[name] = value
        self._paths[name] = path

    def _name(self, path: Path) -> str:
        texts = []
        letters = 0
        keys = _keys(path)
        self._steps -= len(keys)
        for key in keys:
            text = key_text(key)
            if text is None:
                found = type(key).__name__
                raise Unsupported("a tensor's key is no text or number", path_text(path), found=found)
            letters += len(text) + 1
            texts.append(text)
        self._letters -= letters
        if letters > NAME or self._letters < 0:
            raise LimitExceeded("names are too long", path_text(path), expected=f"at most {NAME} letters")
        name = ".".join(texts)
        if not name.isascii() and not _is_unicode(name):
            raise Malformed("a tensor's name is no valid text", path_text(path))
        return name


def _is_of_numpy(value: Dict) -> bool:
    """Tell whether a dict holds arrays, and nothing but what NumPy makes."""
    kinds = {type(child) for _, child in value.pairs}
    return Array in kinds and kinds <= {Array, Scalar}


def flatten(root: object, limits: Limits) -> Walk:
    """Return the tensors in an object by name.

    A tensor that is met under two names has both. Raises `DuplicateName` for two that would have one.
    """
    walk = Walk(limits)
    walk.visit(root, ())
    return walk


def path_text(path: Path) -> str:
    """Return the way to a value, as in ['layers'][0]['weight']."""
    return "".join([f"[{_key_repr(key)}]" for key in _keys(path)])


def _keys(path: Path) -> list[object]:
    keys = []
    while path:
        path, key = path  # type: ignore[assignment]
        keys.append(key)
    return keys[::-1]


def _key_repr(key: object) -> str:
    text = key_text(key)
    if text is None:
        return f"a {type(key).__name__}"
    shown: str = printable(text, 80)
    return f"'{shown}'" if type(key) is str else shown


def _is_unicode(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
