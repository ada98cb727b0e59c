"""Recurrent layers on integers, in plain Python."""

from burnrt.kernels.int8.plain.sums import rescaled
from burnrt.recurrent_words import (
    AFTER,
    APART,
    CELL,
    CELL_AFTER,
    CELL_SHIFT,
    CELL_ZERO,
    DIRECTIONS,
    HIDDEN,
    KEEPS,
    MATRICES,
    NUMBERS,
    OF_ANSWER,
    OF_CELL,
    OF_HIDDEN,
    OF_INPUT,
    OF_NEW,
    OF_PRODUCT,
    SHIFT,
    STATE,
    SUMS,
    SUMS_SIZE,
    TABLE,
    TIMES,
    WORK,
    fours,
)
from burnrt.words import INPUT, INPUTS, OUTPUT, OUTPUTS, ZERO

if False:  # for type checkers
    from collections.abc import Callable

    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def gru(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    _run(_gru_step, 3, arena, weight, constants, words)


def lstm(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    _run(_lstm_step, 1, arena, weight, constants, words)


def rnn(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    _run(_rnn_step, 1, arena, weight, constants, words)


def _run(
    step: "Callable[[Arena, int, int, int, Words, Words], None]",
    matrices: int,
    arena: "Arena",
    weight: "Buffer",
    constants: "Words",
    words: "Words",
) -> None:
    """Take all time steps. step: what becomes of a step's sums."""
    times, numbers, hidden = words[TIMES], words[NUMBERS], words[HIDDEN]
    row, size = words[WORK], words[DIRECTIONS] * hidden
    state, first, at = row + fours(numbers), TABLE, 0
    kept = words[SUMS + SUMS_SIZE * (matrices - 1) + OUTPUT]
    kept += fours(words[SUMS + SUMS_SIZE * (matrices - 1) + OUTPUTS])
    for of in range(words[DIRECTIONS]):
        _begin(arena, words, state, kept, of * hidden, step is _lstm_step)
        x, out = words[INPUT], words[OUTPUT] + of * hidden
        ahead, further = numbers, size
        if of:
            x, out = x + (times - 1) * numbers, out + (times - 1) * size
            ahead, further = -numbers, -size
        behind = first
        for _ in range(times):
            _copy(arena, x, row, numbers)
            behind = first
            for number in range(matrices):
                place = at + (words[MATRICES + number - 1] if number else 0)
                _sums(arena, weight, place, constants, behind, words, SUMS + number * SUMS_SIZE)
                behind += 2 * words[SUMS + number * SUMS_SIZE + OUTPUTS]
            step(arena, state, kept, hidden, constants, words)
            _copy(arena, state, out, hidden)
            x += ahead
            out += further
        first, at = behind, at + words[APART]
        if words[KEEPS] & 2:
            _copy(arena, state, words[AFTER] + of * hidden, hidden)
        if words[KEEPS] & 4:
            _copy(arena, kept, words[CELL_AFTER] + of * hidden, hidden)


def _begin(arena: "Arena", words: "Words", state: int, kept: int, start: int, has_cell: bool) -> None:
    """Put the state before the first step where it is worked on."""
    hidden = words[HIDDEN]
    low = kept  # what is less than a byte's step, of a GRU behind nothing, of an LSTM behind the cells
    if has_cell:
        low += fours(hidden)
        _set(arena, kept, hidden, words[CELL_ZERO])
    if words[KEEPS] & 1:
        _copy(arena, words[STATE] + start, state, hidden)
        if has_cell:
            _copy(arena, words[CELL] + start, kept, hidden)
    else:
        _set(arena, state, hidden, words[ZERO])
    if has_cell or words[SUMS + OUTPUTS] != hidden:  # an RNN keeps bytes alone
        _set(arena, low, hidden, 128)


def _copy(arena: "Arena", start: int, to: int, count: int) -> None:
    for place in range(start, start + count):
        arena[to] = arena[place]
        to += 1


def _set(arena: "Arena", start: int, count: int, number: int) -> None:
    for place in range(start, start + count):
        arena[place] = number


def _sums(
    arena: "Arena", weight: "Buffer", at: int, constants: "Words", first: int, words: "Words", row: int
) -> None:
    """Write the sums of a matrix. at: its place in the weight. row: of its words."""
    x, out = words[row + INPUT], words[row + OUTPUT]
    inputs, outputs = words[row + INPUTS], words[row + OUTPUTS]
    total = 0
    for place in range(x, x + inputs):
        total += arena[place]
    for number in range(first, first + outputs):
        found = -128 * total
        start = at - x
        for place in range(x, x + inputs):
            found += (weight[start + place] ^ 128) * arena[place]
        arena[out] = rescaled(found + constants[number], constants[number + outputs], 128, 0, 255)
        at += inputs
        out += 1


def _tanh(constants: "Words", place: int) -> int:
    """Return what lies between the table's numbers. place: in 1/256 of a number, from the middle on."""
    place += 32768
    if place < 0:
        place = 0
    elif place > 65535:
        place = 65535
    found = constants[place >> 8] >> 16
    return found + (((constants[(place >> 8) + 1] >> 16) - found) * (place & 255) >> 8) - 4096


def _sigmoid(constants: "Words", byte: int) -> int:
    found = constants[byte] & 4095
    return found + (found >> 11)


def _gru_step(arena: "Arena", state: int, kept: int, hidden: int, constants: "Words", words: "Words") -> None:
    of_input, of_hidden = words[OF_INPUT], words[OF_HIDDEN]
    shift, of_new = words[SHIFT], words[OF_NEW]
    both = words[SUMS + OUTPUT]
    new, old = words[SUMS + SUMS_SIZE + OUTPUT], words[SUMS + 2 * SUMS_SIZE + OUTPUT]
    middle = (words[ZERO] << 8) + 128
    for unit in range(hidden):
        reset = _sigmoid(constants, arena[both + unit]) * (arena[old + unit] - 128) >> 4
        place = (arena[new + unit] - 128) * of_input + reset * of_hidden >> shift
        made = _tanh(constants, place) * of_new + 512 >> 10
        more = (arena[state + unit] << 8) + arena[kept + unit] - middle - made
        more = _sigmoid(constants, arena[both + hidden + unit]) * more + 2048 >> 12
        _keep(arena, made + more + middle, state + unit, kept + unit)


def _keep(arena: "Arena", number: int, high: int, low: int) -> None:
    """Write 16 bits in two places."""
    if number < 0:
        number = 0
    elif number > 65535:
        number = 65535
    arena[high] = number >> 8
    arena[low] = number & 255


def _lstm_step(
    arena: "Arena", state: int, kept: int, hidden: int, constants: "Words", words: "Words"
) -> None:
    of_product, of_cell = words[OF_PRODUCT], words[OF_CELL]
    shift, of_answer = words[CELL_SHIFT], words[OF_ANSWER]
    gate, low = words[SUMS + OUTPUT], kept + fours(hidden)
    middle = (words[CELL_ZERO] << 8) + 128
    for unit in range(hidden):
        cell = (arena[kept + unit] << 8) + arena[low + unit] - middle
        cell = _sigmoid(constants, arena[gate + hidden + unit]) * cell + 2048 >> 12
        new = (constants[arena[gate + 3 * hidden + unit]] >> 16) - 4096
        new = _sigmoid(constants, arena[gate + unit]) * new >> 10
        cell += new * of_product + 8192 >> 14
        _keep(arena, cell + middle, kept + unit, low + unit)
        cell = (arena[kept + unit] << 8) + arena[low + unit] - middle
        answer = _tanh(constants, cell * of_cell >> shift)
        answer = _sigmoid(constants, arena[gate + 2 * hidden + unit]) * answer >> 9
        answer = words[ZERO] + (answer * of_answer + 524288 >> 20)
        arena[state + unit] = 0 if answer < 0 else 255 if answer > 255 else answer


def _rnn_step(arena: "Arena", state: int, kept: int, hidden: int, constants: "Words", words: "Words") -> None:
    sums = words[SUMS + OUTPUT]
    for unit in range(hidden):
        arena[state + unit] = constants[arena[sums + unit]]
