"""The dense layer on integers, in plain Python."""

from burnrt.kernels.int8.plain.sums import sums
from burnrt.words import INPUT, INPUTS, OUTPUT, OUTPUTS, ROWS

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def linear(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    inputs, outputs = words[INPUTS], words[OUTPUTS]
    x, out = words[INPUT], words[OUTPUT]
    for _ in range(words[ROWS]):
        total = 0
        for place in range(x, x + inputs):
            total += arena[place]
        sums(arena, x, inputs, total, weight, 0, constants, 0, outputs, out, 1, words)
        x += inputs
        out += outputs
