"""No product of matrices and no softmax with a mask runs on words that would reach what it must not."""

from burnpack.errors import Malformed
from burnrt.checks.program import check_program
from burnrt.lengths import LENGTHS
from burnrt.memory import Memory
from burnrt.words import product_size
from kit import support
from kit.int8.small_int8 import place_of, rescaling, row
from kit.int8.small_program import Program, end, packed

HUGE = (1 << 31) - 1
LEAST = -(1 << 31)

# Two products of (3, 4) and (4, 2) in the first 60 bytes: (2, 3, 2) at 40. Then rows of 6 at 52.
PRODUCT = {"INPUT": 0, "OTHER": 24, "OUTPUT": 40, "WORK": 64, "PAD": 7, "OTHER_ZERO": 128, "HIGH": 255}
EXTENTS = {"MATRICES": 2, "LINES": 3, "TERMS": 4, "COLUMNS": 2}
STEPS = {"STEP": 12, "OTHER_STEP": 8, "DOWN": 2, "ACROSS": 1, "RESCALING": rescaling(900)}
MASKED = {"INPUT": 40, "OUTPUT": 52, "ROWS": 2, "SIZE": 6, "PERIOD": 2}
ARENA = 64 + product_size(4, 2)

# step, word, value that is refused
WORDS = (
    (0, "INPUT", 20),
    (0, "OTHER", 28),
    (0, "OUTPUT", 20),
    (0, "OUTPUT", ARENA - 8),
    (0, "WORK", 44),
    (0, "WORK", 68),
    (0, "WORK", 66),
    (0, "PAD", 256),
    (0, "OTHER_ZERO", -1),
    (0, "RESCALING", 0),
    (0, "RESCALING", rescaling(1 << 14)),
    (0, "RESCALING", rescaling(1, 2, 31)),
    (0, "STEP", 29),
    (0, "STEP", -1),
    (0, "MATRICES", 0),
    (0, "MATRICES", 3),
    (0, "LINES", 8),
    (0, "TERMS", 5),
    (0, "TERMS", 16448),
    (0, "COLUMNS", 3),
    (0, "OTHER_STEP", 9),
    (0, "DOWN", 3),
    (0, "ACROSS", 2),
    (1, "ROWS", 3),
    (1, "SIZE", 7),
    (1, "PERIOD", 0),
    (1, "PERIOD", 3),
    (1, "OUTPUT", 40),
)


class Parts(Program):
    """The program of both steps."""

    def __init__(self):
        super().__init__(ARENA, [end((1, 40), 0, 0.5, 3)], [end((1, 12), 52, 1 / 256)])
        self.constants["m"] = bytes([63, 21])
        self.constants["p"] = packed([(1 << 20) // (place + 1) for place in range(256)])
        self.step("int8.matmul", 0, 0, 0, *row("matmul", PRODUCT, EXTENTS, STEPS))
        self.step(
            "int8.masked_softmax",
            ("constant", "m"),
            2,
            ("constant", "p"),
            *row("masked_softmax", MASKED),
        )


def look(parts):
    check_program(Memory(parts.to_bytes()))


def test_the_program_itself_is_not_refused():
    look(Parts())


def test_a_word_that_leads_elsewhere_is_refused():
    for step, name, value in WORDS:
        parts = Parts()
        parts.steps[step][1][3 + place_of(name)] = value
        text = str(support.raises(Malformed, look, parts))
        assert "step %d" % step in text or "it reads" in text, (step, name, value, text)


def test_each_word_that_is_read_has_a_least_and_a_largest_value():
    for step, operation in enumerate(("matmul", "masked_softmax")):
        for place in range(LENGTHS[operation]):
            for value in (LEAST, -1, HUGE):
                parts = Parts()
                parts.steps[step][1][3 + place] = value
                support.raises(Malformed, look, parts)


def test_a_mask_has_a_bit_for_each_number_of_its_rows():
    for size in (1, 3):
        parts = Parts()
        parts.steps[1][1][1] = size
        support.raises(Malformed, look, parts)


def test_powers_that_overflow_or_that_give_the_largest_no_share_are_refused():
    for powers in ([0] * 256, [1] * 255 + [-1], [(1 << 20) + 1] * 256):
        parts = Parts()
        parts.constants["p"] = packed(powers)
        support.raises(Malformed, look, parts)
