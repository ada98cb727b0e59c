"""Sums of products, and what goes out of them."""

from burnrt.words import HIGH, LOW, RESCALE, ZERO

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def rescaled(total: int, word: int, zero: int, low: int, high: int) -> int:
    """Return what goes out of a sum with the rescaling word `word`."""
    total >>= word >> 16 & 31
    if total > 32767:
        total = 32767
    elif total < -32768:
        total = -32768
    bits = word >> 24
    total = zero + (total * (word & 0xFFFF) + (1 << bits - 1) >> bits)
    if total < low:
        return low
    return high if total > high else total


def sums(
    arena: "Arena",
    x: int,
    size: int,
    total: int,
    weight: "Buffer",
    at: int,
    constants: "Words",
    first: int,
    count: int,
    out: int,
    step: int,
    words: "Words",
) -> None:
    """Write the outputs of one row of numbers.

    x, size: the row's place in the arena and its extent. total: the sum of its numbers. at: where the weights
    begin. first, count: the first output's number in `constants`, and how many outputs there are. out, step:
    the place of the first in the arena, and from one to the next.
    """
    low, high, zero = words[LOW], words[HIGH], words[ZERO]
    rescale = words[RESCALE]
    end = first + count
    fours = end - count % 4
    surplus = total * 128  # sums are of weight + 128, times a number
    at -= x
    while first < fours:
        # Four sums share each number that is read and the bookkeeping of the loop.
        a = b = c = d = -surplus
        at_b = at + size
        at_c = at_b + size
        at_d = at_c + size
        for i in range(x, x + size):
            value = arena[i]
            a += (weight[i + at] ^ 128) * value
            b += (weight[i + at_b] ^ 128) * value
            c += (weight[i + at_c] ^ 128) * value
            d += (weight[i + at_d] ^ 128) * value
        arena[out] = rescaled(a + constants[first], constants[first + rescale], zero, low, high)
        out += step
        arena[out] = rescaled(b + constants[first + 1], constants[first + 1 + rescale], zero, low, high)
        out += step
        arena[out] = rescaled(c + constants[first + 2], constants[first + 2 + rescale], zero, low, high)
        out += step
        arena[out] = rescaled(d + constants[first + 3], constants[first + 3 + rescale], zero, low, high)
        out += step
        at = at_d + size
        first += 4
    while first < end:
        a = -surplus
        for i in range(x, x + size):
            a += (weight[i + at] ^ 128) * arena[i]
        arena[out] = rescaled(a + constants[first], constants[first + rescale], zero, low, high)
        out += step
        at += size
        first += 1
