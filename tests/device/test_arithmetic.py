"""Functions of values answer as PyTorch's do: arithmetic, comparisons, sums along dimensions, matrices."""

import json

from burnpack.dtype import count
from burnpack.errors import BurnpackError, InvalidTensor, Unsupported
from burnpack.module import Param
from burnpack.safetensors import Reader
from burnrt import functional as F
from burnrt import kernels, nn, tensor
from burnrt.functional.broadcasting import joined, steps_of
from burnrt.trace import trace
from burnrt.value import Value
from kit import support

CLOSE = 1e-5  # of the number itself, and of 1


def cases():
    return json.loads(support.read(support.path("tests/vectors/arithmetic/cases.json")))


def reader_of_answers():
    return Reader.from_static(support.read(support.path("tests/vectors/arithmetic/answers.safetensors")))


def value_of(found):
    size = count(found.shape)
    numbers = kernels.weights(found.data(), "F32", size)
    return Value(kernels.floats([numbers[index] for index in range(size)]), found.shape)


def held_against(case, answer, reader):
    answers = answer if isinstance(answer, tuple) else (answer,)
    assert len(answers) == case["outputs"], case
    for number, one in enumerate(answers):
        wanted = value_of(reader.tensor("%s.output%d" % (case["name"], number)))
        assert one.shape == wanted.shape, (case["expression"], one.shape, wanted.shape)
        for found, expected in zip(one.data, wanted.data):
            is_same = found == expected or (found != found and expected != expected)
            assert is_same or abs(found - expected) <= CLOSE + CLOSE * abs(expected), (
                case["expression"],
                found,
                expected,
            )


def check_all(chosen):
    reader = reader_of_answers()
    kernels.use(chosen)
    try:
        for case in cases():
            given = {name: value_of(reader.tensor(case["name"] + "." + name)) for name in case["inputs"]}
            given["F"] = F
            held_against(case, eval(case["expression"], given), reader)
    finally:
        kernels.use()


def test_functions_answer_as_torch_does():
    check_all(kernels.in_use()[0])


def test_plain_kernels_of_functions_answer_as_torch_does():
    check_all("plain")


class Net(nn.Module):
    """Computes an expression of its input and of parameters."""

    def __init__(self, expression, input, **parameters):
        self.written = (expression, input, list(parameters))
        for name in parameters:
            setattr(self, name, parameters[name])

    def forward(self, value):
        expression, input, names = self.written
        given = {name: getattr(self, name) for name in names}
        given[input] = value
        given["F"] = F
        return eval(expression, given)


def parameter(found):
    param = Param(found.shape)
    param.data = found.data()
    return param


def test_a_plan_with_parameters_answers_as_torch_does():
    reader = reader_of_answers()
    for case in cases():
        first = case["inputs"][0]
        others = {}
        for name in case["inputs"][1:]:
            if case["expression"].count(name + "."):  # a parameter has no methods
                break
            others[name] = parameter(reader.tensor(case["name"] + "." + name))
        else:
            given = value_of(reader.tensor(case["name"] + "." + first))
            plan = Net(case["expression"], first, **others).plan(given.shape)
            for _ in range(2):
                held_against(case, plan(given), reader)


def kernels_of(expression, shape, **parameters):
    """Return the names of the kernels that a followed pass calls."""
    found = []
    for step in trace(Net(expression, "x", **parameters), shape).steps:
        values = [
            Value(memoryview(kernels.floats([1.0] * count(value.shape))), value.shape)
            for value in step.inputs + step.outputs
        ]
        found += [kernel.__name__ for kernel, _ in step.layer.bind(*values)]
    return found


# expression, shape of x, shape of y; kernels
CHEAP = (
    ("x * 2 + 1", (2, 3), (1,), ["affine", "affine"]),
    ("3 - x / 2", (2, 3), (1,), ["affine", "affine"]),
    ("x * y", (1, 3, 2, 2), (3, 1, 1), ["affine"]),
    ("x + y", (2, 3, 2, 2), (3, 1, 1), ["affine"]),
    ("y * x", (2, 3, 2, 2), (2, 3, 1, 1), ["affine"]),
    ("x * y", (2, 3, 2), (1,), ["affine"]),
    ("x + y", (2, 3), (2, 3), ["add"]),
    ("x * y", (1, 2, 3), (2, 3), ["multiply"]),
    ("x * y", (4, 3), (3,), ["affine"]),
    ("x * y", (2, 3, 2, 2), (2, 1, 2, 2), ["multiply_strided"]),
    ("x ** 2", (2, 3), (1,), ["multiply"]),
    ("x ** 0.5", (2, 3), (1,), ["sqrt"]),
    ("F.clamp(x, min=0)", (2, 3), (1,), ["relu"]),
    ("F.mean(x, (2, 3))", (1, 3, 4, 4), (1,), ["adaptive_avg_pool2d"]),
    ("F.mean(x, (0, 2, 3), True)", (1, 3, 4, 4), (1,), ["adaptive_avg_pool2d"]),
    ("F.mean(x, 1)", (2, 3, 4), (1,), ["total"]),
    ("F.mean(x, 1)", (2, 1, 4), (1,), []),
    ("x @ y", (2, 5, 3), (3, 4), ["linear"]),
    ("x @ y", (1, 5, 3), (1, 3, 4), ["linear"]),
    ("x @ y", (2, 5, 3), (2, 3, 4), ["linear", "linear"]),
    ("x @ y", (17, 2, 3), (17, 3, 4), ["matmul"]),
)


def test_what_is_common_takes_the_cheap_kernels():
    for expression, shape, other, expected in CHEAP:
        found = kernels_of(expression, shape, y=Param(other))
        assert found == expected, (expression, shape, other, found)


def test_operators_of_two_values_are_a_layer_each():
    names = [step.name for step in trace(Net("(x + x) * x - x / x", "x"), (2, 3)).steps]
    assert names == ["Add", "Multiply", "Divide", "Subtract"], names


def test_indices_that_nobody_reads_are_not_looked_for():
    plan = Net("F.max(x, 1)[0]", "x").plan((2, 3))
    assert list(plan([1.0, 5.0, 2.0, 7.0, 7.0, 0.0]).data) == [5.0, 7.0]
    assert len(plan._calls) == 1
    values, indices = Net("F.max(x, 1)", "x").plan((2, 3))([1.0, 5.0, 2.0, 7.0, 7.0, 0.0])
    assert list(indices.data) == [1.0, 0.0] and list(values.data) == [5.0, 7.0]


def test_a_value_with_numbers_is_a_constant_of_a_pass():
    net = Net("x * mask + mask", "x", mask=tensor([1.0, 0.0, 2.0]))
    for _ in range(2):
        assert list(net.plan((2, 3))([1.0] * 6).data) == [2.0, 0.0, 4.0] * 2


def test_what_depends_on_no_input_is_computed_once():
    scale = Param((3,))
    scale.data = b"\x00\x00\x00\x40" * 3
    steps = trace(Net("x * F.exp(F.mul(scale, 0.0))", "x", scale=scale), (2, 3)).steps
    assert [step.name for step in steps] == ["Multiply"]


def test_joined_dimensions_go_through_the_same_numbers():
    assert joined((2, 3, 4), steps_of((2, 3, 4), 3), steps_of((4,), 3)) == ((6, 4), [(4, 1), (0, 1)])
    assert joined((2, 3, 4), steps_of((2, 3, 4), 3), steps_of((3, 1), 3)) == (
        (2, 3, 4),
        [(12, 4, 1), (0, 1, 0)],
    )
    assert joined((1, 5), [0, 1], [0, 0]) == ((5,), [(1,), (0,)])
    assert joined((1, 1), [0, 0]) == ((1,), [(0,)])


# what is written of x, [2, 3], and what is raised
REFUSED = (
    ("x + F.mean(x, 1)", InvalidTensor),
    ("F.mean(x, 2)", InvalidTensor),
    ("F.mean(x, (1, 1))", InvalidTensor),
    ("F.mean(x, (1, -1))", InvalidTensor),
    ("F.mean(x, 'a')", InvalidTensor),
    ("F.sum(x, 0.5)", InvalidTensor),
    ("F.max(x, 5)", InvalidTensor),
    ("F.argmax(x, -3)", InvalidTensor),
    ("F.cumsum(x, 2)", InvalidTensor),
    ("F.var(x[:, :1], 1)", InvalidTensor),
    ("F.amax(x[:, :0], 1)", InvalidTensor),
    ("F.matmul(x, x)", InvalidTensor),
    ("F.bmm(x, x)", InvalidTensor),
    ("F.mm(x, x.reshape(1, 3, 2))", InvalidTensor),
    ("F.matmul(x, 2)", InvalidTensor),
    ("F.clamp(x)", InvalidTensor),
    ("F.clamp(x, float('nan'))", InvalidTensor),
    ("F.div(x, x, rounding_mode='up')", InvalidTensor),
    ("F.round(x, decimals=1.5)", Unsupported),
    ("F.norm(x, 'nuc')", Unsupported),
    ("x + 'a'", InvalidTensor),
    ("x + [1, 2, 3]", InvalidTensor),
    ("x * None", InvalidTensor),
    ("F.exp('a')", InvalidTensor),
    ("F.where(x, x, 'a')", InvalidTensor),
    ("x.no_such_function(1)", Unsupported),
)


def test_what_can_not_be_computed_is_refused_by_name():
    for expression, error in REFUSED:
        net = Net(expression, "x")
        for call in (lambda: net(tensor([1.0] * 6, (2, 3))), lambda: net.plan((2, 3))):
            try:
                call()
            except BurnpackError as found:
                assert isinstance(found, error) and str(found), (expression, found)
            else:
                raise AssertionError(expression)


def test_a_number_comes_first_or_last():
    value = tensor([1.0, 2.0])
    for found, expected in (
        (0.5 * value, [0.5, 1.0]),
        (2 + value, [3.0, 4.0]),
        (1 - value, [0.0, -1.0]),
        (2 / value, [2.0, 1.0]),
        (3**value, [3.0, 9.0]),
        (value // 2, [0.0, 1.0]),
    ):
        assert list(found.data) == expected, (list(found.data), expected)


def test_a_value_answers_where_its_largest_number_is():
    value = tensor([1, 7, 3, 7, 0, 9], (2, 3))
    assert value.argmax() == 5
    assert list(value.argmax(1).data) == [1.0, 2.0] and value.argmax(dim=0, keepdim=True).shape == (1, 3)
    assert Net("x.argmax()", "x").plan((2, 3))(value).item() == 5.0
