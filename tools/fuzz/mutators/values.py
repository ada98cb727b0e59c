"""Changes of values as JSON and CBOR have them, and writing these: also what no good encoder writes.

An object is `Pairs`, so that keys may come twice.
"""

import json
import math
import struct
from random import Random
from typing import Any

from tools.fuzz.mutators import plain


class Pairs(list[tuple[Any, Any]]):
    """The members of an object, in order."""


_LEAVES: tuple[Any, ...] = (
    None,
    True,
    False,
    "",
    "a",
    "..",
    "/",
    "\0",
    "é\U0001f600",
    0.0,
    1.5,
    float("nan"),
)
_LEAVES += (float("inf"), -1, [], Pairs(), b"", b"\xff", [[]], Pairs([("", 0)]))
_DEEP = (9, 17, 130, 3000)  # how deep nesting is tried
_TEXT_MOST = 400


def of(value: Any) -> Any:
    """Return a value with `Pairs` for its dicts."""
    if isinstance(value, dict):
        return Pairs((of(key), of(each)) for key, each in value.items())
    return [of(each) for each in value] if isinstance(value, list | tuple) else value


def changed(value: Any, rng: Random) -> Any:
    """Return a value that differs in one place."""
    nodes: list[tuple[list[Any], int]] = [([value], 0)]
    _collect(value, nodes)
    holder, place = rng.choice(nodes)
    if holder is nodes[0][0]:
        return _other(value, rng, nodes)
    rng.choice((_replace, _replace, _replace, _drop, _repeat, _rename))(holder, place, rng, nodes)
    return value


def _collect(value: Any, nodes: list[tuple[list[Any], int]]) -> None:
    if isinstance(value, list):
        for place, each in enumerate(value):
            nodes.append((value, place))
            _collect(each[1] if isinstance(value, Pairs) else each, nodes)


def _get(holder: list[Any], place: int) -> Any:
    return holder[place][1] if isinstance(holder, Pairs) else holder[place]


def _put(holder: list[Any], place: int, value: Any) -> None:
    holder[place] = (holder[place][0], value) if isinstance(holder, Pairs) else value


def _replace(holder: list[Any], place: int, rng: Random, nodes: list[tuple[list[Any], int]]) -> None:
    _put(holder, place, _other(_get(holder, place), rng, nodes))


def _drop(holder: list[Any], place: int, rng: Random, nodes: list[tuple[list[Any], int]]) -> None:
    del holder[place]


def _repeat(holder: list[Any], place: int, rng: Random, nodes: list[tuple[list[Any], int]]) -> None:
    holder.insert(rng.randrange(len(holder) + 1), holder[place])


def _rename(holder: list[Any], place: int, rng: Random, nodes: list[tuple[list[Any], int]]) -> None:
    if isinstance(holder, Pairs):
        key, value = holder[place]
        others = [pair[0] for pair in holder]
        holder[place] = (rng.choice([*others, _leaf(key, rng)]), value)
    else:
        rng.shuffle(holder)


def _other(value: Any, rng: Random, nodes: list[tuple[list[Any], int]]) -> Any:
    if rng.random() < 0.6:
        return _leaf(value, rng)
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice(_LEAVES)
    if kind == 1:
        return _copied(_get(*rng.choice(nodes[1:]))) if len(nodes) > 1 else None
    if kind == 2:
        for _ in range(rng.choice(_DEEP)):
            value = [value]
        return value
    return Pairs([("k", value)])


def _leaf(value: Any, rng: Random) -> Any:
    """Return a value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return plain.near(value, rng)
    if isinstance(value, float):
        return rng.choice(
            (-value, value * 2, 1e300, float("-inf"), float("nan"), int(value) if math.isfinite(value) else 0)
        )
    if isinstance(value, str):
        return plain.changed(value.encode("utf-8", "surrogatepass"), rng).decode("latin-1")[:_TEXT_MOST]
    if isinstance(value, bytes):
        return plain.changed(value, rng)
    return plain.number(rng)


def _copied(value: Any) -> Any:
    if isinstance(value, Pairs):
        return Pairs((key, _copied(each)) for key, each in value)
    return [_copied(each) for each in value] if isinstance(value, list) else value


def from_json(text: bytes) -> Any:
    """Return what JSON stands for; raises `ValueError` or `RecursionError`."""
    return json.loads(text, object_pairs_hook=Pairs)


def to_json(value: Any) -> bytes:
    """Return JSON, as close to it as the value can be written."""
    return _json(value).encode("utf-8", "surrogatepass")


def _json(value: Any) -> str:
    """Return the text: with a stack of its own, as values may be nested deeper than Python's calls."""
    parts: list[str] = []
    stack: list[Any] = [value]
    while stack:
        each = stack.pop()
        if isinstance(each, _Text):
            parts.append(each)
        elif isinstance(each, list):
            stack += reversed(_pieces(each))
        else:
            parts.append(json.dumps(each.decode("latin-1") if isinstance(each, bytes) else each))
    return "".join(parts)


class _Text(str):
    """JSON that is written as it is."""


def _pieces(value: list[Any]) -> list[Any]:
    opening, closing = ("{", "}") if isinstance(value, Pairs) else ("[", "]")
    pieces: list[Any] = [_Text(opening)]
    for place, each in enumerate(value):
        if place:
            pieces.append(_Text(","))
        if isinstance(value, Pairs):
            pieces += [each[0] if isinstance(each[0], str) else _json(each[0]), _Text(":"), each[1]]
        else:
            pieces.append(each)
    return [*pieces, _Text(closing)]


def to_cbor(value: Any) -> bytes:
    """Return CBOR."""
    parts: list[bytes] = []
    stack: list[Any] = [value]
    while stack:
        each = stack.pop()
        if isinstance(each, Pairs):
            parts.append(_head(5, len(each)))
            stack += [part for pair in reversed(each) for part in reversed(pair)]
        elif isinstance(each, list):
            parts.append(_head(4, len(each)))
            stack += reversed(each)
        else:
            parts.append(_cbor_leaf(each))
    return b"".join(parts)


def _cbor_leaf(value: Any) -> bytes:
    if value is None or isinstance(value, bool):
        return b"\xf6" if value is None else b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return _head(1, -1 - value) if value < 0 else _head(0, value)
    if isinstance(value, str):
        text = value.encode("utf-8", "surrogatepass")
        return _head(3, len(text)) + text
    if isinstance(value, bytes):
        return _head(2, len(value)) + value
    return b"\xfb" + struct.pack(">d", value)


def _head(major: int, value: int) -> bytes:
    for more, width in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if value < 24:
            return bytes([major << 5 | value])
        if value < 1 << 8 * width:
            return bytes([major << 5 | more]) + value.to_bytes(width, "big")
    return bytes([major << 5 | 27]) + (value & (1 << 64) - 1).to_bytes(8, "big")
