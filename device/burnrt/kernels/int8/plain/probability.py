"""Softmax of integers, in plain Python."""

from burnrt.words import INPUT, OUTPUT, ROWS, SIZE

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def softmax(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    size = words[SIZE]
    x, out = words[INPUT], words[OUTPUT]
    for _ in range(words[ROWS]):
        _row(arena, x, out, size, constants)
        x += size
        out += size


def _row(arena: "Arena", x: int, out: int, size: int, powers: "Words") -> None:
    largest = 0
    for place in range(x, x + size):
        if arena[place] > largest:
            largest = arena[place]
    total = 0
    for place in range(x, x + size):
        total += powers[largest - arena[place]]
    half = total // 2
    for place in range(x, x + size):
        share = (powers[largest - arena[place]] * 256 + half) // total
        arena[out] = share if share < 255 else 255
        out += 1
