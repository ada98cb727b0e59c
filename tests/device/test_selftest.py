"""The self-test tells a model that answers right from one that does not."""

import struct

from burnpack.errors import InvalidTensor, NotFound, Unsupported
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnrt import nn, selftest, tensor
from kit import support

WEIGHT = (1.0, 2.0, 3.0, 4.0)  # (2, 2)
CASES = (((1.0, 0.0), (1.0, 2.0)), ((1.0, 1.0), (4.0, 6.0)))


class Net(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(2, 2, bias=False)

    def forward(self, x):
        return self.fc(x)


def floats(name, values, shape, dtype="F32"):
    return Tensor(name, dtype, shape, struct.pack("<%df" % len(values), *values))


def prepared(cases, scalars=(), extra=()):
    """Return (model, container) of a file with these cases, each an input and an output row."""
    tensors = [floats("fc.weight", WEIGHT, (2, 2))]
    for number, (given, wanted) in enumerate(cases):
        tensors.append(floats("selftest.input.%d" % number, given, (1, 2)))
        tensors.append(floats("selftest.output.%d" % number, wanted, (1, 2)))
    container = Reader.from_static(Writer(tensors + list(extra), (), scalars).to_bytes())
    model = Net()
    model.apply(container)
    return model, container


def test_right_answers_pass():
    verdict = selftest.run(*prepared(CASES))
    assert verdict.passed and verdict.cases == 2 and verdict.worst == 0.0
    assert str(verdict) == "self-test passed: 2 cases, largest deviation 0 (allowed: 0.0001)"


def test_one_wrong_number_fails():
    verdict = selftest.run(*prepared((CASES[0], ((1.0, 1.0), (4.0, 6.1)))))
    assert not verdict.passed and 0.01 < verdict.worst < 0.02
    assert "FAILED" in str(verdict)


def test_a_weight_that_changed_on_the_way_fails():
    model, container = prepared(CASES)
    data = bytearray(model.fc.weight.data)
    data[3] ^= 1
    model.fc.weight.data = data
    assert not selftest.run(model, container).passed


def test_the_file_sets_the_tolerance():
    wrong = ((1.0, 0.0), (1.0, 2.1))
    assert selftest.run(*prepared((wrong,), [("selftest.tolerance", 0.1)])).passed
    assert not selftest.run(*prepared((wrong,), [("selftest.tolerance", 0.01)])).passed


def test_what_is_not_a_number_fails_where_a_number_is_wanted():
    nan = float("nan")
    assert selftest.deviation(nan, 1.0) == float("inf")
    assert selftest.deviation(1.0, nan) == float("inf")
    assert selftest.deviation(nan, nan) == 0.0
    assert selftest.deviation(float("inf"), float("inf")) == 0.0
    assert selftest.deviation(float("inf"), 1.0) == float("inf")


def test_deviation_is_relative_above_one_and_absolute_below():
    assert selftest.deviation(110.0, 100.0) == 0.1
    assert selftest.deviation(0.25, 0.0) == 0.25


def test_a_file_without_cases_has_passed_nothing():
    verdict = selftest.run(*prepared(()))
    assert not verdict.passed and str(verdict) == "self-test: no cases"


def test_an_input_without_its_output_is_refused():
    extra = [floats("selftest.input.0", (1.0, 0.0), (1, 2))]
    assert "selftest.output.0" in str(support.raises(NotFound, selftest.run, *prepared((), (), extra)))


def test_an_output_of_another_shape_is_refused():
    extra = [floats("selftest.input.0", (1.0, 0.0), (1, 2)), floats("selftest.output.0", (1.0,), (1, 1))]
    assert "another shape" in str(support.raises(InvalidTensor, selftest.run, *prepared((), (), extra)))


def test_golden_values_of_another_dtype_are_refused():
    extra = [floats("selftest.input.0", (1.0, 0.0), (1, 2), "I32")]
    assert "another dtype" in str(support.raises(InvalidTensor, selftest.run, *prepared((), (), extra)))


class Several(Net):
    """Takes two inputs, and answers with two values."""

    def forward(self, x, y):
        return self.fc(x), self.fc(x + y)


def several(second_input=(0.0, 1.0), second_output=(4.0, 6.0), without=()):
    """Return (model, container) of a file with a case of two inputs and two outputs."""
    tensors = [
        floats("fc.weight", WEIGHT, (2, 2)),
        floats("selftest.input.0", (1.0, 0.0), (1, 2)),
        floats("selftest.input.0.1", second_input, (1, 2)),
        floats("selftest.output.0", (1.0, 2.0), (1, 2)),
        floats("selftest.output.0.1", second_output, (1, len(second_output))),
    ]
    kept = [tensor for tensor in tensors if tensor.name not in without]
    container = Reader.from_static(Writer(kept, (), ()).to_bytes())
    model = Several()
    model.apply(container)
    return model, container


def test_all_inputs_are_given_and_all_outputs_compared():
    verdict = selftest.run(*several())
    assert verdict.passed and verdict.cases == 1 and verdict.worst == 0.0
    assert not selftest.run(*several(second_input=(0.0, 2.0))).passed
    verdict = selftest.run(*several(second_output=(4.0, 7.0)))
    assert not verdict.passed and 0.14 < verdict.worst < 0.15


def test_another_number_of_outputs_is_refused():
    error = support.raises(InvalidTensor, selftest.run, *several(without=("selftest.output.0.1",)))
    assert "another number of values" in str(error) and "found 2" in str(error)


def test_a_later_output_of_another_shape_is_refused():
    error = support.raises(InvalidTensor, selftest.run, *several(second_output=(4.0, 6.0, 1.0)))
    assert "another shape" in str(error) and "selftest.output.0.1" in str(error)


def test_values_are_taken_out_of_tuples_and_lists_in_order():
    a, b, c = [tensor([float(number)]) for number in range(3)]
    assert selftest.values(a) == [a]
    assert selftest.values((a, [b, (c,)])) == [a, b, c]
    assert selftest.values(()) == []
    for other in (None, 1.0, {"a": a}, (a, None), [a, {"b": b}], "ab"):
        support.raises(Unsupported, selftest.values, other)
