"""Looking rows up in a table, in plain Python."""

from burnpack.errors import InvalidTensor

if False:  # for type checkers
    from burnrt.types import NumberBuffer, Numbers


def embedding(x: "Numbers", weight: "Numbers", out: "NumberBuffer", count: int, rows: int, size: int) -> None:
    """Copy row x[i] of `weight` to row i of `out`.

    x: (count) whole numbers. weight: (rows, size). out: (count, size).
    Raises `InvalidTensor` for a number that names no row.
    """
    to = 0
    for number in range(count):
        index = int(x[number])
        if index != x[number] or not 0 <= index < rows:
            raise InvalidTensor("no such row", "Embedding", expected="0..%d" % (rows - 1), found=x[number])
        for place in range(index * size, (index + 1) * size):
            out[to] = weight[place]
            to += 1
