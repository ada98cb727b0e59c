"""Whatever the words of steps on values of 16 bits say, no kernel runs on them before they are checked."""

from burnpack.errors import Malformed
from burnrt import Model
from burnrt.kernels.int8 import plain
from burnrt.memory import Memory
from burnrt.wide_words import entries
from kit.draw import Draw
from kit.int8.small_int8 import place_of, row
from kit.int8.small_program import Program, end, packed
from kit.int8.spoilt_programs import look, refused

# Two planes of 3 × 4 numbers come in, and as many bytes go out.
COUNT, OUTPUT, WORK = 24, 48, 96
ARENA = WORK + 2 * 2 * 9
MIDDLE, MOST, BITS = 300, 60000, 4
TURN = entries(MOST - MIDDLE, BITS, 0)
SIZE = TURN + entries(MIDDLE, BITS, 0)
SUMS_MOST = 40000
RESCALE = 11 << 24 | 6 << 16 | 40000
HUGE, LEAST = (1 << 31) - 1, -(1 << 31)

ROWS = {"COUNT": 12, "PLANES": 1, "LINES": 2, "FIRST_STEPS1": 12, "PAIRS_HIGH": 65535}
STEPS = (
    (
        "wide_conv2d",
        {"INPUT": 0, "OUTPUT": OUTPUT, "RESCALE": 2, "WORK": WORK, "PAD": 7, "CHANNELS": 2, "HEIGHT": 3},
        {"WIDTH": 4, "OUT_HEIGHT": 3, "OUT_WIDTH": 4, "KERNEL": (3, 3), "STRIDE": (1, 1), "PADDING": (1, 1)},
        {"DILATION": (1, 1), "GROUPS": 1, "OUT_CHANNELS": 2, "SUMS_MOST": SUMS_MOST, "SUMS_HIGH": 65535},
        {"SUMS_ZERO": 30000},
    ),
    (
        "wide_add",
        ROWS,
        {"INPUT": OUTPUT, "OTHER": 0, "OUTPUT": OUTPUT, "SECOND_STEPS": (0, 12, 1)},
        {"FIRST_FACTOR": 3000, "SECOND_FACTOR": -1000, "BIAS": 1 << 24, "SHIFT": 12},
    ),
    (
        "wide_multiply",
        ROWS,
        {"INPUT": OUTPUT, "OUTPUT": OUTPUT, "SECOND_STEPS": (0, 0, 1), "KEPT": 1},
        {"FIRST_ZERO": 9, "SECOND_ZERO": 50000, "RESCALING": RESCALE, "PAIRS_ZERO": 20000},
    ),
    (
        "wide_lookup",
        {"INPUT": OUTPUT, "OUTPUT": OUTPUT, "COUNT": COUNT, "MIDDLE": MIDDLE, "MOST": MOST, "BITS": BITS},
        {"TURN": TURN},
    ),
    (
        "narrow",
        {"INPUT": OUTPUT, "OUTPUT": 0, "COUNT": COUNT, "HIGH": 255},
        {"NARROW_FACTOR": 16000, "NARROW_BIAS": -200, "NARROW_SHIFT": 22},
    ),
)
# Words that may be below 0: factors, and what is added.
MAY_BE_NEGATIVE = {"wide_add": (7, 8, 9), "narrow": (8,)}

WORDS = (
    ("wide_conv2d", "WORK", WORK - 4),
    ("wide_conv2d", "WORK", WORK + 4),
    ("wide_conv2d", "PAD", SUMS_MOST + 1),
    ("wide_conv2d", "SUMS_MOST", 0),
    ("wide_conv2d", "SUMS_MOST", ((1 << 30) - 1) // 128 // 18 + 1),
    ("wide_conv2d", "SUMS_LOW", 65536),
    ("wide_conv2d", "SUMS_HIGH", 65536),
    ("wide_conv2d", "SUMS_ZERO", 65536),
    ("wide_conv2d", "CHANNELS", 3),
    ("wide_conv2d", "OUT_CHANNELS", 1),
    ("wide_conv2d", "OUTPUT", 44),
    ("wide_conv2d", "KERNEL", 32768),
    ("wide_add", "FIRST_FACTOR", 15500),
    ("wide_add", "SECOND_FACTOR", LEAST),
    ("wide_add", "BIAS", (1 << 30) - 1),
    ("wide_add", "SHIFT", 31),
    ("wide_add", "PAIRS_LOW", 65536),
    ("wide_add", "LINES", 3),
    ("wide_add", "OTHER", 4),
    ("wide_multiply", "RESCALING", 30 << 24),
    ("wide_multiply", "RESCALING", 0xFFFF),
    ("wide_multiply", "RESCALING", 1 << 24 | 1 << 21),
    ("wide_multiply", "FIRST_ZERO", 65536),
    ("wide_multiply", "PAIRS_ZERO", 65536),
    ("wide_multiply", "KEPT", 2),
    ("wide_lookup", "MIDDLE", MOST + 1),
    ("wide_lookup", "MIDDLE", 0),
    ("wide_lookup", "MOST", 65535),
    ("wide_lookup", "BITS", 0),
    ("wide_lookup", "BITS", 9),
    ("wide_lookup", "SKIPPED", 9),
    ("wide_lookup", "TURN", TURN + 1),
    ("wide_lookup", "COUNT", 25),
    ("narrow", "NARROW_FACTOR", 16385),
    ("narrow", "NARROW_FACTOR", -1),
    ("narrow", "NARROW_BIAS", 1 << 25),
    ("narrow", "NARROW_SHIFT", 31),
    ("narrow", "HIGH", 256),
    ("narrow", "COUNT", 25),
)


def program(bias=0, rescale=RESCALE):
    """Return the program of all steps."""
    made = Program(ARENA, [end((1, 2 * COUNT), 0, 0.5)], [end((1, COUNT), 0, 0.5)])
    made.weights["wide_conv2d"] = bytes([(37 * place + 9) & 255 for place in range(36)])
    made.constants["wide_conv2d"] = packed([bias, -bias] + [rescale] * 2)
    made.constants["wide_multiply"] = bytes([(91 * place + 5) & 255 for place in range(24)])
    made.constants["wide_lookup"] = bytes([(59 * place + 1) & 255 for place in range(2 * SIZE)])
    for step in STEPS:
        name = step[0]
        weight = [("weight", name), 36] if name == "wide_conv2d" else [0, 0]
        if name in ("wide_multiply", "wide_lookup"):
            weight = [("constant", name), len(made.constants[name])]
        constants = ("constant", name) if name == "wide_conv2d" else 0
        made.step("int8." + name, *(weight + [constants] + row(name, *step[1:])))
    return made


def spoilt(name, place, value):
    """Return the program with another word in a step."""
    made = program()
    made.steps[[step[0] for step in STEPS].index(name)][1][3 + place] = value
    return made


def test_the_program_itself_is_taken_and_every_set_answers_the_same():
    model = Model(program().to_bytes())
    model.input[:] = bytes([(41 * place + 5) & 255 for place in range(2 * COUNT)])
    given = bytearray(model.memory.bytes)
    model.run()
    arena, memory = memoryview(given), Memory(program().to_bytes())
    at = 8 + memory.words[7] + 2 * 8
    for name in [step[0] for step in STEPS]:
        body = at + 2
        words = [memory.words[place] for place in range(body + 3, body + memory.words[at + 1])]
        weight = memory.stretch(memory.words[body], memory.words[body + 1]) if memory.words[body] else b""
        start = memory.words[body + 2] // 4
        constants = [memory.words[start + place] for place in range(4)] if start else []
        getattr(plain, name)(arena, weight, constants, words)
        at = body + memory.words[at + 1]
    assert bytes(model.output) == bytes(arena[:COUNT]) and len(set(bytes(model.output))) > 4


def test_a_wrong_word_is_refused():
    for name, word, value in WORDS:
        text = refused(spoilt(name, place_of(word), value))
        assert "int8.%s: " % name in text or "it reads" in text, (name, word, value, text)


def test_each_word_of_each_step_has_a_least_and_a_largest_value():
    for step in STEPS:
        name = step[0]
        for place in range(len(row(name))):
            for value in (LEAST, -1, HUGE):
                if value == -1 and place in MAY_BE_NEGATIVE.get(name, ()):
                    continue
                text = refused(spoilt(name, place, value))
                assert "int8.%s: " % name in text or "it reads" in text, (name, place, value, text)


def test_a_table_has_as_many_entries_as_numbers_lead_to():
    for more in (-2, 2, -1):
        made = program()
        made.steps[3][1][1] += more
        assert "word 1" in refused(made)


def test_no_sum_passes_what_sums_may_reach():
    most = (1 << 30) - 1 - 128 * 18 * SUMS_MOST
    look(program(most))
    for bias in (most + 1, -most - 1):
        assert "word" in refused(program(bias))


def test_rescaling_words_have_no_other_bits():
    for word in (RESCALE | 1 << 22, 30 << 24, 5, -1):
        assert "word" in refused(program(0, word))


def test_random_words_never_make_a_kernel_write_outside_its_arena():
    draw = Draw(11)
    values = (0, 1, 2, 3, 4, 6, 8, 9, 12, 16, 18, 24, 48, 96, 100, 255, 300, 65535, 1 << 14, 1 << 23, -4, -1)
    accepted = 0
    for _ in range(120):
        made = program()
        for _ in range(1 + draw.below(2)):
            body = made.steps[draw.below(len(STEPS))][1]
            body[3 + draw.below(len(body) - 3)] = values[draw.below(len(values))]
        accepted += survives(made)
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
    assert around[:32] == around[-32:] == bytearray([0xA5] * 32)
    return True
