"""Steps of quantized models that are computed in floats."""

import json
from pathlib import Path

import numpy as np
import pytest

from burnpack.errors import InvalidTensor, NotFound, Unsupported
from burnpack.reader import Reader
from burnrt import Model, kernels, nn, tensor
from burnrt import functional as F
from burnrt.kernels import int8
from burnstore.io.opened import open_model
from burnstore.models.loaded import load_exported
from burnstore.models.selftest import with_program_golden
from burnstore.programs.reading import program_in
from burnstore.quantize import quantize_model
from burnstore.quantize.measure import measure
from burnstore.quantize.report import plain, text_of
from kit import support
from kit.int8.quantizing import samples
from kit.models.chains import loaded


class Loudness(nn.Module):
    """A logarithm of energies, which needs more than bytes, between two Linears; moves stand in between."""

    def __init__(self):
        self.first, self.norm, self.last = nn.Linear(4, 6), nn.BatchNorm(6), nn.Linear(6, 3)

    def forward(self, x):
        energy = F.log(F.add(F.pow(self.first(x), 2.0), 1e-4))
        turned = F.permute(energy.reshape(1, 2, 3), (0, 2, 1)).reshape(1, 6)
        return self.last(self.norm(turned))


NAMES = ("Multiply", "Affine", "Log", "norm")
X = samples((4,), 60)


@pytest.fixture(scope="module")
def model():
    return loaded(Loudness())


@pytest.fixture(scope="module")
def quantized(model):
    return quantize_model(model, X, ranges="minmax", floats=NAMES)


def answers(runs, numbers):
    return np.array([list(runs(x).data) for x in numbers])


def test_a_step_in_floats_loses_less_than_one_in_bytes(model, quantized):
    losses = [measure(each, X).rmse for each in (quantized, quantize_model(model, X, ranges="minmax"))]
    assert losses[0] < losses[1] / 2


def test_floats_become_bytes_at_the_border_alone(quantized):
    kernels_of = [kernel for kernel, _ in quantized.program.form.steps]
    assert kernels_of.count("quantize") == kernels_of.count("dequantize") == 1
    assert kernels_of[0] == kernels_of[-1] == "int8.linear"
    between = kernels_of[kernels_of.index("dequantize") + 1 : kernels_of.index("quantize")]
    assert not any(kernel.startswith("int8.") for kernel in between) and "affine" in between


def test_the_report_counts_what_is_computed_in_floats(quantized):
    report = measure(quantized, X)
    assert report.in_floats == [*NAMES[:3], "Permute", "norm"]
    assert {step.scale for step in report.steps if step.kernel == "float"} == {None}
    text = text_of(report)
    assert "in floats: 5 steps, 30 numbers, which is slow on a board without an FPU" in text
    assert json.loads(json.dumps(plain(report)))["in_floats"] == report.in_floats


def test_every_set_of_kernels_answers_alike(quantized):
    data = quantized.to_bytes()
    wanted = answers(Model(data), X[:8])
    scale = Model(data).outputs[0].scale
    for chosen in ("plain", "numpy"):
        kernels.use(chosen)
        int8.use(chosen)
        try:
            assert np.abs(answers(Model(data), X[:8]) - wanted).max() <= scale
        finally:
            kernels.use()
            int8.use()


def test_a_selftest_allows_some_steps_between_bytes(quantized):
    data = quantized.to_bytes()
    runs = Model(data)
    _, tolerance = with_program_golden(Reader.from_static(data), runs, [X[:1]])
    assert tolerance[0][1] == 4 * runs.outputs[0].scale


def test_a_program_read_back_says_which_bytes_are_read_and_written(quantized):
    steps = program_in(Model(quantized.to_bytes())).steps
    of, to = (next(step for step in steps if step.kernel == name) for name in ("dequantize", "quantize"))
    assert [end - start for start, end in (*of.reads, *of.writes)] == [6, 24]
    assert [end - start for start, end in (*to.reads, *to.writes)] == [24, 6]


def test_a_name_that_no_step_has_is_refused(model):
    with pytest.raises(NotFound, match="no step is called so; there are first Multiply"):
        quantize_model(model, X, floats=["Mul*", "absent*"])


def test_a_step_in_floats_may_make_infinite_numbers_of_bytes(model):
    report = measure(quantize_model(model, X[:2], floats="Log"), X[:2])
    (step,) = (step for step in plain(report)["steps"] if step["name"] == "Log")
    assert (
        report.in_floats == ["Log"] and step["ratio"] is step["largest"] is None and "inf" in text_of(report)
    )


class Sorted(nn.Module):
    """What has no integers, between what has; and a recurrent layer."""

    def __init__(self):
        self.first, self.gru, self.last = nn.Linear(4, 6), nn.Gru(3, 2), nn.Linear(2, 3)

    def forward(self, x):
        found = F.cumsum(self.first(x), 1)
        states, _ = self.gru(found.reshape(2, 1, 3))
        return self.last(F.amax(states, 0))


def test_what_has_no_integers_is_kept_in_floats_when_it_is_named():
    model = loaded(Sorted())
    with pytest.raises(Unsupported, match=r"--float CumulativeSum computes that in floats") as error:
        quantize_model(model, X)
    name = str(error.value).split("--float ")[1].split()[0]
    for floats in ([name], [name, "gru"], ["*"]):
        quantized = quantize_model(model, X, ranges="minmax", floats=floats)
        report = measure(quantized, X)
        assert report.rmse < 0.03 * (report.largest - report.least), floats
        assert set(floats) - {"*"} <= set(report.in_floats)


def test_all_methods_leave_steps_in_floats_alone(model):
    quantized = quantize_model(model, X[:34], floats=NAMES)
    report = measure(quantized, X)
    assert set(quantized.losses) >= {"minmax", "fitted", "mse"}
    assert len(report.in_floats) == 5 and report.rmse < 0.05 * (report.largest - report.least)


class Words(nn.Module):
    def __init__(self, entries):
        self.table, self.last = nn.Embedding(entries, 4), nn.Linear(4, 3)

    def forward(self, x):
        return self.last(F.amax(self.table(x), 1))


def test_indices_of_a_table_in_floats_are_bytes():
    words = np.arange(60, dtype=np.float32).reshape(-1, 3) % 20
    quantized = quantize_model(loaded(Words(20)), words, floats=["table"])
    assert Model(quantized.to_bytes()).inputs[0].scale == 1.0
    report = measure(quantized, words)
    assert report.rmse < 0.02 * (report.largest - report.least)
    with pytest.raises(Unsupported, match="a table of 300 vectors"):
        quantize_model(loaded(Words(300)), words, floats=["table"])


def test_what_pytorch_has_quantized_needs_no_samples_where_it_says_the_bytes_at_the_borders():
    with open_model(Path(support.data("pt2/invres_pt2e.pt2"))) as opened:
        network = load_exported(opened).module
    names = ((), ("add", "blocks.0.0"))
    runs = [Model(quantize_model(network, None, floats=each).to_bytes()) for each in names]
    x = samples((3, 32, 32), 1)
    (scale,) = {each.outputs[0].scale for each in runs}
    assert np.abs(np.subtract(*(answers(each, x) for each in runs))).max() <= 2 * scale
    with pytest.raises(InvalidTensor, match=r"@2\.quantize: PyTorch has left this in floats"):
        quantize_model(network, None, floats=["stem.2", "fake*@2"])


class Streaming(nn.Module):
    """Its state becomes what a step in floats makes, which comes out, too."""

    input_shapes = ((1, 4), (1, 4))

    def __init__(self):
        self.x, self.tanh = nn.Linear(4, 4), nn.Tanh()

    def forward(self, x, h):
        made = self.tanh(F.add(self.x(x), h))
        return made, made


def test_a_state_stays_in_bytes_where_a_step_in_floats_makes_it():
    model = loaded(Streaming())
    quantized = quantize_model(model, X, states={1: 1}, floats=["tanh", "Add"])
    runs, h = Model(quantized.to_bytes()), tensor(np.zeros((1, 4), np.float32))
    for x in X[:12]:
        wanted, h = model(tensor(x[None]), h)
        assert np.abs(np.array(runs(x).data) - np.asarray(wanted).reshape(-1)).max() < 0.05
