"""Sums and products of numbers of 16 bits that are broadcast, in plain Python."""

from burnrt.kernels.int8.plain.wide_sums import rescaled
from burnrt.wide_words import PAIRS_HIGH, PAIRS_LOW, PAIRS_ZERO
from burnrt.words import (
    BIAS,
    COUNT,
    FIRST_FACTOR,
    FIRST_STEPS,
    FIRST_ZERO,
    INPUT,
    KEPT,
    LINES,
    OTHER,
    OUTPUT,
    PLANES,
    RESCALING,
    SECOND_FACTOR,
    SECOND_STEPS,
    SECOND_ZERO,
    SHIFT,
)

if False:  # for type checkers
    from collections.abc import Callable

    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def wide_add(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    _each(arena, weight if words[KEPT] else arena, words, _sum)


def wide_multiply(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    _each(arena, weight if words[KEPT] else arena, words, _product)


def _each(arena: "Arena", second: "Buffer", words: "Words", make: "Callable[..., int]") -> None:
    low, high, step = words[PAIRS_LOW], words[PAIRS_HIGH], 2 * words[SECOND_STEPS + 2]
    plane, other, out = words[INPUT], 0 if words[KEPT] else words[OTHER], words[OUTPUT]
    for _ in range(words[PLANES]):
        line, beside = plane, other
        for _ in range(words[LINES]):
            y = beside
            for x in range(line, line + 2 * words[COUNT], 2):
                total = make(arena[x] | arena[x + 1] << 8, second[y] | second[y + 1] << 8, words)
                if total < low:
                    total = low
                elif total > high:
                    total = high
                arena[out] = total & 255
                arena[out + 1] = total >> 8
                y += step
                out += 2
            line += 2 * words[FIRST_STEPS + 1]
            beside += 2 * words[SECOND_STEPS + 1]
        plane += 2 * words[FIRST_STEPS]
        other += 2 * words[SECOND_STEPS]


def _sum(x: int, y: int, words: "Words") -> int:
    return x * words[FIRST_FACTOR] + words[BIAS] + y * words[SECOND_FACTOR] >> words[SHIFT]


def _product(x: int, y: int, words: "Words") -> int:
    x -= words[FIRST_ZERO]
    y -= words[SECOND_ZERO]
    product = x * (y >> 3) + (x * (y & 7) >> 3)
    return rescaled(product, words[RESCALING], words[PAIRS_ZERO], -65536, 131072)
