"""Cases of gru, lstm and rnn.

Geometry, each name optional: times numbers hidden directions, and keeps, the word KEEPS.
"""

from typing import Any

import numpy as np

from burnrt import recurrent_words as at
from burnrt.lengths import LENGTHS
from burnrt.words import HIGH, INPUT, OUTPUT, ZERO
from kit.int8.int8_numbers import finishing, numbers, room, weights


def recurrent(
    arena_of: Any,
    kind: str,
    g: np.random.Generator,
    times: int = 0,
    numbers_of: int = 0,
    hidden: int = 0,
    directions: int = 0,
    keeps: int | None = None,
) -> Any:
    """Return a case of `kind`; `arena_of` makes an arena of the sizes of its parts."""
    times, numbers_of = times or int(g.integers(1, 5)), numbers_of or int(g.integers(1, 12))
    hidden, directions = hidden or int(g.integers(1, 10)), directions or int(g.integers(1, 3))
    keeps = int(g.choice([0, 1, 2, 3, 7])) if keeps is None else keeps
    keeps &= 7 if kind == "lstm" else 3
    words = [0] * LENGTHS[kind]
    words[at.KEEPS : at.DIRECTIONS + 1] = keeps, times, numbers_of, hidden, directions
    size, out = directions * hidden, times * directions * hidden
    written = at.fours(out) + 2 * at.fours(size)
    work = at.laid(at.GATES[kind], words)[2]
    sizes = {"INPUT": times * numbers_of, "OUTPUT": written, "WORK": work, "STATE": size, "CELL": size}
    arena = arena_of(g, **sizes)
    for name in ("INPUT", "STATE", "CELL"):
        arena.fill(name, numbers(g, sizes[name]))
    places = arena.offsets
    words[INPUT], words[OUTPUT] = places["INPUT"], places["OUTPUT"]
    words[HIGH], words[ZERO] = 255, int(g.integers(256))
    words[at.STATE], words[at.WORK] = places["STATE"], places["WORK"]
    words[at.AFTER] = places["OUTPUT"] + at.fours(out)
    rows = at.laid(at.GATES[kind], words)[0]
    weight, constants = _matrices(g, rows, words, directions)
    for number, (given, made, inputs, outputs) in enumerate(rows):
        start = at.SUMS + number * at.SUMS_SIZE
        words[start : start + at.SUMS_SIZE] = given, made, 0, 255, 128, outputs, 1, inputs, outputs
    cell_after = words[at.AFTER] + at.fours(size)
    factors = {
        "gru": [_upto(g, 1 << 21), _upto(g, 1 << 13), int(g.integers(32)), 1 + _upto(g, 1 << 14)],
        "lstm": [places["CELL"], cell_after, int(g.integers(256)), 1 + _upto(g, 1 << 15)]
        + [_upto(g, 1 << 14), int(g.integers(32)), 1 + _upto(g, 1 << 13)],
        "rnn": [],
    }[kind]
    words[len(words) - len(factors) :] = factors
    table = _table(g, kind)
    macs = out * at.GATES[kind] * (numbers_of + hidden)
    constants = np.array(table, "<i4").tobytes() + constants
    case = arena.case(kind, weight, constants, {}, macs)
    return case._replace(words=np.array(words, "<i4").tobytes())


def _upto(g: np.random.Generator, end: int) -> int:
    """Return a number below `end`, of any size, or the largest."""
    return int(g.choice([end - 1, g.integers(end), g.integers(end) >> int(g.integers(end.bit_length()))]))


def _matrices(
    g: np.random.Generator, rows: list[tuple[int, int, int, int]], words: list[int], directions: int
) -> tuple[bytes, bytes]:
    """Return weights and constants of all directions, and put where the weights are into the words."""
    weight, constants, apart = b"", b"", 0
    for of in range(directions):
        weight = weight.ljust(of * apart, b"\x55")
        for number, (_, _, inputs, outputs) in enumerate(rows):
            if number and not of:
                words[at.MATRICES + number - 1] = len(weight)
            matrix = weights(g, (outputs, inputs))
            sums = matrix.astype(np.int64) @ g.integers(0, 256, (inputs, 16))
            made, told = finishing(g, sums, room(matrix), axis=0)
            columns = np.frombuffer(made, "<i4")
            constants += columns[:outputs].tobytes()
            constants += columns[told["RESCALE"] : told["RESCALE"] + outputs].tobytes()
            weight += matrix.tobytes()
        if not of:
            apart = words[at.APART] = len(weight) + int(g.integers(4))
    return weight, constants


def _table(g: np.random.Generator, kind: str) -> list[int]:
    """Return a table: of curves, or of anything."""
    if kind == "rnn":
        return g.integers(0, 256, at.TABLE).tolist()
    if g.random() < 0.3:
        return (g.integers(0, 8192, at.TABLE) << 16 | g.integers(0, 4096, at.TABLE)).tolist()
    places = (np.arange(at.TABLE) - 128) * g.uniform(0.005, 0.1)
    tanh, sigmoid = np.rint(4096 * np.tanh(places)) + 4096, np.rint(4095 / (1 + np.exp(-places)))
    return (np.minimum(tanh, 8191).astype(np.int64) << 16 | sigmoid.astype(np.int64)).tolist()
