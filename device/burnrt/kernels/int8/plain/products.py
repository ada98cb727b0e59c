"""Products of matrices of integers, in plain Python."""

from burnrt.kernels.int8.plain.sums import rescaled
from burnrt.words import (
    ACROSS,
    COLUMNS,
    DOWN,
    HIGH,
    INPUT,
    LINES,
    LOW,
    MATRICES,
    OTHER,
    OTHER_STEP,
    OTHER_ZERO,
    OUTPUT,
    PAD,
    RESCALING,
    STEP,
    TERMS,
    ZERO,
)

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def matmul(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    out = words[OUTPUT]
    for matrix in range(words[MATRICES]):
        x = words[INPUT] + matrix * words[STEP]
        other = words[OTHER] + matrix * words[OTHER_STEP]
        for _ in range(words[LINES]):
            for column in range(words[COLUMNS]):
                total = _sum(arena, x, other + column * words[ACROSS], words)
                arena[out] = rescaled(total, words[RESCALING], words[ZERO], words[LOW], words[HIGH])
                out += 1
            x += words[TERMS]


def _sum(arena: "Arena", x: int, y: int, words: "Words") -> int:
    pad, zero, down = words[PAD], words[OTHER_ZERO], words[DOWN]
    halved = zero != 128
    total = 0
    for place in range(x, x + words[TERMS]):
        number = (arena[y] - zero + halved) >> halved
        total += (arena[place] - pad) * (number if number < 127 else 127)
        y += down
    return total
