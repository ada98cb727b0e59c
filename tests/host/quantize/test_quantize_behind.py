"""Ranges of values that tables read are those by which what the tables make is off least."""

import numpy as np
import pytest

from burnrt import nn
from burnstore.graph.network import End, Network
from burnstore.graph.operations import Add, Linear, Lookup
from burnstore.quantize import quantize_model
from burnstore.quantize.behind import paths, with_least_error
from burnstore.quantize.calibrate import bytes_of
from burnstore.quantize.measure import measure

COUNT = 2000
POWERS = np.exp(np.random.default_rng(5).normal(-4, 2, COUNT))  # of very unlike sizes
NO_BOUNDS = (-np.inf, np.inf)


def network(*operations):
    """Return a network of operations on value 0, and on value 1 where one of them reads that."""
    output = operations[-1].output
    inputs = [End(0, (1, COUNT)), End(1, (1, COUNT))]
    sizes = dict.fromkeys(range(output + 1), COUNT)
    return Network(inputs, [End(output, (1, COUNT))], sizes, list(operations))


def table(function, given, made):
    return Lookup(name="", inputs=(given,), output=made, count=COUNT, function=function)


def linear(given, made):
    weight = np.ones((1, COUNT))
    return Linear(name="", inputs=(given,), output=made, count=COUNT, rows=1, weight=weight, bias=np.ones(1))


def lost(numbers, ends, function):
    known = bytes_of(*ends)
    return np.square(function(known.numbers(known.of(numbers))) - function(numbers)).mean()


@pytest.mark.parametrize(
    ("numbers", "function"),
    [(POWERS, lambda x: np.log(x + 1e-4)), (8 * np.log(POWERS), lambda x: 1 / (1 + np.exp(-x)))],
    ids=["log", "sigmoid"],
)
def test_a_tables_input_is_cut_where_that_changes_the_tables_output_least(numbers, function):
    found = paths(network(table(function, 0, 2)), 0, {0: numbers})
    whole = min(0.0, numbers.min()), max(0.0, numbers.max())
    ends = with_least_error(found, NO_BOUNDS)
    assert lost(numbers, ends, function) < lost(numbers, whole, function) / 4


def test_a_sum_with_another_value_is_followed_to_the_table_behind_it():
    added = Add(name="", inputs=(0, 1), output=2, count=COUNT, factors=(1.0, 2.0))
    (path,) = paths(network(added, table(np.sqrt, 2, 3)), 0, {0: POWERS, 1: POWERS, 2: POWERS})
    assert np.allclose(path.function(path.numbers), np.sqrt(3 * POWERS))


def test_all_that_reads_a_value_counts():
    log, both = table(lambda x: np.log(x + 1e-4), 0, 2), {0: POWERS, 2: POWERS}
    alone = with_least_error(paths(network(log), 0, both), NO_BOUNDS)
    together = with_least_error(paths(network(log, linear(0, 3)), 0, both), NO_BOUNDS)
    assert alone[1] < together[1] <= POWERS.max()


def test_a_value_that_no_table_reads_has_none_of_these():
    assert paths(network(linear(0, 2)), 0, {0: POWERS}) == []


def test_an_output_keeps_its_numbers_whatever_else_reads_it():
    made = network(table(np.tanh, 0, 2))
    made.outputs.append(End(0, (1, COUNT)))
    assert paths(made, 0, {0: POWERS}) == []


def test_a_table_that_has_no_number_for_zero_cuts_no_more_than_it_must():
    ends = with_least_error(paths(network(table(np.log, 0, 2)), 0, {0: POWERS}), NO_BOUNDS)
    assert 0 < ends[1] <= POWERS.max()


class Gate(nn.Module):
    def __init__(self):
        self.sigmoid = nn.Sigmoid()

    def forward(self, x):
        return self.sigmoid(x)


def test_the_default_takes_these_ranges_for_what_a_sigmoid_reads():
    samples = (8 * np.log(POWERS[:500, None])).astype(np.float32)
    plain, best = (
        measure(quantize_model(Gate(), samples, ranges=name), samples).rmse for name in ("minmax", "auto")
    )
    assert best < plain / 2
