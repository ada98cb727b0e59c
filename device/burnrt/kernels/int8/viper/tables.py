# ruff: noqa: F821
"""Looking up integers, in a table for each channel, in viper."""

import micropython
from micropython import const

# Places in a step's words, as in burnrt.words: an unexported constant costs nothing.
_INPUT = const(0)
_OUTPUT = const(1)
_COUNT = const(6)
_TABLES = const(7)


@micropython.viper
def lookup_each(x: ptr8, table: ptr8, constants, words: ptr32):
    behind = words[_OUTPUT] - words[_INPUT]
    x = ptr8(int(x) + words[_INPUT])
    tables = words[_TABLES]
    while tables:
        end = int(x) + words[_COUNT]
        while int(x) != end:
            x[behind] = table[x[0]]
            x = ptr8(int(x) + 1)
        table = ptr8(int(table) + 256)
        tables -= 1
