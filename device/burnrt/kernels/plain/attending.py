"""Attention in plain Python, a row of scores at a time: all that it needs besides its output is that row."""

from math import sqrt

from burnrt.kernels.plain.dense import four_columns, one_column
from burnrt.kernels.plain.memory import copy_rows, fill
from burnrt.kernels.plain.probability import quiet_softmax, softmax

if False:  # for type checkers
    from collections.abc import Sequence

    from burnrt.types import Mask, NumberBuffer, Numbers

_NOTHING = float("-inf")


def attention(
    query: "Numbers",
    key: "Numbers",
    value: "Numbers",
    masks: "Sequence[Mask]",
    least: float,
    quiet: bool,
    scores: "NumberBuffer",
    weights: "NumberBuffer | None",
    out: "NumberBuffer",
    sizes: tuple[int, int, int, int, int],
    steps: tuple[int, int, int],
) -> None:
    """out = softmax(query · keyᵀ / √size) · value, each head for itself.

    Attention Is All You Need (arXiv 1706.03762), equation 1.

    query, out: batch × queries rows of heads × size numbers; they may be one buffer.
    key, value: batch × keys such rows.
    masks: tuples (marks, batch step, query step): the scores whose mark is not zero are set to `least`; the
        marks of a row of scores are (keys) from batch number · batch step + query number · query step on.
        Or tuples (numbers, batch step, query step, first) of numbers that are added to the scores, found in
        the same way from number `first` on. A row that is nothing but minus infinity has weights of 0.
    quiet: whether e⁰ is added to the sum that the softmax divides by.
    scores: (keys), room to work in. weights: (batch, heads, queries, keys) or None, filled with the softmax.
    sizes: (batch, queries, keys, heads, size).
    steps: from a sample to the next in query, the same in key and value, from a row to the next in all.
    """
    batch, queries, keys, heads, size = sizes
    share = quiet_softmax if quiet else softmax
    done = 0
    for number in range(batch * heads):
        image, head = divmod(number, heads)
        first = image * steps[1] + head * size
        for row in range(queries):
            place = image * steps[0] + head * size + row * steps[2]
            _score(query, place, key, first, steps[2], size, scores, keys)
            for mask in masks:
                _mask(scores, mask, image, row, keys, least)
            if masks and _is_hidden(scores, keys):
                fill(scores, 0, keys, 0.0)
            else:
                share(scores, scores, 1, keys, 1)
            _sum(scores, keys, value, first, steps[2], out, place, size)
            if weights is not None:
                copy_rows(scores, 0, keys, weights, done, keys, 1, keys)
                done += keys


def _score(
    query: "Numbers",
    place: int,
    key: "Numbers",
    first: int,
    step: int,
    size: int,
    scores: "NumberBuffer",
    keys: int,
) -> None:
    """scores = the products of one row of queries with all rows of keys, over √size."""
    scale = 1.0 / sqrt(size)
    end = place + size
    fours = keys - keys % 4
    for number in range(0, fours, 4):
        _four_rows(query, place, end, key, first + number * step, step, scale, scores, number)
    for number in range(fours, keys):
        scores[number] = scale * one_column(query, place, end, key, first + number * step, 1)


def _four_rows(
    x: "Numbers",
    start: int,
    end: int,
    key: "Numbers",
    at: int,
    step: int,
    scale: float,
    out: "NumberBuffer",
    to: int,
) -> None:
    two, three = 2 * step, 3 * step
    a = b = c = d = 0.0
    for index in range(start, end):
        value = x[index]
        a += value * key[at]
        b += value * key[at + step]
        c += value * key[at + two]
        d += value * key[at + three]
        at += 1
    out[to] = a * scale
    out[to + 1] = b * scale
    out[to + 2] = c * scale
    out[to + 3] = d * scale


def _mask(scores: "NumberBuffer", mask: "Mask", image: int, row: int, keys: int, least: float) -> None:
    marks = mask[0]
    start = image * mask[1] + row * mask[2]
    if len(mask) == 4:
        start += mask[3]
        for number in range(keys):
            scores[number] += marks[start + number]
        return
    for number in range(keys):
        if marks[start + number]:
            scores[number] = least


def _is_hidden(scores: "Numbers", keys: int) -> bool:
    for number in range(keys):
        if scores[number] != _NOTHING:
            return False
    return True


def _sum(
    scores: "Numbers",
    keys: int,
    value: "Numbers",
    first: int,
    step: int,
    out: "NumberBuffer",
    place: int,
    size: int,
) -> None:
    """out = the sum of all rows of values, each times its score."""
    fours = size - size % 4
    for column in range(0, fours, 4):
        four_columns(scores, 0, keys, value, first + column, step, out, place + column)
    for column in range(fours, size):
        out[place + column] = one_column(scores, 0, keys, value, first + column, step)
