"""Samples are run together where none of them has an influence on another, and each alone elsewhere."""

import numpy as np
import pytest

from burnrt import functional as F
from burnrt import nn
from burnstore.quantize import quantize_model
from burnstore.quantize.measure import measure
from burnstore.quantize.reference import Reference
from kit.int8.quantizing import samples
from kit.models.chains import Chain, loaded


class Calling(nn.Module):
    def __init__(self, function):
        self.function = function

    def forward(self, x):
        return self.function(x)


MIXING = {
    "attention without a batch": lambda x: F.scaled_dot_product_attention(x, x, x),
    "products of all rows": lambda x: F.matmul(F.matmul(x, F.transpose(x, 0, 1)), x),
    "softmax of columns": lambda x: F.softmax(x, 0),
    "rows in the other order": lambda x: F.relu(F.flip(x, [0])),
    "rows in the other order, which alone take no step": lambda x: F.flip(F.relu(x), [0]),
    "softmax of columns that go across halves": lambda x: F.softmax(x.reshape((-1, 3)), 0).reshape((-1, 6)),
    "rows two further on": lambda x: F.roll(F.relu(x), 2, 0),
    "the largest of each column": lambda x: F.relu(F.sub(F.amax(x, 0, True), x)),
}


@pytest.mark.parametrize("name", MIXING)
def test_what_goes_across_the_first_dimension_stays_within_a_sample(name):
    model, given = Calling(MIXING[name]), samples((6,), 9)
    found = [values for _, values in Reference(model, [(1, 6)]).values(given)]
    alone = [values for row in given for _, values in Reference(model, [(1, 6)]).values(row[None])]
    for number in alone[0]:
        wanted = np.concatenate([values[number] for values in alone])
        np.testing.assert_allclose(np.concatenate([values[number] for values in found]), wanted, atol=1e-6)


def test_samples_that_have_no_influence_on_others_are_run_together():
    model = loaded(Chain(fc=nn.Linear(6, 4), norm=nn.LayerNorm(4), out=nn.Softmax(-1)))
    for given in (samples((6,), 9), np.zeros((9, 6)), samples((6,), 9) * 1e20):
        assert [chosen for chosen, _ in Reference(model, [(1, 6)]).values(given)] == [slice(0, 9)]


def test_samples_whose_halves_are_in_one_dimension_with_the_batch_are_run_together():
    model, given = Calling(lambda x: F.relu(x.reshape((-1, 3))).reshape((-1, 6))), samples((6,), 9)
    assert [chosen for chosen, _ in Reference(model, [(1, 6)]).values(given)] == [slice(0, 9)]


def test_a_pass_is_followed_once_for_each_size_of_batches():
    followed = []
    reference = Reference(Calling(lambda x: followed.append(x) or F.softmax(x, 0)), [(1, 6)])
    for _ in range(2):
        assert len([*reference.values(samples((6,), 9))]) == 9
    assert len(followed) == 2  # of one sample, and of the nine that could not share a batch


def test_answers_of_what_goes_across_the_first_dimension_are_right_in_integers():
    given = samples((6,), 9)
    for name, function in MIXING.items():
        report = measure(quantize_model(Calling(function), given), given)
        assert report.rmse <= 0.02 * max(report.deviation, report.largest), name
