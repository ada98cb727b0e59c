"""The self-test that a file brings along, run on this computer: how far its model is off."""

from burnpack.reader import Reader
from burnrt import Model
from burnstore.models.comparison import deviations
from burnstore.models.running import answers_of
from burnstore.numerics.arrays import array_from_tensor


def proved(data, model=None):
    """Return how far answers are off at most, a number for each case in a file.

    model: the one that answers; None: the program in the file.
    """
    reader, model = Reader.from_static(data), model or Model(data)
    worst = []
    while inputs := golden(reader, f"selftest.input.{len(worst)}"):
        found, wanted = answers_of(model, inputs), golden(reader, f"selftest.output.{len(worst)}")
        assert [answer.shape for answer in found] == [answer.shape for answer in wanted]
        worst.append(max(deviations(*pair).max() for pair in zip(found, wanted, strict=True)))
    return worst


def golden(reader, first):
    """Return the arrays of a case: the tensor of that name, and those numbered behind it."""
    names = [first]
    while f"{first}.{len(names)}" in reader:
        names.append(f"{first}.{len(names)}")
    return [array_from_tensor(reader.tensor(name)) for name in names if name in reader]


def tolerance(data):
    """Return what the file allows."""
    kind, number = dict(Reader.from_static(data).scalars())["selftest.tolerance"]
    assert kind == "Float"
    return number
