"""A program computes functions of values as PyTorch does, with what is given to it and with what stays."""

import functools
import gc
import json

import numpy as np
import pytest

from burnpack.errors import Unsupported
from burnpack.module import Param
from burnpack.safetensors import Reader
from burnrt import functional as F
from burnrt import nn, tensor
from burnrt.trace import trace
from burnstore.numerics.arrays import array_from_tensor
from kit import support
from kit.models.chains import put
from kit.models.programs import WAYS, answered, check, close, file_of, noise

PLACES = ("inputs", "parameters", "values")


class Net(nn.Module):
    """Computes an expression of its inputs, and of parameters and values of its own."""

    def __init__(self, expression, inputs, **kept):
        self.kept = [name for name, kind in kept.items() if not isinstance(kind, Param)]
        self.written = (expression, inputs, kept)
        for name, kind in kept.items():
            if isinstance(kind, Param):
                setattr(self, name, kind)

    def forward(self, *values):
        expression, inputs, kept = self.written
        return eval(expression, {"F": F, **kept, **dict(zip(inputs, values, strict=True))})


def cases():
    return json.loads(support.read(support.path("tests/vectors/arithmetic/cases.json")))


@functools.cache
def answers():
    return Reader.from_static(support.read(support.path("tests/vectors/arithmetic/answers.safetensors")))


def parameter(numbers):
    made = Param(numbers.shape)
    put(made, numbers)
    return made


def held(case, place):
    """Hold the program of a case against PyTorch's answer. place: of all inputs but the first."""
    reader = answers()
    given = {name: array_from_tensor(reader.tensor(f"{case['name']}.{name}")) for name in case["inputs"]}
    names = list(given) if place == "inputs" else list(given)[:1]
    make = parameter if place == "parameters" else tensor
    net = Net(case["expression"], names, **{name: make(given[name]) for name in given if name not in names})
    shapes = [given[name].shape for name in names]
    wanted = [array_from_tensor(reader.tensor(f"{case['name']}.output{i}")) for i in range(case["outputs"])]
    if not trace(net, *shapes).steps:  # as of x to the power of 1
        return
    data = file_of(net, *shapes)[0]
    for way in WAYS[::2]:
        found = answered(data, *[given[name] for name in names], ways=[way])
        for one, other in zip(found, wanted, strict=True):
            assert one.shape == other.shape
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["name"])
def test_a_program_of_each_function_answers_as_torch_does(case, monkeypatch):
    monkeypatch.setattr(gc, "collect", lambda: 0)  # which would take most of the time
    for place in PLACES[: len(case["inputs"]) + 1] if len(case["inputs"]) > 1 else PLACES[:1]:
        is_method = any(f"{name}." in case["expression"] for name in case["inputs"][1:])
        if place != "parameters" or not is_method:  # which parameters don't have
            held(case, place)


def test_what_depends_on_no_input_is_written_once():
    scale, mask = parameter(noise(3)), tensor(noise(2, 3))
    net = Net("x * F.exp(scale) + mask + F.add(x, mask)", ["x"], scale=scale, mask=mask)
    form = check(net, noise(2, 3))
    assert [kernel for kernel, _ in form.steps] == ["affine", "add", "add", "add"]
    assert len(form._constants) == 4 * (3 + 3 + 6)


def test_numbers_are_constants_of_eight_bytes():
    form = check(Net("x * 2 + 1", ["x"]), noise(2, 3))
    assert [kernel for kernel, _ in form.steps] == ["affine", "affine"]
    assert len(form._constants) == 4 * 3  # 2, 0 and 1


def test_halves_are_computed_with_in_place():
    scale = parameter(noise(3, 1))
    scale.data = np.asarray(noise(3, 1), "<f2").tobytes()
    scale.dtype = "F16"
    check(Net("x / scale", ["x"], scale=scale), noise(2, 3, 4))
    check(Net("x @ scale - scale", ["x"], scale=scale), noise(3, 3))


def test_an_output_lies_where_an_input_of_its_size_lay():
    form = check(Net("F.exp(x - y) / z", ["x", "y", "z"]), noise(2, 8), noise(1, 8), noise(2, 1))
    assert form.arena == 4 * (16 + 8 + 2)


def test_a_value_that_is_read_by_two_functions_stays():
    net = Net("(F.exp(x), F.neg(x), x * x)", ["x"])
    x = noise(2, 3)
    close(answered(file_of(net, x.shape)[0], x), [np.exp(x), -x, x * x])


def test_an_input_and_an_answer_may_have_no_dimensions():
    check(Net("(x * y, y * 2)", ["x", "y"]), noise(2, 3), noise())
    check(Net("x.mean()", ["x"]), noise(2, 3))


@pytest.mark.parametrize("expression", ["x[:, :0]", "x.reshape((1,) * 15 + (2, 3))"])
def test_an_answer_that_boards_would_refuse_is_refused(expression):
    with pytest.raises(Unsupported, match="an input or output that a program can't have"):
        file_of(Net(f"(x * 2, {expression})", ["x"]), (2, 3))
