"""Tables of vectors of integers, in plain Python."""

from burnrt.words import COUNT, ENTRIES, INPUT, OUTPUT, SIZE, WIDE

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def embedding(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    size, last, is_wide = words[SIZE], words[ENTRIES] - 1, words[WIDE]
    x, out = words[INPUT], words[OUTPUT]
    for _ in range(words[COUNT]):
        entry = arena[x]
        x += 1
        if is_wide:
            entry += arena[x] << 8
            x += 1
        if entry > last:
            entry = last
        for at in range(entry * size, entry * size + size):
            arena[out] = weight[at] ^ 128
            out += 1
