"""The words of steps on values of 16 bits.

place  word                     of
0-1    INPUT OUTPUT             all, as in `burnrt.words`; 2 to 4 are 0
5      RESCALE                  wide_conv2d
6      WORK                     wide_conv2d: offset of 2 bytes for each number of a window
7      PAD                      wide_conv2d: the zero point of the numbers that come in
8-22   CHANNELS to OUT_CHANNELS wide_conv2d, as conv2d has them
23     SUMS_MOST                wide_conv2d: what comes in is cut to this
24-26  SUMS_LOW SUMS_HIGH SUMS_ZERO    wide_conv2d: of what goes out

5      OTHER                    wide_add, wide_multiply
6      COUNT                    wide_add, wide_multiply: numbers in a row
7-10   FIRST_FACTOR SECOND_FACTOR BIAS SHIFT    wide_add
7-8    FIRST_ZERO SECOND_ZERO   wide_multiply
9      RESCALING                wide_multiply: the rescaling word
10     PAIRS_ZERO               wide_multiply: the zero point of what goes out
11-18  PLANES to KEPT           wide_add, wide_multiply, as add_strided has them: steps are in numbers
19-20  PAIRS_LOW PAIRS_HIGH     wide_add, wide_multiply: of what goes out

6      COUNT                    wide_lookup, narrow
7      MIDDLE                   wide_lookup: the number that distances are from
8      MOST                     wide_lookup: what comes in is cut to this
9      BITS                     wide_lookup: 2^BITS parts between one power of 2 and the next
10     SKIPPED                  wide_lookup: how many low bits of a distance are never looked up
11     TURN                     wide_lookup: entries of the table for numbers above MIDDLE

7-9    NARROW_FACTOR NARROW_BIAS NARROW_SHIFT    narrow
"""

from burnpack.compat import const

SUMS_MOST = const(23)
SUMS_LOW = const(24)
SUMS_HIGH = const(25)
SUMS_ZERO = const(26)

PAIRS_ZERO = const(10)
PAIRS_LOW = const(19)
PAIRS_HIGH = const(20)

MIDDLE = const(7)
MOST = const(8)
BITS = const(9)
SKIPPED = const(10)
TURN = const(11)

NARROW_FACTOR = const(7)
NARROW_BIAS = const(8)
NARROW_SHIFT = const(9)


def entries(distance: int, bits: int, skipped: int) -> int:
    """Return how many entries a table has for distances up to this one, and the one behind."""
    shift = skipped
    while distance >> shift >= 2 << bits:
        shift += 1
    return (shift - skipped << bits) + (distance >> shift) + 2
