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
    for marks, step, query_step in masks:
        flat(step, query_step)
        if not marks >= [(batch - 1) * step + (queries - 1) * query_step + keys]:
            raise ValueError
    fits = query == out and key == value and scores == [keys] and len(steps) == 3
    is_whole = weights in (None, flat(batch, heads, queries, keys)) and least <= 0 < count
    return fits and is_whole and (2 * count, 0b111000000, 1)
