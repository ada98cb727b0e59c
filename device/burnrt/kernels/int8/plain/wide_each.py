"""Functions of numbers of 16 bits, and bytes made of them, in plain Python."""

from burnrt.wide_words import (
    BITS,
    MIDDLE,
    MOST,
    NARROW_BIAS,
    NARROW_FACTOR,
    NARROW_SHIFT,
    SKIPPED,
    TURN,
)
from burnrt.words import COUNT, HIGH, INPUT, LOW, OUTPUT

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def wide_lookup(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    middle, most, skipped = words[MIDDLE], words[MOST], words[SKIPPED]
    bits, turn = words[BITS], words[TURN]
    limit, x, out = 2 << bits, words[INPUT], words[OUTPUT]
    for _ in range(words[COUNT]):
        distance = arena[x] | arena[x + 1] << 8
        if distance > most:
            distance = most
        distance -= middle
        place = 0
        if distance < 0:
            distance = -distance
            place = turn
        shift = skipped
        while distance >> shift >= limit:
            shift += 1
        place = 2 * (place + (shift - skipped << bits) + (distance >> shift))
        low = weight[place] | weight[place + 1] << 8
        high = weight[place + 2] | weight[place + 3] << 8
        low += (high - low) * (distance & (1 << shift) - 1) + (1 << shift >> 1) >> shift
        arena[out] = low & 255
        arena[out + 1] = low >> 8
        x += 2
        out += 2


def narrow(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    low, high = words[LOW], words[HIGH]
    factor, bias, shift = words[NARROW_FACTOR], words[NARROW_BIAS], words[NARROW_SHIFT]
    x, out = words[INPUT], words[OUTPUT]
    for place in range(out, out + words[COUNT]):
        total = (arena[x] | arena[x + 1] << 8) * factor + bias >> shift
        if total < low:
            total = low
        elif total > high:
            total = high
        arena[place] = total
        x += 2
