"""Changes of ROMFS images: of their tree of records, or of the numbers that these begin with."""

from collections.abc import Sequence
from random import Random
from typing import Any

from tools.fuzz.mutators import plain

_MAGIC = b"\xd2\xcd\x31"
_NAMED = (4, 5)  # directories and files have a name before their records
_DEEP = 40


def changed(data: bytes, rng: Random, others: Sequence[bytes] = ()) -> bytes:
    """Return an image that differs."""
    if rng.random() < 0.2:
        return plain.changed(data, rng, others)
    start = len(_MAGIC)
    size, start = _number(data, start)
    records = _records(data[start : start + size])
    if not records:
        return plain.changed(data, rng, others)
    _change(records, rng)
    content = _joined(records, rng)
    size = len(content) if rng.random() < 0.9 else plain.near(len(content), rng)
    return _MAGIC + _packed(size, rng) + content


def _number(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    while at < len(data):
        value = value << 7 | data[at] & 127
        at += 1
        if data[at - 1] < 128:
            break
    return value, at


def _packed(value: int, rng: Random) -> bytes:
    value &= (1 << 35) - 1
    parts = [value & 127]
    while value > 127:
        value >>= 7
        parts.append(value & 127 | 128)
    if rng.random() < 0.05:
        parts += [128] * rng.choice((1, 5, 300))  # zeros that say nothing
    return bytes(reversed(parts))


def _records(data: bytes, deep: int = 0) -> list[list[Any]]:
    """Return rows [kind, name, records or bytes]."""
    found: list[list[Any]] = []
    at = 0
    while at < len(data):
        kind, at = _number(data, at)
        size, at = _number(data, at)
        content = data[at : at + size]
        at += size
        if kind in _NAMED and deep < _DEEP:
            length, start = _number(content, 0)
            found.append(
                [kind, content[start : start + length], _records(content[start + length :], deep + 1)]
            )
        else:
            found.append([kind, None, content])
    return found


def _flat(records: list[list[Any]]) -> list[tuple[list[list[Any]], int]]:
    places = []
    for at, record in enumerate(records):
        places.append((records, at))
        if isinstance(record[2], list):
            places += _flat(record[2])
    return places


def _change(records: list[list[Any]], rng: Random) -> None:
    places = _flat(records)
    holder, at = rng.choice(places)
    record = holder[at]
    kind = rng.randrange(7)
    if kind == 0:
        del holder[at]
    elif kind == 1:
        other, there = rng.choice(places)
        holder.insert(at, [*other[there]] if not isinstance(other[there][2], list) else [5, b"a", []])
    elif kind == 2:
        record[0] = rng.choice((0, 1, 2, 3, 4, 5, 6, 99, plain.number(rng)))
    elif kind == 3 and record[1] is not None:
        record[1] = rng.choice(
            (b"", b"..", b"a/b", b"\xff", record[1] + b"x", rng.choice(places)[0][0][1] or b"a")
        )
    elif kind == 4:
        holder[at] = [4, b"d", [record]]
    elif kind == 5:
        pointer = _packed(rng.choice((0, 1, 4, plain.number(rng))), rng)
        holder[at] = [5, b"p", [[3, None, pointer + _packed(plain.number(rng), rng)]]]
    elif isinstance(record[2], bytes):
        record[2] = plain.changed(record[2], rng)


def _joined(records: list[list[Any]], rng: Random) -> bytes:
    parts = []
    for kind, name, content in records:
        body = _joined(content, rng) if isinstance(content, list) else content
        if name is not None:
            body = _packed(len(name), rng) + name + body
        size = len(body) if rng.random() < 0.97 else plain.near(len(body), rng)
        parts.append(_packed(kind, rng) + _packed(size, rng) + body)
    return b"".join(parts)
