"""Short descriptions of what a checkpoint holds besides tensors."""

from collections.abc import Iterable
from itertools import islice

from burnpack.errors import printable
from burnstore.pytorch.flatten import children, key_text
from burnstore.pytorch.numpy_values import Array, NumpyDtype, Scalar
from burnstore.pytorch.objects import Dict, Global, Opaque, Refused, Set
from burnstore.pytorch.rebuild import TensorView
from burnstore.pytorch.storage import Storage

LENGTH = 72  # letters of a description
KEY = 200  # letters of a key
MOST = 1000  # values that are described: a vocabulary of words is more than anyone reads
LOOKED_AT = 1000  # values that are looked through to find a tensor in an opaque object


def others(root: object, fruitful: set[int]) -> list[tuple[str, str]]:
    """Return a name and a description for each value in an object that is no tensor.

    Dicts of all kinds, and the containers of tensors, are opened; others are described as a whole. At most
    `MOST` are returned; a last row says how many were left out.
    fruitful: the identities of the containers of tensors.
    """
    if _is_tensor(root):
        return []
    found: list[tuple[str, str]] = []
    pending: list[tuple[str, object]] = [("", root)]
    seen: set[int] = set()
    omitted = 0
    while pending and len(found) < MOST:
        name, value = pending.pop()
        if id(value) in seen:
            continue
        count, pairs = children(value)
        if not count or not (_is_dict(value) or id(value) in fruitful or value is root):
            found.append((name, describe(value)))
            continue
        seen.add(id(value))
        rest = ((key, child) for key, child in pairs if not _is_tensor(child))
        opened = list(islice(rest, MOST))
        omitted += sum(1 for _ in rest)
        pending.extend([(join(name, key), child) for key, child in reversed(opened)])
    omitted += len(pending)
    return [*found, ("…", f"{omitted} more")] if omitted else found


def _is_tensor(value: object) -> bool:
    return isinstance(value, (TensorView, Refused)) or (type(value) is Array and value.unread() is None)


def _is_dict(value: object) -> bool:
    return type(value) is Dict or (type(value) is Opaque and value.pairs is not None)


def describe(value: object, length: int = LENGTH) -> str:
    """Return what a value is, on one line of about `length` letters."""
    if value is None or isinstance(value, (bool, float, complex)):
        return str(value)
    if type(value) is int:
        return str(value) if abs(value) < 1 << 64 else f"an integer of {value.bit_length()} bits"
    if type(value) is str or type(value) is bytes:
        return _shortened(value, length)
    if type(value) is Scalar:
        return describe(value.number, length)
    if type(value) is Global:
        return str(printable(value.path))
    if type(value) is NumpyDtype:
        return f"NumPy dtype {printable(str(value), length)}"
    if type(value) is Array:
        return f"NumPy array of {printable(str(value.dtype), length)} {describe(value.shape, length)}"
    if type(value) is Opaque:
        unread = ", with tensors that are not read" if holds_tensors(value) else ""
        return f"object of {printable(value.origin.path)}{unread}"
    return _describe_container(value, length)


def _shortened(value: str | bytes, length: int) -> str:
    text = repr(value[:length])
    return text if len(value) <= length else f"{text}… ({len(value)} in all)"


def _describe_container(value: object, length: int) -> str:
    if isinstance(value, (TensorView, Refused)):
        return "a tensor"
    if type(value) is Storage:
        return f"storage of {value.nbytes} bytes"
    if type(value) is Set:
        return f"set of {len(value.items)}"
    if type(value) is Dict:
        return f"dict of {len(value.pairs)}"
    if type(value) is not list and type(value) is not tuple:
        return type(value).__name__
    whole = f"{type(value).__name__} of {len(value)}"
    if len(value) > length // 3 or any(type(item) not in _SHOWN for item in value):
        return whole
    text = f"[{', '.join([describe(item, length) for item in value])}]"
    return text if len(text) <= length else whole


_SHOWN = (type(None), bool, int, float, str)  # in a list that is short


def holds_tensors(value: object) -> bool:
    """Tell whether there are tensors among the first values of an opaque object's state."""
    pending = [value]
    seen: set[int] = set()
    while pending and len(seen) < LOOKED_AT:
        value = pending.pop()
        if _is_tensor(value):
            return True
        if id(value) not in seen:
            seen.add(id(value))
            pending.extend([child for _, child in _first(children(value)[1])])
            if type(value) is Opaque:
                pending.extend((value.state, *value.arguments[:LOOKED_AT]))
    return False


def _first(pairs: Iterable[tuple[object, object]]) -> list[tuple[object, object]]:
    return list(islice(pairs, MOST))


def join(name: str, key: object) -> str:
    """Return the path of what is under a key of the value called `name`."""
    text = key_text(key)
    part = f"({type(key).__name__})" if text is None else printable(text, KEY)
    return f"{name}.{part}" if name else part
