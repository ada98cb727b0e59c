"""The words of gru, lstm and rnn from word 5 on, and what follows from them; `burnrt.words` has those before.

    5      STATE                    offset of the hidden states before, of each direction one after the other
    6      WORK                     offset of bytes to work in, as many as `laid` says
    7      KEEPS                    1 where there are states before, else these are zeros, and 2 where AFTER,
                                    4 where CELL_AFTER is to be written: the sum of these
    8-11   TIMES NUMBERS HIDDEN DIRECTIONS    time steps, numbers that come in at each, numbers of a hidden
                                    state, and 1 or 2 directions, of which the second begins with the
                                    last step
    12     AFTER                    offset of the hidden states after
    13-14  MATRICES                 bytes from the weight's start to the second and the third matrix
    15     APART                    bytes from a direction's matrices to those of the next
    16-24  SUMS                     the words of `linear` for the first matrix
    25-42                           gru: the same for the second and the third
    43-46  OF_INPUT OF_HIDDEN SHIFT OF_NEW             gru: factors, see `burnrt.kernels.int8`
    25-31  CELL CELL_AFTER CELL_ZERO OF_PRODUCT OF_CELL CELL_SHIFT OF_ANSWER    lstm: the same

A time step's row of numbers is the input, filled up to a multiple of 4, and the hidden state behind it. The
constants are a table, then for each direction what `linear` has of each matrix.
"""

from burnpack.compat import const

if False:  # for type checkers
    from burnrt.types import Words

STATE = const(5)
WORK = const(6)
KEEPS = const(7)
TIMES = const(8)
NUMBERS = const(9)
HIDDEN = const(10)
DIRECTIONS = const(11)
AFTER = const(12)
MATRICES = const(13)
APART = const(15)
SUMS = const(16)
SUMS_SIZE = const(9)

OF_INPUT = const(43)
OF_HIDDEN = const(44)
SHIFT = const(45)
OF_NEW = const(46)

CELL = const(25)
CELL_AFTER = const(26)
CELL_ZERO = const(27)
OF_PRODUCT = const(28)
OF_CELL = const(29)
CELL_SHIFT = const(30)
OF_ANSWER = const(31)

GATES = {"gru": 3, "lstm": 4, "rnn": 1}
TABLE = const(257)  # words


def fours(size: int) -> int:
    """Return the least multiple of 4 from `size` on."""
    return (size + 3) // 4 * 4


def laid(gates: int, words: "Words") -> "tuple[list[tuple[int, int, int, int]], int, int]":
    """Return where the work of a step of so many gates lies.

    Of each matrix INPUT, OUTPUT, INPUTS and OUTPUTS; the offset of what is kept of a state besides its bytes;
    and the offset behind all.
    """
    work, numbers, hidden = words[WORK], fours(words[NUMBERS]), words[HIDDEN]
    sums = work + fours(numbers + hidden)
    if gates == 3:  # the third gate's two parts are added up elsewhere
        second = sums + fours(2 * hidden)
        third = second + fours(hidden)
        kept = third + fours(hidden)
        rows = [
            (work, sums, numbers + hidden, 2 * hidden),
            (work, second, numbers, hidden),
            (work + numbers, third, hidden, hidden),
        ]
        return rows, kept, kept + fours(hidden)
    kept = sums + fours(gates * hidden)
    return [(work, sums, numbers + hidden, gates * hidden)], kept, kept + 2 * fours(hidden) * (gates == 4)
