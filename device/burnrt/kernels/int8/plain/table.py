"""Tables of vectors of integers, in plain Python."""

from burnrt.words import COUNT, ENTRIES, INPUT, OUTPUT, SIZE

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def embedding(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    size, last = words[SIZE], words[ENTRIES] - 1
    x, out = words[INPUT], words[OUTPUT]
    for place in range(x, x + words[COUNT]):
        entry = arena[place] if arena[place] < last else last
        for at in range(entry * size, entry * size + size):
            arena[out] = weight[at] ^ 128
            out += 1
