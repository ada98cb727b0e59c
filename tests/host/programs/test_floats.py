"""A model of floats as a program computes what its class does."""

import importlib.util
import json
import sys
from array import array

import numpy as np
import pytest

from burnpack.errors import BurnpackError, InvalidTensor, LimitExceeded, Unsupported
from burnpack.module import walk
from burnpack.safetensors import Reader
from burnrt import kernels, nn, tensor
from burnrt import memory as board
from burnrt.plan import Plan
from burnstore.numerics.arrays import array_from_tensor
from burnstore.programs import floats
from burnstore.programs.floats import program_of
from burnstore.programs.form import ENDS_MOST, STEPS_MOST
from kit import support
from kit.models import sequences
from kit.models.chains import Chain, loaded, put
from kit.models.programs import WAYS, One, answered, check, close, file_of, noise

EXAMPLES = (
    ("digits/model.py", "DigitsNet", (1, 1, 8, 8)),
    ("mnist/model.py", "MnistNet", (1, 1, 28, 28)),
    ("mnist/model.py", "MnistTiny", (1, 1, 28, 28)),
    ("gestures/model.py", "GestureNet", (1, 3, 100)),
    ("mlperf_tiny/model.py", "KeywordSpotting", (1, 1, 49, 10)),
    ("mlperf_tiny/model.py", "AnomalyDetection", (1, 640)),
)


def example(path, name, monkeypatch):
    path = support.path("examples/" + path)
    monkeypatch.syspath_prepend(path.rpartition("/")[0])
    spec = importlib.util.spec_from_file_location("program_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for neighbour in ("window",):
        sys.modules.pop(neighbour, None)
    return getattr(module, name)()


@pytest.mark.parametrize(("path", "name", "shape"), EXAMPLES)
def test_a_program_of_an_example_answers_as_its_class(path, name, shape, monkeypatch):
    model = loaded(example(path, name, monkeypatch))
    form = check(model, noise(*shape), ways=WAYS[:2])
    assert form.arena <= Plan(model, shape).size


def layer_cases():
    return json.loads(support.read(support.path("tests/vectors/layers/layers.json")))


@pytest.mark.parametrize("case", layer_cases(), ids=lambda case: case["name"])
def test_a_program_of_each_layer_answers_as_torch_does(case):
    reader = Reader.from_static(support.read(support.path("tests/vectors/layers/layers.safetensors")))
    layer = getattr(nn, case["layer"])(*case["arguments"], **case["keywords"])
    for name in case["params"]:
        put(getattr(layer, name), array_from_tensor(reader.tensor("%s.%s" % (case["name"], name))))
    given, wanted = (
        array_from_tensor(reader.tensor("%s.%s" % (case["name"], part))) for part in ("input", "output")
    )
    if layer.forward.__func__ is not nn.Layer.forward:  # it shares its input's numbers, and leaves no step
        check(One(nn.Sequential(nn.Tanh(), layer)), given)
    else:
        close(answered(file_of(One(layer), given.shape)[0], given), [wanted])


@pytest.mark.parametrize("attention", [False, True])
def test_programs_of_recurrent_layers_and_attention_answer_as_torch_does(attention):
    for name, layer, answers in sequences.each(attention):
        names = [name + "." + part for part in ("query", "key", "value")] if attention else [name + ".input"]
        inputs = [array_from_tensor(answers.tensor(each)) for each in names if each in answers]
        if not inputs or name + ".output" not in answers or masks(name, answers):
            continue
        data, _ = file_of(
            One(layer, lambda layer, *given: layer(*given)[0]), *[each.shape for each in inputs]
        )
        close(answered(data, *inputs), [array_from_tensor(answers.tensor(name + ".output"))])


def masks(name, answers):
    return any(each.startswith(name + ".mask") for each in answers.names())


MORE = {
    "several layers both ways": (nn.LSTM(4, 3, 3, bidirectional=True), (6, 2, 4)),
    "coupled gates": (nn.Lstm(4, 3, input_forget=True), (6, 2, 4)),
    "the hidden state multiplied first": (nn.Gru(4, 3, reset_after=False), (6, 2, 4)),
    "two layers without a bias": (nn.GRU(4, 3, 2, bias=False, batch_first=True), (2, 6, 4)),
    "rectified": (nn.RNN(4, 3, nonlinearity="relu"), (6, 4)),
}


@pytest.mark.parametrize(("layer", "shape"), MORE.values(), ids=MORE)
def test_a_program_gives_a_recurrent_layers_output_and_state(layer, shape):
    form = check(loaded(One(layer)), noise(*shape))
    assert {kernel for kernel, _ in form.steps} - {"fill"} <= {"lstm", "gru", "rnn"}


def test_a_state_goes_from_one_call_to_the_next():
    model = One(nn.LSTM(4, 4), lambda lstm, x: lstm(*lstm(x))[0][-1])
    check(loaded(model), noise(5, 2, 4))


def test_a_layer_that_is_called_twice_works_in_no_value_of_others():
    model = One(nn.MultiHeadAttention(6, 2), lambda attend, x: (attend(attend(x)[0], x)[0] + x, attend(x)))
    check(loaded(model), noise(5, 2, 6))


@pytest.mark.parametrize("name", ["numpy", "plain"])
def test_buffers_that_a_layer_has_kept_from_a_run_are_places_in_the_arena(name):
    model = loaded(One(nn.MultiHeadAttention(6, 2), lambda attend, x: attend(x)))
    kernels.use(name)
    try:
        model(tensor(noise(5, 2, 6)))
        check(model, noise(5, 2, 6))
        lstm = loaded(One(nn.LSTM(4, 3, 2, bidirectional=True)))
        lstm.part.bind(tensor(noise(5, 2, 4)), tensor(noise(5, 2, 6)))
        check(lstm, noise(5, 2, 4))
    finally:
        kernels.use()


PARTS = {
    "side by side": (lambda layer, x: layer(x)[:, 1:], "copy_rows"),
    "apart in three dimensions": (lambda layer, x: layer(x)[1:, ::2, 1:, ::2], "copy_strided"),
    "one of a dimension": (lambda layer, x: layer(x)[..., 1, -1], "copy_rows"),
    "a number's row": (lambda layer, x: layer(x)[0, 1, 2], "copy_rows"),
}


@pytest.mark.parametrize(("called", "kernel"), PARTS.values(), ids=PARTS)
def test_a_part_of_a_value_is_one_step(called, kernel):
    form = check(One(nn.ReLU(), called), noise(3, 4, 5, 6))
    assert [kernel for kernel, _ in form.steps] == ["relu", kernel]


def test_padding_is_two_steps_for_any_number_of_planes():
    form = check(One(nn.ConstantPad2d((1, -1, 2, 0), 3)), noise(2, 5, 4, 4))
    assert [kernel for kernel, _ in form.steps] == ["fill", "copy_strided"]


def test_a_program_has_several_inputs_and_outputs():
    model = One(nn.Linear(4, 4), lambda fc, x, y: (fc(x) + y, [fc(fc(x)), y]))
    form = check(loaded(model), noise(3, 4), noise(3, 4))
    assert (len(form.inputs), len(form.outputs)) == (2, 3)


def test_an_embedding_takes_whole_numbers():
    check(loaded(One(nn.Embedding(5, 3))), [[0, 1, 2], [4, 3, 0]])


def test_what_computes_nothing_leaves_no_step():
    row = nn.Sequential(nn.Dropout(), nn.Flatten(), nn.Linear(12, 2), nn.Unflatten(1, (1, 2)), nn.Identity())
    form = check(loaded(One(row)), noise(2, 3, 4))
    assert form.steps == [("linear", "part.2")]


def test_what_nobody_needs_leaves_no_step():
    def called(layer, x):
        layer(x)
        return layer(x + x)

    form = check(loaded(One(nn.Linear(4, 4), called)), noise(2, 4))
    assert form.steps == [("add", "Add"), ("linear", "part@2")]


def test_a_norm_is_one_affine_step_in_place():
    norm = nn.BatchNorm(3)
    form = check(loaded(Chain(norm=norm)), noise(2, 3, 4))
    assert form.steps == [("affine", "norm")] and form.arena == 4 * 24
    again = check(loaded(Chain(norm=nn.BatchNorm(3, affine=False), other=norm)), noise(2, 3, 4))
    assert [kernel for kernel, _ in again.steps] == ["affine", "affine"]


@pytest.mark.parametrize("dtype", ["<f2", "<f4", "<f8"])
def test_weights_are_read_in_the_dtype_that_the_file_has(dtype):
    model = loaded(Chain(fc=nn.Linear(6, 5), norm=nn.BatchNorm(5)))
    for param in (model.fc.weight, model.fc.bias):
        numbers = np.frombuffer(param.data, "<f4").astype(dtype)
        param.data, param.dtype = numbers.tobytes(), {"2": "F16", "4": "F32", "8": "F64"}[dtype[-1]]
    check(model, noise(2, 6))


def test_weights_of_half_the_bits_are_read_in_place():
    model = loaded(Chain(fc=nn.Linear(6, 5)))
    for param in (model.fc.weight, model.fc.bias):
        param.data = np.ascontiguousarray(np.frombuffer(param.data, "<u2")[1::2]).tobytes()
        param.dtype = "BF16"
    check(model, noise(2, 6))


def test_a_models_own_data_is_neither_needed_nor_changed():
    model, other = (loaded(Chain(fc=nn.Linear(6, 5), norm=nn.BatchNorm(5)), seed) for seed in (1, 2))
    tensors = other.collect()
    for _, _, param in walk(model):
        param.data = None
    form = program_of(model, [(2, 6)], tensors)
    assert form.steps == program_of(other, [(2, 6)], tensors).steps
    assert bytes(form.tensor(tensors).data()) == bytes(
        program_of(other, [(2, 6)], tensors).tensor(tensors).data()
    )
    assert [param.data for _, _, param in walk(model)] == [None] * 6


def test_kernels_are_as_they_were_afterwards():
    before = (kernels.buffer, kernels.floats, nn.Layer.weights)
    model = loaded(Chain(fc=nn.Linear(6, 5)))
    program_of(model, [(2, 6)], model.collect())
    support.raises(BurnpackError, program_of, model, [(2, 7)], model.collect())
    assert (kernels.buffer, kernels.floats, nn.Layer.weights) == before


class Doubled(nn.Layer):
    """A user's own layer that computes in Python."""

    def run(self, input, output):
        for place, number in enumerate(input.data):
            output.data[place] = 2 * number


class Scaled(nn.Layer):
    """One that calls kernels, with numbers that it makes in `bind`, or has made before."""

    def __init__(self, kept=None):
        self._kept = kept

    def bind(self, input, output):
        numbers = kernels.floats([3] * len(output.data)) if self._kept is None else self._kept
        return [(kernels.multiply, (input.data, numbers, output.data, len(output.data)))]


class Overwriting(nn.Layer):
    def bind(self, input, output):
        numbers = kernels.floats([3] * len(output.data))
        return [(kernels.relu, (input.data, numbers, len(output.data)))]


def test_a_layer_of_the_users_own_that_calls_kernels_is_in_the_program():
    assert check(Chain(fc=Scaled()), noise(2, 3)).steps == [("multiply", "fc")]


REFUSED = {
    "python": (Doubled(), (2, 3), Unsupported, "double: computes with Python of its own"),
    "nothing": (nn.Dropout(), (2, 3), Unsupported, "Chain: nothing is computed"),
    "a buffer": (
        Scaled(array("f", [3] * 6)),
        (2, 3),
        Unsupported,
        "double: calls a kernel with a buffer that",
    ),
    "a constant written": (Overwriting(), (2, 3), Unsupported, "double: writes into numbers that stay"),
    "an arena": (nn.ReLU(), (1, (1 << 22) + 1), LimitExceeded, "the arena: more numbers"),
    "a shape": (nn.Linear(3, 3), (2, 4), InvalidTensor, "Linear: wrong input shape"),
}


@pytest.mark.parametrize(("layer", "shape", "error", "wanted"), REFUSED.values(), ids=REFUSED)
def test_what_no_program_can_hold_is_refused_by_name(layer, shape, error, wanted):
    model = loaded(Chain(double=layer))
    assert wanted in str(support.raises(error, program_of, model, [shape], model.collect()))


def test_a_parameter_that_is_left_out_or_of_another_kind_is_refused():
    model = loaded(Chain(fc=nn.Linear(3, 2)))
    tensors = model.collect()
    assert "Linear.bias: is not among" in str(
        support.raises(BurnpackError, program_of, model, [(1, 3)], tensors[:1])
    )
    model.fc.weight.dtype, model.fc.weight.data = "I32", bytes(24)
    assert "no kernel computes with this dtype" in str(
        support.raises(Unsupported, program_of, model, [(1, 3)], model.collect())
    )


def test_a_program_has_no_larger_arena_than_boards_believe():
    assert floats.ARENA_MOST == board._ARENA_MOST


class Split(nn.Module):
    """Answers each of the input's numbers for itself."""

    def forward(self, x):
        return tuple(x[:, place] for place in range(x.shape[1]))


def test_a_program_has_no_more_outputs_than_boards_believe():
    answers = answered(file_of(Split(), (1, ENDS_MOST))[0], noise(1, ENDS_MOST))
    assert len(answers) == ENDS_MOST
    with pytest.raises(LimitExceeded, match=r"more outputs .*expected 8.*found 9"):
        file_of(Split(), (1, ENDS_MOST + 1))


def test_a_program_has_no_more_steps_than_boards_believe():
    relus = [nn.Relu() for _ in range(STEPS_MOST + 1)]
    answered(file_of(nn.Sequential(*relus[:-1]), (1, 4))[0], noise(1, 4))
    with pytest.raises(LimitExceeded, match=r"more steps .*expected 1023.*found 1024"):
        file_of(nn.Sequential(*relus), (1, 4))
