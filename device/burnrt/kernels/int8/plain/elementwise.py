"""Adding and looking up integers, in plain Python."""

from burnrt.words import (
    BIAS,
    COUNT,
    FIRST_FACTOR,
    HIGH,
    INPUT,
    LOW,
    OTHER,
    OUTPUT,
    SECOND_FACTOR,
    SHIFT,
)

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def add(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    low, high = words[LOW], words[HIGH]
    first, second = words[FIRST_FACTOR], words[SECOND_FACTOR]
    bias, shift = words[BIAS], words[SHIFT]
    other, out = words[OTHER], words[OUTPUT]
    x = words[INPUT]
    for place in range(x, x + words[COUNT]):
        total = arena[place] * first + bias + arena[other] * second >> shift
        if total < low:
            total = low
        elif total > high:
            total = high
        arena[out] = total
        other += 1
        out += 1


def lookup(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    x, out = words[INPUT], words[OUTPUT]
    for place in range(x, x + words[COUNT]):
        arena[out] = weight[arena[place]]
        out += 1
