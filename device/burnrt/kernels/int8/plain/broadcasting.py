"""Sums and products of integers that are broadcast, in plain Python."""

from burnrt.words import (
    BIAS,
    COUNT,
    FACTOR,
    FIRST_FACTOR,
    FIRST_STEPS,
    FIRST_ZERO,
    HIGH,
    INPUT,
    KEPT,
    LINES,
    LOW,
    OTHER,
    OUTPUT,
    PLANES,
    SECOND_FACTOR,
    SECOND_STEPS,
    SECOND_ZERO,
    SHIFT,
)

if False:  # for type checkers
    from collections.abc import Callable

    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def add_strided(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    _each_row(arena, weight if words[KEPT] else arena, words, _sums)


def multiply_strided(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    _each_row(arena, weight if words[KEPT] else arena, words, _products)


def _each_row(arena: "Arena", second: "Buffer", words: "Words", make: "Callable[..., None]") -> None:
    x, y, out = words[INPUT], 0 if words[KEPT] else words[OTHER], words[OUTPUT]
    for _ in range(words[PLANES]):
        line, other = x, y
        for _ in range(words[LINES]):
            make(arena, line, second, other, out, words)
            line += words[FIRST_STEPS + 1]
            other += words[SECOND_STEPS + 1]
            out += words[COUNT]
        x += words[FIRST_STEPS]
        y += words[SECOND_STEPS]


def _sums(arena: "Arena", x: int, second: "Buffer", y: int, out: int, words: "Words") -> None:
    low, high, step = words[LOW], words[HIGH], words[SECOND_STEPS + 2]
    first, other = words[FIRST_FACTOR], words[SECOND_FACTOR]
    bias, shift = words[BIAS], words[SHIFT]
    for place in range(x, x + words[COUNT]):
        total = arena[place] * first + bias + second[y] * other >> shift
        if total < low:
            total = low
        elif total > high:
            total = high
        arena[out] = total
        y += step
        out += 1


def _products(arena: "Arena", x: int, second: "Buffer", y: int, out: int, words: "Words") -> None:
    low, high, step = words[LOW], words[HIGH], words[SECOND_STEPS + 2]
    first, other = words[FIRST_ZERO], words[SECOND_ZERO]
    bias, shift, factor = words[BIAS], words[SHIFT], words[FACTOR]
    for place in range(x, x + words[COUNT]):
        total = (arena[place] - first) * (second[y] - other) * factor + bias >> shift
        if total < low:
            total = low
        elif total > high:
            total = high
        arena[out] = total
        y += step
        out += 1
