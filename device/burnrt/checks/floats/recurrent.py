"""Recurrent layers."""

from burnrt.checks.floats.counts import flat

if False:  # for type checkers
    from typing import Any


def lstm(
    x: "Any",
    out: "Any",
    input_gate: "Any",
    forget_gate: "Any",
    output_gate: "Any",
    cell_gate: "Any",
    hidden: "Any",
    cell: "Any",
    work: "Any",
    sizes: "Any",
    places: "Any",
) -> "Any":
    gates = [input_gate, output_gate, cell_gate] + ([] if forget_gate is None else [forget_gate])
    return hidden == cell and _steps(x, out, gates, hidden, work, 4, sizes, places, 0b111000010, 0b11000000)


def gru(
    x: "Any",
    out: "Any",
    update_gate: "Any",
    reset_gate: "Any",
    new_gate: "Any",
    reset_after: object,
    hidden: "Any",
    work: "Any",
    sizes: "Any",
    places: "Any",
) -> "Any":
    gates = [update_gate, reset_gate, new_gate]
    return _steps(x, out, gates, hidden, work, 4, sizes, places, 0b11000010, 0b1000000)


def rnn(
    x: "Any",
    out: "Any",
    gate: "Any",
    rectified: object,
    hidden: "Any",
    work: "Any",
    sizes: "Any",
    places: "Any",
) -> "Any":
    return _steps(x, out, [gate], hidden, work, 3, sizes, places, 0b110010, 0b10000)


def _steps(
    x: "Any",
    out: "Any",
    gates: "Any",
    hidden: "Any",
    work: "Any",
    buffers: int,
    sizes: "Any",
    places: "Any",
    written: int,
    shared: int,
) -> "Any":
    """Check what all have. buffers: how many they work in."""
    batch, steps, inputs, width = sizes
    sample, step, row, at, _ = places
    flat(sample, step, row, at)
    for weight, bias, hidden_weight, hidden_bias in gates:
        if weight != flat(inputs, width) or hidden_weight != flat(width, width):
            raise ValueError
        if bias not in (None, [width]) or hidden_bias not in (None, [width]):
            raise ValueError
    last = (batch - 1) * sample + (steps - 1) * step  # row
    count = flat(batch, steps, width)[0]
    fits = x >= [(last + 1) * inputs] and (out is None or out >= [last * row + at + width])
    is_room = work == (flat(batch, inputs),) + (hidden,) * (buffers - 1) and hidden == flat(batch, width)
    return fits and is_room and count and (count * (inputs + width) * len(gates), written, shared)
