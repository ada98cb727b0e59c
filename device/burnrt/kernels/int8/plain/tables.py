"""Looking up integers, in a table for each channel, in plain Python."""

from burnrt.words import COUNT, INPUT, OUTPUT, TABLES

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def lookup_each(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    x, out, table = words[INPUT], words[OUTPUT], 0
    for _ in range(words[TABLES]):
        for place in range(x, x + words[COUNT]):
            arena[out] = weight[table + arena[place]]
            out += 1
        x += words[COUNT]
        table += 256
