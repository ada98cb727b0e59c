"""Rows that are named one by one, in plain Python."""

from burnrt import kernels

if False:  # for type checkers
    from collections.abc import Sequence

    from burnrt.types import NumberBuffer, Numbers


def index_select(
    x: "Numbers", out: "NumberBuffer", outer: int, size: int, inner: int, indices: "Sequence[int]"
) -> None:
    """Copy the rows that `indices` name to rows of `out`, another buffer, one by one.

    x: (outer, size, inner). out: (outer, as many as there are indices, inner).
    """
    count = len(indices)
    for place in range(count):
        start, to = indices[place] * inner, place * inner
        kernels.copy_rows(x, start, size * inner, out, to, count * inner, outer, inner)
