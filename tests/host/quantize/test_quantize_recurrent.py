"""Recurrent layers in integers: close to the floats, whatever their form."""

import pytest

from burnpack.errors import Unsupported
from burnrt import Model, nn
from burnrt.kernels import int8
from burnstore.quantize import quantize_model
from burnstore.quantize.measure import measure
from kit.int8.quantizing import kernels_of, samples
from kit.models.chains import loaded

FORMS = (
    {"batch_first": True},
    {"batch_first": True, "bias": False, "bidirectional": True},
    {"batch_first": False, "num_layers": 2},
    {"batch_first": True, "num_layers": 2, "bidirectional": True},
)


class Sequence(nn.Module):
    """Answers with all hidden states, and with the state after the last step where it is `whole`."""

    def __init__(self, kind, whole=False, **form):
        self.layer, self.whole = getattr(nn, kind)(5, 6, **form), whole
        self.input_shapes = ((1, 7, 5) if form.get("batch_first") else (7, 1, 5),)

    def forward(self, x):
        out, state = self.layer(x)
        if not self.whole:
            return out
        return (out, *state) if isinstance(state, tuple) else (out, state)


class Streaming(nn.Module):
    """Answers with the hidden state, and with the parts of the state."""

    def __init__(self, kind):
        self.cell = getattr(nn, kind)(5, 6)
        self.input_shapes = ((1, 5), (1, 6), (1, 6))[: 3 if kind == "LstmCell" else 2]

    def forward(self, x, h, c=None):
        made = self.cell(x, h) if c is None else self.cell(x, (h, c))
        parts = made if isinstance(made, tuple) else (made,)
        return (parts[0], *parts)


def given(model):
    return samples(model.input_shapes[0], 12)


@pytest.mark.parametrize("kind", ["Gru", "Lstm", "Rnn"])
@pytest.mark.parametrize("form", FORMS)
def test_all_forms_are_close_to_the_floats(kind, form):
    model = loaded(Sequence(kind, **form))
    quantized = quantize_model(model, given(model))
    assert kernels_of(quantized) == [kind.lower()] * form.get("num_layers", 1)
    assert min(step.ratio for step in measure(quantized, given(model)).steps) > 28


@pytest.mark.parametrize("kind", ["Gru", "Lstm", "Rnn"])
@pytest.mark.parametrize("form", FORMS[1:])
def test_states_after_the_last_step_come_out(kind, form):
    model = loaded(Sequence(kind, True, **form))
    report = measure(quantize_model(model, given(model)), given(model))
    assert len(report.others) == 1 + (kind == "Lstm")
    assert max(other.rmse / other.deviation for other in report.others) < 0.06


@pytest.mark.parametrize("kind", ["GruCell", "LstmCell", "RnnCell"])
def test_the_state_of_a_cell_stays_in_the_model(kind):
    model = loaded(Streaming(kind))
    states = {place: place for place in range(1, len(model.input_shapes))}
    stream = samples((5,), 60)
    quantized = quantize_model(model, stream, states=states)
    report = measure(quantized, stream)
    assert report.rmse / report.deviation < 0.08
    assert len(Model(quantized.to_bytes()).states) == len(states)


def test_a_rectified_layer_and_coupled_gates():
    for form in ({"kind": "Rnn", "nonlinearity": "relu"}, {"kind": "Lstm", "input_forget": True}):
        model = loaded(Sequence(batch_first=True, **form))
        assert measure(quantize_model(model, given(model)), given(model)).steps[0].ratio > 28


def test_the_plain_kernels_answer_the_same_bytes():
    found = []
    for name in ("numpy", "plain"):
        int8.use(name)
        try:
            answers = []
            for kind in ("Gru", "Lstm", "Rnn"):
                model = loaded(Sequence(kind, True, **FORMS[3]))
                int8.use("numpy")
                data = quantize_model(model, given(model)).to_bytes()
                int8.use(name)
                runs = Model(data)
                runs(given(model)[0])
                answers += [bytes(end.data) for end in runs.outputs]
            found.append(answers)
        finally:
            int8.use()
    assert found[0] == found[1]


def test_what_integers_are_not_made_for_is_refused_by_name():
    model = loaded(Sequence("Gru", batch_first=True, reset_after=False))
    with pytest.raises(Unsupported, match="layer: a Gru that resets before its matrix"):
        quantize_model(model, given(model))
    model = loaded(Sequence("Gru", batch_first=True))
    model.input_shapes = ((2, 7, 5),)
    with pytest.raises(Unsupported, match="a batch of one"):
        quantize_model(model, samples((2, 7, 5), 4))
