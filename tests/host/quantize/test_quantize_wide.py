"""Steps of quantized models that compute on values of 16 bits."""

import json

import numpy as np
import pytest

from burnpack.errors import InvalidTensor, NotFound, Unsupported
from burnrt import Model, nn
from burnrt import functional as F
from burnrt.kernels import int8
from burnstore.programs.reading import program_in
from burnstore.quantize import quantize_model
from burnstore.quantize.calibrate import bytes_of
from burnstore.quantize.measure import measure
from burnstore.quantize.report import plain, text_of
from burnstore.quantize.tables import answered, best_table
from kit.int8.quantizing import answering, any_bytes, kernels_of, names_of, samples
from kit.models.chains import loaded


class Front(nn.Module):
    """What a spectrum goes through, a gate, and a Linear."""

    def __init__(self):
        self.bank, self.narrow, self.last = nn.Conv1d(1, 6, 8, stride=4), nn.Conv1d(6, 4, 3), nn.Linear(20, 3)

    def forward(self, x):
        loud = F.log(F.add(F.pow(self.bank(x), 2.0), 1e-3))
        even = F.subtract(loud, F.mean(loud, (2,), True))
        gated = F.multiply(even, F.sigmoid(even))
        turned = F.permute(gated, (0, 2, 1))
        return self.last(F.relu(self.narrow(F.permute(turned, (0, 2, 1)))).reshape(1, 20))


X = samples((1, 32), 60)
EVERY = ("*",)


@pytest.fixture(scope="module")
def model():
    return loaded(Front())


@pytest.fixture(scope="module")
def wide(model):
    return quantize_model(model, X, ranges="minmax", int16=EVERY)


def test_values_of_16_bits_lose_less_than_bytes(model, wide):
    losses = [measure(each, X).rmse for each in (wide, quantize_model(model, X, ranges="minmax"))]
    assert losses[0] < losses[1] / 3


def test_bytes_are_widened_and_narrowed_at_the_borders_alone(wide):
    assert names_of(wide)[0] == "input.widen" and names_of(wide)[-1] == "last.narrow"
    assert [each for each in names_of(wide) if each.endswith(".narrow")] == ["last.narrow"]
    found = set(kernels_of(wide))
    assert found == {"fill", "copy", "wide_conv2d", "wide_lookup", "wide_add", "wide_multiply", "narrow"}


def test_a_chosen_step_has_borders_around_it(model):
    found = quantize_model(model, X, ranges="minmax", int16=("Log",))
    assert [name for name in names_of(found) if name.rpartition(".")[2] in ("widen", "narrow")]
    assert kernels_of(found).count("wide_lookup") == 1 and "wide_conv2d" not in kernels_of(found)


@pytest.mark.parametrize("seed", range(3))
def test_plain_kernels_answer_the_same_bytes(wide, seed):
    given = any_bytes(wide, seed)
    wanted = answering(wide)(given)
    int8.use("plain")
    try:
        assert (answering(wide)(given) == wanted).all()
    finally:
        int8.use()


def test_the_report_says_that_numbers_take_two_bytes(wide):
    report = measure(wide, X)
    widths = {step.name: step.width for step in report.steps}
    assert widths["bank"] == 2 and widths["last.narrow"] == 1
    assert json.loads(json.dumps(plain(report)))["in_16_bits"] == report.in_16_bits
    assert "in 16 bits: " in text_of(report)


def test_a_name_that_no_step_has_is_refused_with_those_that_can_have_16_bits(model):
    with pytest.raises(NotFound, match=r"can have 16 bits: .*bank"):
        quantize_model(model, X, int16=("bark",))


def test_a_step_that_has_no_16_bits_is_refused_with_what_computes_it():
    chain = loaded(Softened())
    with pytest.raises(Unsupported, match=r"--float .*Softmax"):
        quantize_model(chain, samples((4,), 40), int16=("Softmax",))


class Softened(nn.Module):
    def __init__(self):
        self.first = nn.Linear(4, 6)

    def forward(self, x):
        return F.softmax(self.first(x), 1)


def test_an_arena_is_asked_for_of_bytes_alone(model):
    with pytest.raises(Unsupported, match="all steps are in bytes"):
        quantize_model(model, X, ranges="minmax", int16=EVERY, arena=1000)


def test_samples_are_asked_for(model):
    with pytest.raises(InvalidTensor, match="samples"):
        quantize_model(model, None, int16=EVERY)


def test_weights_of_4_bits_are_of_steps_in_bytes(model):
    found = quantize_model(model, X, ranges="minmax", int16=("bank",), bits=4)
    assert "linear4" in kernels_of(found) and "wide_conv2d" in kernels_of(found)


FUNCTIONS = (
    (np.square, 0.0, 2.0),
    (lambda x: np.log(x + 1e-4), 0.0, 7.0),
    (np.sqrt, 0.0, 100.0),
    (lambda x: 1 / np.sqrt(x + 1e-3), 0.0, 4.0),
    (lambda x: 1 / (1 + np.exp(-x)), -8.0, 8.0),
    (np.tanh, -4.0, 4.0),
    (lambda x: np.maximum(x, 0.1 * x), -3.0, 5.0),
    (np.exp, -10.0, 0.0),
    (np.sin, -6.0, 6.0),
)


@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
def test_a_table_of_lines_is_near_its_function_everywhere(number):
    function, low, high = FUNCTIONS[number]
    given = bytes_of(low, high, most=65535, width=2)
    wanted = function(given.numbers(np.arange(65536)))
    made = bytes_of(float(wanted.min()), float(wanted.max()), most=65535, width=2)
    shape, table = best_table(function, given, made, (-np.inf, np.inf), "f")
    found = answered(shape, np.frombuffer(table, np.uint16).astype(np.float64), np.arange(65536))
    assert np.abs(found - (wanted / made.scale + made.zero_point)).max() < 5
    assert len(table) <= 1600


def test_auto_takes_what_gains_most_and_tells_what_it_tried(model):
    found = quantize_model(model, X, ranges="minmax", int16="auto")
    (_, before), (every, after), *rest = found.widening.losses
    assert set(found.widening.taken) < set(every) and rest
    held = dict(found.widening.losses)
    assert held[found.widening.taken] <= after + 1 / 3 * min(after, before - after)
    report = measure(found, X)
    assert f"taken: {', '.join(found.widening.taken)}" in text_of(report)
    assert json.loads(json.dumps(plain(report)))["widening"]["taken"] == list(found.widening.taken)


def test_auto_takes_nothing_where_it_gains_little():
    found = quantize_model(loaded(Softened()), samples((4,), 40), ranges="minmax", int16="auto")
    assert found.widening.taken == () and "none taken" in text_of(measure(found, samples((4,), 40)))
    assert "narrow" not in kernels_of(found)


def test_auto_takes_no_names_beside_it(model):
    with pytest.raises(InvalidTensor, match="auto"):
        quantize_model(model, X, int16=("auto", "bank"))


def test_a_program_is_read_back_with_what_each_step_reads(wide):
    steps = program_in(Model(wide.to_bytes())).steps
    reads = {step.kernel: {len(each.reads) for each in steps if each.kernel == step.kernel} for step in steps}
    assert reads["int8.fill"] == {0} and reads["int8.copy"] == {1}
    assert {step.width for step in steps if step.kernel.startswith("int8.wide_")} == {2}
    (bank,) = [step for step in steps if step.shape == (1, 6, 1, 7)]
    assert bank.kernel == "int8.wide_conv2d" and bank.writes[0][1] - bank.writes[0][0] == 2 * 6 * 7
