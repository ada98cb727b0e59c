"""A small quantized model that has every operation, made by hand, and ways to spoil it. It runs anywhere."""

import struct

from burnpack.qfloat import QFloat
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnrt import words as at

# What the steps are told, by the names of words; for both directions "NAME" and "NAME1".
WINDOW = {"HEIGHT": 4, "WIDTH": 4, "OUT_HEIGHT": 4, "OUT_WIDTH": 4, "KERNEL": 3, "KERNEL1": 3}
STEPS = (
    ("conv2d", "c", {"INPUT": 0, "OUTPUT": 32, "WORK": 200, "CHANNELS": 2, "GROUPS": 1, "OUT_CHANNELS": 4}),
    ("depthwise2d", "d", {"INPUT": 32, "OUTPUT": 136, "CHANNELS": 4}),
    ("add", "a", {"INPUT": 32, "OTHER": 136, "OUTPUT": 136, "COUNT": 64}),
    ("lookup", "l", {"INPUT": 136, "OUTPUT": 136, "COUNT": 64}),
    ("max_pool2d", "p", {"INPUT": 136, "OUTPUT": 0, "CHANNELS": 4}),
    ("avg_pool2d", "g", {"INPUT": 0, "OUTPUT": 16, "CHANNELS": 4, "CELLS": 1}),
    ("linear", "f", {"INPUT": 16, "OUTPUT": 20, "ROWS": 1, "INPUTS": 4, "OUTPUTS": 3}),
    ("softmax", "s", {"INPUT": 20, "OUTPUT": 24, "ROWS": 1, "SIZE": 3}),
)
ONES = {"STRIDE": 1, "STRIDE1": 1, "DILATION": 1, "DILATION1": 1}
SAME = {"PADDING": 1, "PADDING1": 1, "PAD": 7}
HALF = {"OUT_HEIGHT": 2, "OUT_WIDTH": 2, "KERNEL": 2, "KERNEL1": 2, "STRIDE": 2, "STRIDE1": 2}
WHOLE = {"HEIGHT": 2, "WIDTH": 2, "OUT_HEIGHT": 1, "OUT_WIDTH": 1, "KERNEL": 2, "KERNEL1": 2}
CUT = {"LOW": 0, "HIGH": 255, "ZERO": 100, "RESCALE": 64}
MORE = {
    "conv2d": (WINDOW, ONES, SAME, CUT),
    "depthwise2d": (WINDOW, ONES, SAME, CUT),
    "add": (CUT, {"FIRST_FACTOR": 3, "SECOND_FACTOR": 5, "BIAS": 40, "SHIFT": 3}),
    "lookup": (),
    "max_pool2d": (WINDOW, ONES, HALF),
    "avg_pool2d": (WINDOW, ONES, WHOLE, CUT),
    "linear": (CUT,),
    "softmax": (),
}
WEIGHTS = {"c": (4, 2, 3, 3), "d": (4, 1, 3, 3), "f": (3, 4)}
COLUMNS = {"c": 4, "d": 4, "g": 1, "f": 3}
FACTORS = {"c": 900, "d": 700, "g": 16000, "f": 800}

ARENA, INPUT_SHAPE, OUTPUT_SHAPE = 200 + at.work_size(2, 3, 3), (1, 2, 4, 4), (1, 3)
INPUT = bytes([(41 * place + 5) & 255 for place in range(32)])
OUTPUT = bytes([202, 1, 53])  # as the kernels' definition has it
HEADER = 3 + 1 + len(INPUT_SHAPE) + 1 + len(OUTPUT_SHAPE)  # words before the steps'


class Parts:
    """What makes the file, to be spoilt before it is put together.

    words: of the program, a list. tensors: {name: (dtype, shape, bytes)}; those of a step are written in the
    order of the alphabet. metadata, scalars: dicts.
    """

    def __init__(self):
        self.words = [ARENA, 0, 24, len(INPUT_SHAPE)] + list(INPUT_SHAPE) + [2] + list(OUTPUT_SHAPE)
        self.tensors = {}
        self.metadata = {"int8.version": "1"}
        self.metadata["int8.steps"] = "\n".join(["%s %s" % (step[0], step[1]) for step in STEPS])
        self.scalars = {"input.scale": 0.5, "input.zero_point": 3}
        for operation, name, words in STEPS:
            self.words += row(operation, *(MORE[operation] + (words,)))
            self.scalars[name + ".scale"] = 1 / 256
            self.scalars[name + ".zero_point"] = 0
        for name in sorted(WEIGHTS):
            self.tensors[name + ".weight"] = weight(WEIGHTS[name])
        for name in sorted(COLUMNS):
            count = COLUMNS[name]
            self.tensors[name + ".bias"] = integers([11 * column - 20 for column in range(count)])
            factors = [FACTORS[name] + 100 * column for column in range(count)]
            self.tensors[name + ".rescale"] = integers([rescaling(factor) for factor in factors])
        self.tensors["l.table"] = ("U8", (256,), bytes([(place * 3 // 2) & 255 for place in range(256)]))
        self.tensors["s.powers"] = integers([(1 << 22) // (256 + place * place) for place in range(256)])

    def set(self, step, name, value):
        """Change one word of a step."""
        self.words[start_of(step) + place_of(name)] = value

    def to_bytes(self):
        """Return the file."""
        tensors = [Tensor("int8.program", *integers(self.words))]
        tensors += [Tensor(name, *self.tensors[name]) for name in sorted(self.tensors)]
        return Writer(tensors, self.metadata, self.scalars).to_bytes()


def row(operation, *parts):
    """Return the words of a step, from dicts of them."""
    made = [0] * at.LENGTHS[operation]
    for part in parts:
        for name, value in part.items():
            made[place_of(name)] = value
    return made


def place_of(name):
    """Return where in its step a word is."""
    return getattr(at, name[:-1]) + 1 if name.endswith("1") else getattr(at, name)


def start_of(step):
    """Return where in the program a step's words begin."""
    start = HEADER
    for operation, name, _ in STEPS:
        if name == step:
            return start
        start += at.LENGTHS[operation]
    raise KeyError(step)


def weight(shape):
    """Return a weight of this shape: Q8S with one scale."""
    count = 1
    for extent in shape:
        count *= extent
    values = bytes([(place * 37 + 9) & 255 for place in range(count)])
    return QFloat("Q8S", tensor="F32"), shape, values + struct.pack("<f", 0.25)


def integers(numbers):
    """Return an I32 tensor of one dimension."""
    data = bytearray(4 * len(numbers))
    for place, number in enumerate(numbers):
        struct.pack_into("<i", data, 4 * place, number)
    return "I32", (len(numbers),), bytes(data)


def rescaling(factor, first=2, second=16):
    """Return a rescaling word."""
    return second << 24 | first << 16 | factor
