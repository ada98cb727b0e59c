"""Softmax of integers where a mask hides some, in plain Python."""

from burnrt.words import INPUT, OUTPUT, PERIOD, ROWS, SIZE

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def masked_softmax(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    size, period = words[SIZE], words[PERIOD]
    x, out = words[INPUT], words[OUTPUT]
    for row in range(words[ROWS]):
        _row(arena, x, out, size, constants, weight, row % period * ((size + 7) >> 3) * 8)
        x += size
        out += size


def _row(arena: "Arena", x: int, out: int, size: int, powers: "Words", mask: "Buffer", bit: int) -> None:
    """bit: the number of the mask's first bit of the row."""
    largest = 0
    for place in range(size):
        if mask[bit + place >> 3] >> (place & 7) & 1 and arena[x + place] > largest:
            largest = arena[x + place]
    total = 0
    for place in range(size):
        if mask[bit + place >> 3] >> (place & 7) & 1:
            total += powers[largest - arena[x + place]]
    half = total // 2
    for place in range(size):
        share = 0
        if total and mask[bit + place >> 3] >> (place & 7) & 1:
            share = (powers[largest - arena[x + place]] * 256 + half) // total
        arena[out + place] = share if share < 255 else 255
