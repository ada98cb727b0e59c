"""Recurrent layers on integers, on numpy: the definition of every result.

See the package for what each computes.
"""

import numpy as np

from burnrt import recurrent_words as at
from burnrt.words import INPUT, OUTPUT, ZERO

if False:  # for type checkers
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    import numpy.typing as npt

    from burnpack.types import Buffer
    from burnrt.types import Arena

    Array = npt.NDArray[Any]
    Row = Sequence[int]
    Linear = Callable[[Arena, Buffer, Row, Row], None]


class _Sequence:
    """The time steps of a layer, in numbers of numpy."""

    def __init__(
        self, linear: "Linear", gates: int, arena: "Arena", weight: "Buffer", constants: "Row", words: "Row"
    ) -> None:
        self.linear, self.arena, self.weight, self.words = linear, arena, weight, words
        self.rows = at.laid(gates, words)[0]
        self.table = np.asarray(constants[: at.TABLE], np.int64)
        self.constants = constants[at.TABLE :]
        self.hidden = words[at.HIDDEN]

    def bytes(self, start: int, count: int) -> "npt.NDArray[np.uint8]":
        return np.frombuffer(self.arena, np.uint8, count, start)

    def states(self, place: int, of: int, zero: int) -> "Array":
        """Return a state before the first step. place: the word that says where they are. of: a direction."""
        if not self.words[at.KEEPS] & 1:
            return np.full(self.hidden, zero, np.int64)
        return self.bytes(self.words[place] + of * self.hidden, self.hidden).astype(np.int64)

    def keep(self, place: int, bit: int, of: int, state: "Array") -> None:
        """Write a state after the last step, if it is wanted."""
        if self.words[at.KEEPS] & bit:
            self.bytes(self.words[place] + of * self.hidden, self.hidden)[:] = state

    def sums(self, of: int, x: "Array", hidden: "Array") -> "list[Array]":
        """Return the sums of each matrix for a time step, from -128 to 127."""
        work, numbers = self.words[at.WORK], at.fours(self.words[at.NUMBERS])
        self.bytes(work, len(x))[:] = x
        self.bytes(work + numbers, self.hidden)[:] = hidden
        first = of * 2 * sum(row[3] for row in self.rows)
        found = []
        for number, (_, out, _, outputs) in enumerate(self.rows):
            start = of * self.words[at.APART] + (self.words[at.MATRICES + number - 1] if number else 0)
            own = self.words[at.SUMS + number * at.SUMS_SIZE :][: at.SUMS_SIZE]
            self.linear(self.arena, memoryview(self.weight)[start:], self.constants[first:], own)
            first += 2 * outputs
            found.append(self.bytes(out, outputs).astype(np.int64) - 128)
        return found

    def steps(self, of: int) -> "Iterator[tuple[Array, npt.NDArray[np.uint8]]]":
        """Yield the input of each time step, and where the hidden state after it goes."""
        times, numbers, hidden = self.words[at.TIMES], self.words[at.NUMBERS], self.hidden
        row = self.words[at.DIRECTIONS] * hidden
        for number in range(times):
            time = times - 1 - number if of else number
            x = self.bytes(self.words[INPUT] + time * numbers, numbers)
            yield x, self.bytes(self.words[OUTPUT] + time * row + of * hidden, hidden)

    def sigmoid(self, sums: "Array") -> "Array":
        found: Array = self.table[sums + 128] & 4095
        found += found >> 11
        return found

    def tanh(self, place: "Array") -> "Array":
        """Return what lies between the table's numbers. place: in 1/256 of a number, from the middle on."""
        place = np.clip(place + 32768, 0, 65535)
        first, second = self.table[place >> 8] >> 16, self.table[(place >> 8) + 1] >> 16
        found: Array = first + ((second - first) * (place & 255) >> 8) - 4096
        return found


def gru(linear: "Linear", arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    run = _Sequence(linear, 3, arena, weight, constants, words)
    of_input, of_hidden, shift, of_new = words[at.OF_INPUT : at.OF_NEW + 1]
    middle = (words[ZERO] << 8) + 128
    for of in range(words[at.DIRECTIONS]):
        kept = (run.states(at.STATE, of, words[ZERO]) << 8) + 128
        for x, out in run.steps(of):
            both, new, old = run.sums(of, x, kept >> 8)
            reset, update = run.sigmoid(both[: run.hidden]), run.sigmoid(both[run.hidden :])
            place = new * of_input + (reset * old >> 4) * of_hidden >> shift
            made = run.tanh(place) * of_new + 512 >> 10
            more = update * (kept - middle - made) + 2048 >> 12
            kept = np.clip(made + more + middle, 0, 65535)
            out[:] = kept >> 8
        run.keep(at.AFTER, 2, of, kept >> 8)


def lstm(linear: "Linear", arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    run = _Sequence(linear, 4, arena, weight, constants, words)
    _, _, cell_zero, of_product, of_cell, shift, of_answer = words[at.CELL : at.OF_ANSWER + 1]
    middle = (cell_zero << 8) + 128
    for of in range(words[at.DIRECTIONS]):
        hidden = run.states(at.STATE, of, words[ZERO])
        kept = (run.states(at.CELL, of, cell_zero) << 8) + 128
        for x, out in run.steps(of):
            gates = run.sums(of, x, hidden)[0].reshape(4, -1)
            entering, forget, leaving = (run.sigmoid(gate) for gate in gates[:3])
            new = run.tanh(gates[3] << 8)
            kept = forget * (kept - middle) + 2048 >> 12
            kept = kept + ((entering * new >> 10) * of_product + 8192 >> 14)
            kept = np.clip(kept + middle, 0, 65535)
            answer = leaving * run.tanh((kept - middle) * of_cell >> shift) >> 9
            hidden = np.clip(words[ZERO] + (answer * of_answer + 524288 >> 20), 0, 255)
            out[:] = hidden
        run.keep(at.AFTER, 2, of, hidden)
        run.keep(at.CELL_AFTER, 4, of, kept >> 8)


def rnn(linear: "Linear", arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    run = _Sequence(linear, 1, arena, weight, constants, words)
    for of in range(words[at.DIRECTIONS]):
        hidden = run.states(at.STATE, of, words[ZERO])
        for x, out in run.steps(of):
            hidden = run.table[run.sums(of, x, hidden)[0] + 128] & 255
            out[:] = hidden
        run.keep(at.AFTER, 2, of, hidden)
