"""Rows of integers normalised by their own mean and variance, in plain Python."""

from burnrt.words import (
    CENTER,
    EPSILON,
    HIGH,
    INNER,
    INPUT,
    LOW,
    MEAN_BITS,
    NEXT,
    OUTPUT,
    OWN_MEAN,
    ROWS,
    SHIFT,
    SIZE,
    VARIANCE_BITS,
)

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def normalize(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    x, out, pair = words[INPUT], words[OUTPUT], 0
    count = words[SIZE] * words[INNER]
    for _ in range(words[ROWS]):
        total = squares = 0
        for place in range(x, x + count):
            total += arena[place]
            squares += arena[place] * arena[place]
        _normalize_row(arena, x, out, total, squares, count, constants, pair, words)
        x += count
        out += count
        pair += 2 * words[NEXT]


def _normalize_row(
    arena: "Arena",
    x: int,
    out: int,
    total: int,
    squares: int,
    count: int,
    constants: "Words",
    pair: int,
    words: "Words",
) -> None:
    bits, more = words[MEAN_BITS], words[VARIANCE_BITS]
    middle, correction = words[CENTER], 0
    mean = middle << bits
    if middle == OWN_MEAN:
        mean = ((total << bits) + count // 2) // count
        middle = mean + (1 << bits - 1) >> bits
        correction = (total - count * middle) * (mean - (middle << bits)) >> bits - more
    squares -= middle * (2 * total - count * middle)
    m = (squares << more) - correction + words[EPSILON]
    shift = 14 - more // 2
    while m < 8192:
        m <<= 2
        shift -= 1
    while m >= 32768:
        m >>= 2
        shift += 1
    root = reciprocal_root(m)
    offset = (1 << shift - 1) - (mean >> bits - 7) * root
    _write(arena, x, out, root << 7, offset, shift, constants, pair, words)


def reciprocal_root(m: int) -> int:
    """Return 2^14 × √(2^15 / m), of m from 2^13 to below 2^15: a line, then Newton's method."""
    y = 34898 - (m * 39 >> 6)
    y = y * (49152 - ((y * y >> 14) * m >> 15) >> 1) >> 14
    y = y * (49152 - ((y * y >> 14) * m >> 15) >> 1) >> 14
    return y * (49152 - ((y * y >> 14) * m >> 15) >> 1) >> 14


def _write(
    arena: "Arena",
    x: int,
    out: int,
    factor: int,
    bias: int,
    shift: int,
    constants: "Words",
    pair: int,
    words: "Words",
) -> None:
    low, high, last = words[LOW], words[HIGH], words[SHIFT]
    for _ in range(words[SIZE]):
        gain, offset = constants[pair], constants[pair + 1]
        for place in range(x, x + words[INNER]):
            number = (arena[place] * factor + bias >> shift) * gain + offset >> last
            if number < low:
                number = low
            elif number > high:
                number = high
            arena[out] = number
            out += 1
        x += words[INNER]
        pair += 2
