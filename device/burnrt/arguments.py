"""The arguments of a kernel of floats, as a program spells them.

Each is a word, `payload << 3 | tag`, and what follows:

    tag  payload          more words          argument
    0                                         None
    1    the number                           int
    2    how many         the arguments       tuple
    3    the first one    how many            floats in the arena
    4    dtype            FROM, how many      numbers in the file, see DTYPES
    5                     bits of a float32   float
    6    0                FROM, how many      bytes in the file
    6    1                from, how many      bytes in the arena
    7    1 or 0                               True or False
"""

from burnpack.compat import const

if False:  # for type checkers
    from typing import Any

    from burnrt.types import Words

NONE = const(0)
INT = const(1)
TUPLE = const(2)
ARENA = const(3)
NUMBERS = const(4)
FLOAT = const(5)
BYTES = const(6)
TRUTH = const(7)

DTYPES = ("F32", "F16", "BF16", "F64")
WIDTHS = {"F32": 4, "F16": 2, "BF16": 2, "F64": 8}  # bytes of a number
_DEPTH_MOST = const(3)  # of tuples in tuples


def arguments(words: "Words", at: int, end: int, memory: "Any") -> "tuple[Any, ...]":
    """Return the arguments that the words from `at` to `end` spell, as a tuple.

    memory: what makes of places what a kernel takes: `floats(start, count)`, `numbers(dtype, start, count)`,
        `bytes(start, count)`, `arena(start, count)` and `number(place of a word)`.
    """
    found = []
    while at < end:
        value, at = argument(words, at, memory, 0)
        found.append(value)
    return tuple(found)


def argument(words: "Words", at: int, memory: "Any", depth: int) -> "tuple[Any, int]":
    """Return an argument, and where the next one begins."""
    word = words[at]
    tag, payload = word & 7, word >> 3
    at += 1
    if tag == INT:
        return payload, at
    if tag == ARENA:
        return memory.floats(payload, words[at]), at + 1
    if tag == TUPLE:
        parts = []
        while payload > 0 and depth < _DEPTH_MOST:
            part, at = argument(words, at, memory, depth + 1)
            parts.append(part)
            payload -= 1
        return tuple(parts), at
    if tag == NUMBERS:
        return memory.numbers(DTYPES[payload], words[at], words[at + 1]), at + 2
    if tag == FLOAT:
        return memory.number(at), at + 1
    if tag == BYTES:
        where = memory.arena if payload else memory.bytes
        return where(words[at], words[at + 1]), at + 2
    return bool(payload) if tag == TRUTH else None, at
