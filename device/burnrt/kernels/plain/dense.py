"""The dense layer in plain Python."""

if False:  # for type checkers
    from burnrt.types import NumberBuffer, Numbers


def linear(
    x: "Numbers",
    weight: "Numbers",
    bias: "Numbers | None",
    out: "NumberBuffer",
    rows: int,
    inputs: int,
    outputs: int,
) -> None:
    """out = x · weight + bias, row by row.

    x: (rows, inputs). weight: (inputs, outputs), as Burn lays it out. bias: (outputs) or None.
    out: (rows, outputs), not the buffer of x.
    """
    fours = outputs - outputs % 4
    for number in range(rows):
        start = number * inputs
        end = start + inputs
        to = number * outputs
        for column in range(0, fours, 4):
            four_columns(x, start, end, weight, column, outputs, out, to + column)
        for column in range(fours, outputs):
            out[to + column] = one_column(x, start, end, weight, column, outputs)
        if bias is not None:
            for column in range(outputs):
                out[to + column] += bias[column]


def four_columns(
    x: "Numbers", start: int, end: int, weight: "Numbers", at: int, step: int, out: "NumberBuffer", to: int
) -> None:
    """Put the sums of x · weight over one stretch of x, for four columns of weight from `at` on, into `out`.

    at: where the first column begins. step: from one of its numbers to the next.
    """
    # The four share each number that is read and the bookkeeping of the loop.
    a = b = c = d = 0.0
    for index in range(start, end):
        value = x[index]
        a += value * weight[at]
        b += value * weight[at + 1]
        c += value * weight[at + 2]
        d += value * weight[at + 3]
        at += step
    out[to] = a
    out[to + 1] = b
    out[to + 2] = c
    out[to + 3] = d


def one_column(x: "Numbers", start: int, end: int, weight: "Numbers", at: int, step: int) -> float:
    """Return the sum of x · weight over one stretch of x, for the column of weight that begins at `at`."""
    total = 0.0
    for index in range(start, end):
        total += x[index] * weight[at]
        at += step
    return total
