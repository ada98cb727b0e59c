"""What the words of a step of integers must be, and what follows from them.

A kernel asks nothing: it reads and writes where its words say. Numbers stay small enough for the smallest
integers of MicroPython, 31 bits with their sign.

For each kernel there is a pair by its name: the kinds of its words from word 6 on, see `holding.row`; and a
function that looks at them and at the constants, and returns what the step takes:

    reads     bytes at INPUT, and as many at `other`, or of both in a pair
    writes    bytes at OUTPUT
    window    how many numbers go into one of these
    weight    its bytes
    scratch   bytes at WORK
    other     the word that says where the second numbers are, or again INPUT
    in_place  whether OUTPUT may be a place that is read
    filled    where several steps may fill a place, and neither it nor INPUT needs to be a multiple of 4:
              how many of its bytes this one writes; no other function returns it
    states    in its place, of recurrent layers: which bytes are read, and which written, besides

words: of the step, as `burnrt.words` has them. memory: the program's. start: of the constants, in bytes.
"""

from burnpack.compat import const

if False:  # for type checkers
    from typing import TypeAlias

    States: TypeAlias = tuple[list[tuple[int, int]], list[tuple[int, int]]]
    Reads: TypeAlias = int | tuple[int, int]
    Needs: TypeAlias = (
        tuple[Reads, int, int, int, int, int, bool]
        | tuple[Reads, int, int, int, int, int, bool, int]
        | tuple[Reads, int, int, int, int, int, bool, States]
    )

BEFORE = const(3)  # words of a step before those that `burnrt.words` has: by these, errors count more
# FROM SIZE CONSTANTS, then INPUT OUTPUT LOW HIGH ZERO, and RESCALE or OTHER: a place has 24 bits, a byte 8.
START = b"\x3c\0\x3c\x30\x30\x10\x10\x10\x30"

SUM_MOST = const((1 << 30) - 1)
PASSES = const(8)  # what a number costs that is no part of a sum, in products
