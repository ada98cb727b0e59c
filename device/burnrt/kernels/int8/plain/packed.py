"""The dense layer on integers with weights of 4 bits, in plain Python."""

from burnrt.kernels.int8.plain.sums import rescaled
from burnrt.words import (
    HIGH,
    INPUT,
    INPUTS,
    LOW,
    OUTPUT,
    OUTPUTS,
    PLACES,
    PLANAR,
    RESCALE,
    WORK,
    ZERO,
    packed_size,
)

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def linear4(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    inputs, places = words[INPUTS], words[PLACES]
    x, out = words[INPUT], words[OUTPUT]
    step = out_step = 1
    to_next, to_next_out = inputs, words[OUTPUTS]
    if words[PLANAR]:
        step = out_step = places
        to_next = to_next_out = 1
    for _ in range(places):
        total = _gather(arena, x, step, inputs, words[WORK])
        _outputs(arena, weight, constants, words, total, out, out_step)
        x += to_next
        out += to_next_out


def _gather(arena: "Arena", x: int, step: int, inputs: int, to: int) -> int:
    """Copy the numbers of a place to the place `to` of the arena, a 0 behind them; return their sum."""
    total = 0
    for _ in range(inputs):
        value = arena[x]
        arena[to] = value
        total += value
        x += step
        to += 1
    arena[to] = 0  # what an odd number of weights leaves of a byte counts nothing
    return total


def _outputs(
    arena: "Arena", weight: "Buffer", constants: "Words", words: "Words", total: int, out: int, step: int
) -> None:
    """Write the outputs of a place whose numbers are gathered. total: their sum."""
    low, high, zero = words[LOW], words[HIGH], words[ZERO]
    rescale, work = words[RESCALE], words[WORK]
    size, pairs = packed_size(words[INPUTS]), (words[INPUTS] + 1) // 2
    surplus = total * 8  # sums are of weight + 8, times a number
    start = 0
    for output in range(words[OUTPUTS]):
        a = -surplus
        place = work
        for at in range(start, start + pairs):
            both = weight[at] ^ 136
            a += (both & 15) * arena[place]
            a += (both >> 4) * arena[place + 1]
            place += 2
        arena[out] = rescaled(a + constants[output], constants[output + rescale], zero, low, high)
        out += step
        start += size
