"""Recurrent layers with gates that say what is remembered; `steps` says what their arguments are."""

from burnrt import kernels
from burnrt.kernels.plain.steps import gate_product, give, take

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
        take(x, number, row, sizes, places)
        gate_product(cell_gate, row, hidden, candidate, spare, sizes)
        kernels.tanh(candidate, candidate, size)
        gate_product(input_gate, row, hidden, gate, spare, sizes)
        kernels.sigmoid(gate, gate, size)
        if forget_gate is None:
            kernels.lerp(cell, candidate, gate, cell, size)
        else:
            kernels.multiply(candidate, gate, candidate, size)
            gate_product(forget_gate, row, hidden, gate, spare, sizes)
            kernels.sigmoid(gate, gate, size)
            kernels.multiply(cell, gate, cell, size)
            kernels.add(cell, candidate, cell, size)
        gate_product(output_gate, row, hidden, gate, spare, sizes)
        kernels.sigmoid(gate, gate, size)
        kernels.tanh(cell, hidden, size)
        kernels.multiply(hidden, gate, hidden, size)
        give(hidden, number, out, sizes, places)


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
        take(x, number, row, sizes, places)
        gate_product(reset_gate, row, hidden, gate, spare, sizes)
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
        gate_product(update_gate, row, hidden, gate, spare, sizes)
        kernels.sigmoid(gate, gate, size)
        kernels.lerp(candidate, hidden, gate, hidden, size)
        give(hidden, number, out, sizes, places)
