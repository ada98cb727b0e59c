"""Whatever the words of a recurrent layer say, no kernel runs on them before they are checked."""

from burnpack.errors import Malformed
from burnrt import Model
from burnrt import recurrent_words as at
from burnrt import words as common
from kit.draw import Draw
from kit.int8.small_program import Program, end, packed
from kit.int8.spoilt_programs import look, refused

# Two time steps of 3 numbers, a hidden state of 2 numbers, two directions.
TIMES, NUMBERS, HIDDEN, DIRECTIONS = 2, 3, 2, 2
OUTPUT, STATE, AFTER, CELL, CELL_AFTER, WORK = 8, 16, 20, 24, 28, 32
ARENA = 80
RESCALE = 18 << 24 | 1 << 13
FACTORS = {
    "gru": [1 << 20, 1 << 12, 12, 8160],
    "lstm": [CELL, CELL_AFTER, 128, 20000, 4000, 10, 4080],
    "rnn": [],
}
WORDS = (
    ("INPUT", 4),
    ("INPUT", -4),
    ("OUTPUT", 4),
    ("OUTPUT", 10),
    ("OUTPUT", ARENA),
    ("STATE", 18),
    ("STATE", ARENA),
    ("WORK", 4),
    ("WORK", 28),
    ("WORK", 60),
    ("KEEPS", 8),
    ("KEEPS", -1),
    ("TIMES", 0),
    ("TIMES", 3),
    ("TIMES", 1 << 15 | 1),
    ("NUMBERS", 0),
    ("NUMBERS", 4),
    ("NUMBERS", 1 << 15),
    ("HIDDEN", 0),
    ("HIDDEN", 3),
    ("HIDDEN", 1 << 14),
    ("DIRECTIONS", 0),
    ("DIRECTIONS", 1),
    ("DIRECTIONS", 3),
    ("AFTER", 8),
    ("AFTER", 34),
    ("AFTER", ARENA),
    ("APART", 0),
    ("APART", 1 << 24),
    ("SUMS", 1),
)
OF_KIND = {
    "gru": ("MATRICES", "OF_INPUT", "OF_HIDDEN", "SHIFT", "OF_NEW"),
    "lstm": ("CELL", "CELL_AFTER", "CELL_ZERO", "OF_PRODUCT", "OF_CELL", "CELL_SHIFT", "OF_ANSWER"),
    "rnn": (),
}


def program(kind, table=None, bias=0, keeps=7, **words):
    """Return a program of one step, with some words of it instead of the right ones."""
    inputs = [end((1, TIMES, NUMBERS), 0, 1 / 64, 128), end((1, DIRECTIONS, HIDDEN), STATE, 1 / 128, 128)]
    outputs = [end((1, TIMES, DIRECTIONS * HIDDEN), OUTPUT, 1 / 128, 128)]
    inputs.append(end((1, DIRECTIONS, HIDDEN), CELL, 1 / 64, 128))
    made = Program(ARENA, inputs, outputs)
    row = [0, OUTPUT, 0, 255, 128, STATE, WORK, keeps & (7 if kind == "lstm" else 3)]
    row += [TIMES, NUMBERS, HIDDEN, DIRECTIONS, AFTER, 0, 0, 0]
    columns, size, places = [], 0, []
    rows = at.laid(at.GATES[kind], row)[0]
    for given, out, count, outs in rows:
        row += [given, out, 0, 255, 128, outs, 1, count, outs]
        columns += [bias] * outs + [RESCALE] * outs
        places.append(size)
        size += (count * outs + 3) // 4 * 4
    row[at.MATRICES : at.MATRICES + len(places) - 1] = places[1:]
    row[at.APART] = size
    row += FACTORS[kind]
    unpadded = rows[-1][2] * rows[-1][3]
    made.weights["w"] = bytes([(37 * place + 9) & 255 for place in range(size + places[-1] + unpadded)])
    curve = [(4096 + 30 * (place - 128)) << 16 | 15 * place for place in range(at.TABLE)]
    made.constants["c"] = packed(
        (table or (curve if kind != "rnn" else [7] * at.TABLE)) + columns * DIRECTIONS
    )
    for name in words:
        row[getattr(at, name, getattr(common, name, None))] = words[name]
    made.step("int8." + kind, ("weight", "w"), len(made.weights["w"]), ("constant", "c"), *row)
    return made


def test_each_kind_is_taken_and_computed():
    for kind in at.GATES:
        model = Model(program(kind).to_bytes())
        model.input[:] = bytes([(41 * place + 5) & 255 for place in range(len(model.input))])
        model.run()
        assert kind == "rnn" or len(set(bytes(model.output))) > 2, kind


def test_a_wrong_word_is_refused():
    for kind in at.GATES:
        of_kind = [(name, value) for name in OF_KIND[kind] for value in (-1, 1 << 24)]
        for name, value in WORDS + tuple(of_kind):
            text = refused(program(kind, **{name: value}))
            assert "step 0, int8." + kind in text or "it reads" in text, (kind, name, value, text)


def test_a_state_may_be_left_where_it_was_and_nowhere_else_that_is_read():
    for kind in at.GATES:
        look(program(kind, AFTER=STATE))
        assert "it writes over" in refused(program(kind, AFTER=STATE - 4))
    look(program("lstm", CELL_AFTER=CELL))
    assert "word 10" in refused(program("gru", KEEPS=4)) and "word 10" in refused(program("rnn", KEEPS=7))


def test_every_word_of_the_rows_of_sums_is_what_it_must_be():
    for kind, place in (("gru", 42), ("gru", 30), ("lstm", 20), ("rnn", 24)):
        made = program(kind)
        made.steps[0][1][3 + place] += 1
        assert "word %d " % (3 + place) in refused(made)


def test_tables_and_sums_stay_within_what_kernels_add_up():
    for word in (-1, 4096, 1 << 29, 1 << 28 | 1 << 15):
        assert "word" in refused(program("gru", [0] * 200 + [word] + [0] * 56))
    assert "word" in refused(program("rnn", [256] * at.TABLE))
    most = (1 << 30) - 1 - 255 * 128 * 6
    look(program("lstm", bias=most))
    assert "word" in refused(program("lstm", bias=most + 1))


def test_weights_are_as_many_as_the_matrices_take():
    for kind in at.GATES:
        for more in (-1, 1):
            made = program(kind)
            made.steps[0][1][1] += more
            assert "word 1" in refused(made)


def test_random_words_never_make_a_kernel_write_outside_its_arena():
    draw = Draw(5)
    names = "INPUT OUTPUT STATE WORK KEEPS TIMES NUMBERS HIDDEN DIRECTIONS AFTER APART".split()
    values = (0, 1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32, 36, 64, 1 << 14, 1 << 23, -4)
    accepted = 0
    for number in range(60):
        kind = ("gru", "lstm", "rnn")[number % 3]
        words = {
            names[draw.below(len(names))]: values[draw.below(len(values))] for _ in range(1 + draw.below(2))
        }
        accepted += survives(program(kind, **words))
    assert accepted


def survives(made):
    """Return whether the program is taken, and its run leaves alone what lies around the arena."""
    around = bytearray([0xA5] * (ARENA + 4 + 64))
    try:
        model = Model(made.to_bytes(), memoryview(around)[32 : 32 + ARENA + 4])
    except Malformed:
        return False
    for given in model.inputs:
        given.data[:] = bytes([0xFF]) * len(given.data)
    model.run()
    return around[:32] == around[-32:] == bytearray([0xA5] * 32)
