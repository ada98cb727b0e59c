"""Whatever the words of a step with weights of 4 bits say, no kernel runs on them before they are checked."""

from burnpack.errors import Malformed
from burnrt import Model
from burnrt import words as at
from burnrt.checks import program as checks
from burnrt.memory import Memory
from kit import support
from kit.draw import Draw
from kit.int8.small_program import Program, end, packed
from kit.int8.spoilt_programs import look, refused

# Of 9 numbers at each of 4 places 3 outputs: weights of two words each.
INPUTS, OUTPUTS, PLACES = 9, 3, 4
WORK, OUTPUT = 36, 36 + 32
ARENA = OUTPUT + 12
BIAS_MOST = (1 << 30) - 1 - 255 * 8 * INPUTS
RESCALE = 18 << 24 | 1 << 13

WORDS = (
    ("INPUT", 4),
    ("INPUT", -4),
    ("OUTPUT", 32),
    ("OUTPUT", OUTPUT + 2),
    ("OUTPUT", OUTPUT + 4),
    ("LOW", -1),
    ("HIGH", 256),
    ("ZERO", 256),
    ("RESCALE", 2),
    ("WORK", 32),
    ("WORK", 38),
    ("WORK", OUTPUT - 28),
    ("WORK", -4),
    ("INPUTS", 0),
    ("INPUTS", 8),
    ("INPUTS", 10),
    ("INPUTS", 17),
    ("INPUTS", 1 << 15 | 1),
    ("OUTPUTS", 0),
    ("OUTPUTS", 2),
    ("OUTPUTS", 4),
    ("PLACES", 0),
    ("PLACES", 3),
    ("PLACES", 5),
    ("PLACES", -1),
    ("PLANAR", 2),
    ("PLANAR", -1),
)


def program(bias=0, planar=1, **words):
    """Return a program of one step, with some words of it instead of the right ones."""
    made = Program(ARENA, [end((1, INPUTS, PLACES), 0, 0.5)], [end((1, OUTPUTS, PLACES), OUTPUT, 0.5)])
    made.weights["w"] = bytes([(37 * place + 9) & 255 for place in range(8 * OUTPUTS)])
    made.constants["c"] = packed([bias] * OUTPUTS + [RESCALE] * OUTPUTS)
    row = [0, OUTPUT, 0, 255, 100, OUTPUTS, WORK, INPUTS, OUTPUTS, PLACES, planar]
    for name in words:
        row[getattr(at, name)] = words[name]
    made.step("int8.linear4", ("weight", "w"), 8 * OUTPUTS, ("constant", "c"), *row)
    return made


def test_rows_and_planes_are_taken_and_computed():
    found = []
    for planar in (0, 1):
        model = Model(program(planar=planar).to_bytes())
        numbers = bytes([(41 * place + 5) & 255 for place in range(INPUTS * PLACES)])
        if planar:
            numbers = turned(numbers, PLACES, INPUTS)
        model.input[:] = numbers
        model.run()
        output = bytes(model.output)
        found.append(turned(output, OUTPUTS, PLACES) if planar else output)
    assert found[0] == found[1] and len(set(found[0])) > 4


def turned(data, rows, columns):
    """Return a matrix (rows, columns) as (columns, rows)."""
    return bytes([data[row * columns + column] for column in range(columns) for row in range(rows)])


def test_a_wrong_word_is_refused():
    for name, value in WORDS:
        text = refused(program(**{name: value}))
        assert "step 0, int8.linear4: " in text or "it reads" in text, (name, value, text)


def test_weights_are_as_many_as_the_outputs_take_in_whole_words():
    for size in (8 * OUTPUTS - 1, 8 * OUTPUTS + 1, 5 * OUTPUTS, INPUTS * OUTPUTS, 0):
        made = program()
        made.steps[0][1][1] = size
        assert "word 1" in refused(made)


def test_weights_lie_at_a_multiple_of_4():
    made = program()
    place = made.parts()[0].find(packed([OUTPUT, 0, 255])) - 16
    data = bytearray(made.to_bytes())
    start = bytes(data).find(b"BRT1") + place
    where = int.from_bytes(data[start : start + 4], "little")
    for shift in (-1, -2, -3):
        data[start : start + 4] = packed([where + shift])
        error = support.raises(Malformed, checks.check_program, Memory(bytes(data)))
        assert error.what == "word 0"


def test_no_sum_passes_what_sums_may_reach():
    for bias in (-BIAS_MOST, BIAS_MOST):
        look(program(bias))
    for bias in (-BIAS_MOST - 1, BIAS_MOST + 1):
        assert "word" in refused(program(bias))


def test_random_words_never_make_the_kernel_write_outside_its_arena():
    draw = Draw(5)
    names = ("INPUT", "OUTPUT", "WORK", "INPUTS", "OUTPUTS", "PLACES", "PLANAR", "RESCALE")
    values = (0, 1, 2, 3, 4, 6, 8, 9, 12, 16, 18, 32, 36, 40, 64, 100, 1 << 14, 1 << 23, -4)
    accepted = 0
    for _ in range(60):
        words = {}
        for _ in range(1 + draw.below(2)):
            words[names[draw.below(len(names))]] = values[draw.below(len(values))]
        accepted += survives(program(**words))
    assert accepted


def survives(made):
    """Return whether the program is taken, and its run leaves alone what lies around the arena."""
    around = bytearray([0xA5] * (ARENA + 4 + 64))
    try:
        model = Model(made.to_bytes(), memoryview(around)[32 : 32 + ARENA + 4])
    except Malformed:
        return False
    model.input[:] = bytes([0xFF]) * len(model.input)
    model.run()
    return around[:32] == around[-32:] == bytearray([0xA5] * 32)
