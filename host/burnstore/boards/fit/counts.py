"""What the time of a step of integers also depends on, besides the numbers that it looks at and makes."""

from collections.abc import Callable, Sequence
from math import prod

from burnrt import recurrent_words, words

Counts = tuple[int, ...]
Row = Sequence[int]


def others(kernel: str, row: Row) -> Counts:
    """Return the counts of a step by its words, which `burnrt.words` explains; most kernels have none."""
    find = _COUNTS.get(kernel.removeprefix("int8."))
    return find(row) if find else ()


def _rows(row: Row) -> Counts:
    return (row[words.ROWS],)


def _moved(row: Row) -> Counts:
    """Return 1, for what a copy begins with, its rows, and the numbers that it moves one by one."""
    extents = row[words.EXTENTS : words.EXTENTS + 5]
    is_whole = row[words.STEPS + 4] == row[words.OUT_STEPS + 4] == 1 and row[words.SOURCE] != 1
    return 1, prod(extents[:4]), 0 if is_whole else prod(extents)


def _broadcast(row: Row) -> Counts:
    """Return the rows, and the numbers that have one of their own at the other side."""
    rows = row[words.PLANES] * row[words.LINES]
    return rows, rows * row[words.COUNT] * row[words.SECOND_STEPS + 2]


def _packed(row: Row) -> Counts:
    """Return the numbers that become weights, and the products that are added up."""
    weights = row[words.MATRICES] * row[words.TERMS] * row[words.COLUMNS]
    return weights, weights * row[words.LINES]


def _resampled(row: Row) -> Counts:
    """Return the products of rows, and those of columns."""
    down, across = row[words.KERNEL : words.KERNEL + 2]
    rows = row[words.CHANNELS] * row[words.OUT_HEIGHT]
    return rows * row[words.WIDTH] * down, rows * row[words.OUT_WIDTH] * across


def _steps(row: Row) -> Counts:
    return (row[recurrent_words.TIMES] * row[recurrent_words.DIRECTIONS],)


_COUNTS: dict[str, Callable[[Row], Counts]] = {
    "add_strided": _broadcast,
    "copy": _moved,
    "fill": lambda row: (1,),
    "gru": _steps,
    "lstm": _steps,
    "masked_softmax": _rows,
    "matmul": _packed,
    "multiply_strided": _broadcast,
    "normalize": _rows,
    "resample": _resampled,
    "rnn": _steps,
    "softmax": _rows,
}
