"""A small quantized model that has every operation, made by hand, and ways to spoil it. It runs anywhere."""

from burnrt import wide_words
from burnrt import words as at
from burnrt.lengths import LENGTHS
from kit.int8.small_program import Program, end, packed

# What the steps are told, by the names of words; for both directions "NAME" and "NAME1", for
# five dimensions "NAME0" to "NAME4".
WINDOW = {"HEIGHT": 4, "WIDTH": 4, "OUT_HEIGHT": 4, "OUT_WIDTH": 4, "KERNEL": 3, "KERNEL1": 3}
STEPS = (
    (
        "conv2d",
        "c",
        {"INPUT": 0, "OUTPUT": 32, "WORK": 200, "CHANNELS": 2, "GROUPS": 1, "OUT_CHANNELS": 4, "PAIRS": 1},
    ),
    ("depthwise2d", "d", {"INPUT": 32, "OUTPUT": 136, "CHANNELS": 4}),
    ("add", "a", {"INPUT": 32, "OTHER": 136, "OUTPUT": 136, "COUNT": 64}),
    ("add_strided", "b", {"INPUT": 136, "OUTPUT": 136, "LINES": 4, "COUNT": 16, "KEPT": 1}),
    ("multiply_strided", "x", {"INPUT": 136, "OTHER": 32, "OUTPUT": 136, "LINES": 1, "COUNT": 64}),
    (
        "normalize",
        "n",
        {"INPUT": 136, "OUTPUT": 136, "ROWS": 4, "SIZE": 4, "INNER": 4, "NEXT": 4, "CENTER": at.OWN_MEAN},
    ),
    ("lookup", "l", {"INPUT": 136, "OUTPUT": 136, "COUNT": 64}),
    ("lookup_each", "e", {"INPUT": 136, "OUTPUT": 136, "COUNT": 32, "TABLES": 2}),
    ("fill", "z", {"OUTPUT": 96, "COUNT": 36, "PAD": 9}),
    ("copy", "m", {"INPUT": 136, "OUTPUT": 96, "FIRST": 3, "INTO": 2, "FILLED": 36}),
    ("max_pool2d", "p", {"INPUT": 136, "OUTPUT": 16, "CHANNELS": 4}),
    ("resample", "r", {"INPUT": 16, "OUTPUT": 0, "WORK": 200, "CHANNELS": 4, "RESCALE": 1}),
    ("avg_pool2d", "g", {"INPUT": 0, "OUTPUT": 16, "CHANNELS": 4, "CELLS": 1}),
    ("linear", "f", {"INPUT": 16, "OUTPUT": 20, "ROWS": 1, "INPUTS": 4, "OUTPUTS": 3}),
    ("softmax", "s", {"INPUT": 20, "OUTPUT": 24, "ROWS": 1, "SIZE": 3}),
)
# Those that have programs of their own, in the tests of their checks.
ELSEWHERE = ("linear4", "masked_softmax", "matmul", "embedding", "gru", "lstm", "rnn")
ELSEWHERE += ("wide_conv2d", "wide_add", "wide_multiply", "wide_lookup", "narrow")
ONES = {"STRIDE": 1, "STRIDE1": 1, "DILATION": 1, "DILATION1": 1}
SAME = {"PADDING": 1, "PADDING1": 1, "PAD": 7}
HALF = {"OUT_HEIGHT": 2, "OUT_WIDTH": 2, "KERNEL": 2, "KERNEL1": 2, "STRIDE": 2, "STRIDE1": 2}
WHOLE = {"HEIGHT": 2, "WIDTH": 2, "OUT_HEIGHT": 1, "OUT_WIDTH": 1, "KERNEL": 2, "KERNEL1": 2}
CUT = {"LOW": 0, "HIGH": 255, "ZERO": 100}
MOVED = {"EXTENTS": (1, 1, 2, 3, 4), "STEPS": (0, 0, 20, 5, -1), "OUT_STEPS": (1, 1, 16, 5, 1)}
MORE = {
    "conv2d": (WINDOW, ONES, SAME, CUT),
    "depthwise2d": (WINDOW, ONES, SAME, CUT),
    "add": (CUT, {"FIRST_FACTOR": 3, "SECOND_FACTOR": 5, "BIAS": 40, "SHIFT": 3}),
    "add_strided": (
        CUT,
        {"FIRST_FACTOR": 3, "SECOND_FACTOR": -1, "BIAS": 200, "SHIFT": 2},
        {"PLANES": 1, "FIRST_STEPS1": 16, "SECOND_STEPS1": 1},
    ),
    "multiply_strided": (
        CUT,
        {"FIRST_ZERO": 90, "SECOND_ZERO": 120, "FACTOR": 25, "BIAS": 51700, "SHIFT": 9},
        {"PLANES": 1, "SECOND_STEPS2": 1},
    ),
    "normalize": (CUT, {"SHIFT": 19, "MEAN_BITS": 15, "VARIANCE_BITS": 12, "EPSILON": 70000}),
    "lookup": (),
    "lookup_each": (),
    "fill": (),
    "copy": (MOVED,),
    "max_pool2d": (WINDOW, ONES, HALF),
    "resample": ({"HEIGHT": 2, "WIDTH": 2, "OUT_HEIGHT": 2, "OUT_WIDTH": 2, "KERNEL": (2, 2)}, CUT),
    "avg_pool2d": (WINDOW, ONES, WHOLE, CUT),
    "linear": (CUT,),
    "softmax": (),
}
WEIGHTS = {"c": (4, 2, 3, 3), "d": (4, 1, 3, 3), "b": (4,), "f": (3, 4)}
COLUMNS = {"c": 4, "d": 4, "g": 1, "f": 3}
TAPS = [256, 1 << 9, 100, 1 << 9 | 156]  # of two lines, made of two
FACTORS = {"c": 900, "d": 700, "g": 16000, "f": 800}

ARENA, INPUT_SHAPE, OUTPUT_SHAPE = 200 + at.work_size(2, 3, 3, 1), (1, 2, 4, 4), (1, 3)
INPUT = bytes([(41 * place + 5) & 255 for place in range(32)])
OUTPUT = bytes([208, 1, 46])  # as the kernels' definition has it


class Parts(Program):
    """The program of all steps, each with a weight and constants of its name."""

    def __init__(self):
        super().__init__(ARENA, [end(INPUT_SHAPE, 0, 0.5, 3)], [end(OUTPUT_SHAPE, 24, 1 / 256)])
        for name in WEIGHTS:
            self.weights[name] = weight(WEIGHTS[name])
        for name in COLUMNS:
            count = COLUMNS[name]
            factors = [rescaling(FACTORS[name] + 100 * column) for column in range(count)]
            self.constants[name] = packed([11 * column - 20 for column in range(count)] + factors)
        self.constants["l"] = bytes([(place * 3 // 2) & 255 for place in range(256)])
        self.constants["e"] = bytes([place * 3 & 255 for place in range(512)])
        self.constants["s"] = packed([(1 << 22) // (256 + place * place) for place in range(256)])
        self.constants["n"] = packed([word for pair in range(16) for word in (500 * pair - 4000, pair << 23)])
        self.constants["r"] = packed([-100 << 16, rescaling(1 << 13, 9, 20)] + 2 * TAPS)
        for operation, name, words in STEPS:
            words = row(operation, *(MORE[operation] + (words,)))
            if name in COLUMNS:
                words[at.RESCALE] = COLUMNS[name]
            self.step("int8." + operation, *(self.sources(name) + words))

    def sources(self, name):
        """Return the words before those that a kernel is told: where a step's weight and constants are."""
        if name == "l":
            return [("constant", name), 256, 0]
        if name == "e":
            return [("constant", name), 512, 0]
        found = [("weight", name), len(self.weights[name])] if name in WEIGHTS else [0, 0]
        return found + [("constant", name) if name in self.constants else 0]

    def set(self, step, name, value):
        """Change one word of a step."""
        self.words_of(step)[3 + place_of(name)] = value

    def words_of(self, step):
        """Return the body of a step."""
        return self.steps[[name for _, name, _ in STEPS].index(step)][1]


def row(operation, *parts):
    """Return the words of a step, from dicts of them."""
    made = [0] * LENGTHS[operation]
    for part in parts:
        for name, value in part.items():
            values = value if isinstance(value, tuple) else (value,)
            made[place_of(name) : place_of(name) + len(values)] = values
    return made


def place_of(name):
    """Return where in its step a word is."""
    if name[-1] in "01234":
        return getattr(at, name[:-1]) + int(name[-1])
    return getattr(wide_words if hasattr(wide_words, name) else at, name)


def weight(shape):
    """Return a weight of this shape, as bytes."""
    count = 1
    for extent in shape:
        count *= extent
    return bytes([(place * 37 + 9) & 255 for place in range(count)])


def rescaling(factor, first=2, second=16):
    """Return a rescaling word."""
    return second << 24 | first << 16 | factor
