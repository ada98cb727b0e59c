"""Moving integers, in plain Python."""

from burnpack.compat import const
from burnrt.words import (
    COUNT,
    EXTENTS,
    FIRST,
    INPUT,
    INTO,
    OUT_STEPS,
    OUTPUT,
    PAD,
    SOURCE,
    STEPS,
)

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words

_LAST = const(4)  # the innermost dimension


def copy(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    to, first = words[OUTPUT] + words[INTO], words[FIRST]
    if words[SOURCE] == 2:
        _copy(weight, first, arena, to, words, 0, None)
    else:
        table = weight if words[SOURCE] else None
        _copy(arena, words[INPUT] + first, arena, to, words, 0, table)


def _copy(
    x: "Buffer", first: int, out: "Arena", to: int, words: "Words", axis: int, table: "Buffer | None"
) -> None:
    """Copy all of the dimensions from `axis` on."""
    step, out_step = words[STEPS + axis], words[OUT_STEPS + axis]
    if axis == _LAST:
        for _ in range(words[EXTENTS + axis]):
            out[to] = x[first] if table is None else table[x[first]]
            first += step
            to += out_step
        return
    for _ in range(words[EXTENTS + axis]):
        _copy(x, first, out, to, words, axis + 1, table)
        first += step
        to += out_step


def fill(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    number = words[PAD]
    for place in range(words[OUTPUT], words[OUTPUT] + words[COUNT]):
        arena[place] = number
