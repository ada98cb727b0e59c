"""The self-test that a file brings along, run on this computer: how far its model is off."""

from burnpack.reader import Reader
from burnrt import Model
from burnstore.models.comparison import deviations
from burnstore.models.running import answers_of
from burnstore.models.selftest import golden_of


def proved(data, model=None):
    """Return how far answers are off at most, a number for each case in a file.

    model: the one that answers; None: the program in the file.
    """
    model = model or Model(data)
    worst = []
    for inputs, wanted in zip(*golden_of(Reader.from_static(data), model), strict=True):
        found = answers_of(model, inputs)
        assert [answer.shape for answer in found] == [answer.shape for answer in wanted]
        worst.append(max(deviations(*pair).max() for pair in zip(found, wanted, strict=True)))
    return worst


def tolerance(data):
    """Return what the file allows."""
    kind, number = dict(Reader.from_static(data).scalars())["selftest.tolerance"]
    assert kind == "Float"
    return number
