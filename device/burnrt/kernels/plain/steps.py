"""A time step of a recurrent layer: what all of them do. Each layer is of one direction.

The kernels of these layers share these:

    x: rows of `inputs` numbers. out: the hidden state after each step, or None.
    a gate: a tuple (weight, bias, hidden weight, hidden bias), as `linear` takes them; it is the sum of what
        the first two make of the inputs, and the others of the hidden state.
    hidden, cell: (batch, width), the state before the first step, in which that after the last is left.
    work: buffers to work in: one of (batch, inputs), the others of (batch, width).
    sizes: (batch, steps, inputs, width).
    places: (from a sample to the next, from a step to the next, numbers in a row of out, where in a row this
        layer's begin, whether the last step comes first); the first two in rows.
"""

from burnrt import kernels

if False:  # for type checkers
    from burnrt.types import Gate, NumberBuffer, Numbers, Places, RecurrentSizes


def gate_product(
    gate: "Gate",
    row: "Numbers",
    hidden: "Numbers",
    out: "NumberBuffer",
    spare: "NumberBuffer",
    sizes: "RecurrentSizes",
) -> None:
    """out = what a gate makes of a step's inputs, and of the hidden state."""
    batch, _, inputs, width = sizes
    kernels.linear(row, gate[0], gate[1], out, batch, inputs, width)
    kernels.linear(hidden, gate[2], gate[3], spare, batch, width, width)
    kernels.add(out, spare, out, batch * width)


def take(x: "Numbers", number: int, row: "NumberBuffer", sizes: "RecurrentSizes", places: "Places") -> None:
    """row = the inputs of a step."""
    inputs = sizes[2]
    kernels.copy_rows(
        x, _first(number, sizes, places) * inputs, places[0] * inputs, row, 0, inputs, sizes[0], inputs
    )


def give(
    hidden: "Numbers", number: int, out: "NumberBuffer | None", sizes: "RecurrentSizes", places: "Places"
) -> None:
    """Copy the hidden state after a step into its places in `out`."""
    if out is not None:
        width, row, start = sizes[3], places[2], _first(number, sizes, places) * places[2] + places[3]
        kernels.copy_rows(hidden, 0, width, out, start, places[0] * row, sizes[0], width)


def _first(number: int, sizes: "RecurrentSizes", places: "Places") -> int:
    """Return the row of the first sample, in the step that comes as number `number`."""
    return (sizes[1] - 1 - number if places[4] else number) * places[1]
