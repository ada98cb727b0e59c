"""The dense layer, and tables."""

from burnrt.checks.floats.counts import EACH, flat

if False:  # for type checkers
    from typing import Any


def linear(x: "Any", weight: "Any", bias: "Any", out: "Any", rows: int, inputs: int, outputs: int) -> "Any":
    is_layer = weight == flat(inputs, outputs) and bias in (None, flat(outputs))
    fits = x == flat(rows, inputs) and out == flat(rows, outputs)
    return is_layer and fits and (rows * inputs * outputs, 8, 0)


def embedding(x: "Any", weight: "Any", out: "Any", count: int, rows: int, size: int) -> "Any":
    fits = x == flat(count) and weight == flat(rows, size) and out == flat(count, size)
    return fits and (EACH * count * size, 4, 0)
