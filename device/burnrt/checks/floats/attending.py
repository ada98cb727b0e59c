"""Attention."""

from burnrt.checks.floats.counts import flat

if False:  # for type checkers
    from typing import Any


def attention(
    query: "Any",
    key: "Any",
    value: "Any",
    masks: "Any",
    least: float,
    quiet: object,
    scores: "Any",
    weights: "Any",
    out: "Any",
    sizes: "Any",
    steps: "Any",
) -> "Any":
    batch, queries, keys, heads, size = sizes
    flat(*steps)
    count = flat(*sizes)[0]
    for buffer, rows, step in ((query, queries, steps[0]), (key, keys, steps[1])):
        if buffer != [(batch - 1) * step + (rows - 1) * steps[2] + heads * size]:
            raise ValueError
    for mask in masks:
        if not 3 <= len(mask) <= 4 or not mask[0] >= [_end(mask, batch, queries, keys)]:
            raise ValueError
    fits = query == out and key == value and scores == [keys] and len(steps) == 3
    is_whole = weights in (None, flat(batch, heads, queries, keys)) and least <= 0 < count
    return fits and is_whole and (2 * count, 0b111000000, 1)


def _end(mask: "Any", batch: int, queries: int, keys: int) -> int:
    """Return where what is read of a mask ends. Raises `ValueError` where it begins before the mask."""
    step, row = mask[1:3]
    first = (mask[3] if len(mask) > 3 else 0) + (queries - 1) * min(row, 0)  # rows may go backwards
    flat(first, step, max(row, -row), *mask[3:])
    return first + (batch - 1) * step + (queries - 1) * abs(row) + keys  # type: ignore[no-any-return]
