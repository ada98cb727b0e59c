"""Recurrent layers of one direction: time steps one after the other, and a state between them.

All of them share these:

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
    from collections.abc import Sequence

    from burnrt.types import Gate, NumberBuffer, Numbers, Places, RecurrentSizes


def lstm(
    x: "Numbers",
    out: "NumberBuffer | None",
    input_gate: "Gate",
    forget_gate: "Gate | None",
    output_gate: "Gate",
    cell_gate: "Gate",
    hidden: "NumberBuffer",
    cell: "NumberBuffer",
    work: "Sequence[NumberBuffer]",
    sizes: "RecurrentSizes",
    places: "Places",
) -> None:
    """Long short-term memory; without a forget gate, what the input gate leaves is remembered.

    i, f, o = sigmoid of the gates, cell = f · cell + i · tanh(cell gate), hidden = o · tanh(cell)
    """
    row, candidate, gate, spare = work
    size = sizes[0] * sizes[3]
    for number in range(sizes[1]):
        _take(x, number, row, sizes, places)
        _gate(cell_gate, row, hidden, candidate, spare, sizes)
        kernels.tanh(candidate, candidate, size)
        _gate(input_gate, row, hidden, gate, spare, sizes)
        kernels.sigmoid(gate, gate, size)
        if forget_gate is None:
            kernels.lerp(cell, candidate, gate, cell, size)
        else:
            kernels.multiply(candidate, gate, candidate, size)
            _gate(forget_gate, row, hidden, gate, spare, sizes)
            kernels.sigmoid(gate, gate, size)
            kernels.multiply(cell, gate, cell, size)
            kernels.add(cell, candidate, cell, size)
        _gate(output_gate, row, hidden, gate, spare, sizes)
        kernels.sigmoid(gate, gate, size)
        kernels.tanh(cell, hidden, size)
        kernels.multiply(hidden, gate, hidden, size)
        _give(hidden, number, out, sizes, places)


def gru(
    x: "Numbers",
    out: "NumberBuffer | None",
    update_gate: "Gate",
    reset_gate: "Gate",
    new_gate: "Gate",
    reset_after: bool,
    hidden: "NumberBuffer",
    work: "Sequence[NumberBuffer]",
    sizes: "RecurrentSizes",
    places: "Places",
) -> None:
    """The gated recurrent unit. reset_after: whether the hidden state is multiplied with r after its matrix.

    z, r = sigmoid of the gates, n = tanh(new gate, r · its hidden part), hidden = (1 - z) · n + z · hidden
    """
    row, candidate, gate, spare = work
    batch, steps, inputs, width = sizes
    size = batch * width
    for number in range(steps):
        _take(x, number, row, sizes, places)
        _gate(reset_gate, row, hidden, gate, spare, sizes)
        kernels.sigmoid(gate, gate, size)
        if reset_after:
            kernels.linear(hidden, new_gate[2], new_gate[3], spare, batch, width, width)
            kernels.multiply(gate, spare, spare, size)
        else:
            kernels.multiply(gate, hidden, gate, size)
            kernels.linear(gate, new_gate[2], new_gate[3], spare, batch, width, width)
        kernels.linear(row, new_gate[0], new_gate[1], candidate, batch, inputs, width)
        kernels.add(candidate, spare, candidate, size)
        kernels.tanh(candidate, candidate, size)
        _gate(update_gate, row, hidden, gate, spare, sizes)
        kernels.sigmoid(gate, gate, size)
        kernels.lerp(candidate, hidden, gate, hidden, size)
        _give(hidden, number, out, sizes, places)


def rnn(
    x: "Numbers",
    out: "NumberBuffer | None",
    gate: "Gate",
    rectified: bool,
    hidden: "NumberBuffer",
    work: "Sequence[NumberBuffer]",
    sizes: "RecurrentSizes",
    places: "Places",
) -> None:
    """The plain recurrent layer: hidden = tanh(gate), or relu(gate) where it is `rectified`."""
    row, sums, spare = work
    size = sizes[0] * sizes[3]
    for number in range(sizes[1]):
        _take(x, number, row, sizes, places)
        _gate(gate, row, hidden, sums, spare, sizes)
        if rectified:
            kernels.relu(sums, hidden, size)
        else:
            kernels.tanh(sums, hidden, size)
        _give(hidden, number, out, sizes, places)


def _gate(
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


def _take(x: "Numbers", number: int, row: "NumberBuffer", sizes: "RecurrentSizes", places: "Places") -> None:
    """row = the inputs of a step."""
    inputs = sizes[2]
    kernels.copy_rows(
        x, _first(number, sizes, places) * inputs, places[0] * inputs, row, 0, inputs, sizes[0], inputs
    )


def _give(
    hidden: "Numbers", number: int, out: "NumberBuffer | None", sizes: "RecurrentSizes", places: "Places"
) -> None:
    """Copy the hidden state after a step into its places in `out`."""
    if out is not None:
        width, row, start = sizes[3], places[2], _first(number, sizes, places) * places[2] + places[3]
        kernels.copy_rows(hidden, 0, width, out, start, places[0] * row, sizes[0], width)


def _first(number: int, sizes: "RecurrentSizes", places: "Places") -> int:
    """Return the row of the first sample, in the step that comes as number `number`."""
    return (sizes[1] - 1 - number if places[4] else number) * places[1]
