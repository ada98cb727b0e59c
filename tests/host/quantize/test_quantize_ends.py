"""Quantized models of several inputs and outputs, and those whose states stay in the arena."""

import numpy as np
import pytest

from burnpack.errors import InvalidTensor, Unsupported
from burnrt import Model, nn, tensor
from burnstore.quantize import quantize_model
from burnstore.quantize.measure import measure
from burnstore.quantize.report import plain, text_of
from kit.int8.quantizing import samples
from kit.models.chains import loaded


class Sums(nn.Module):
    """Takes a state as well, and answers with scores and the next state, or with more."""

    def __init__(self, many=False):
        self.x, self.h = nn.Linear(3, 4), nn.Linear(4, 4)
        self.add, self.tanh, self.last = nn.Add(), nn.Tanh(), nn.LogSoftmax(1)
        self.many = many

    def forward(self, x, h):
        made = self.tanh(self.add(self.x(x), self.h(h)))
        return (made, self.last(made), h, made) if self.many else (self.last(made), made)


class Streaming(Sums):
    input_shapes = ((1, 3), (1, 4))


X, H = samples((3,), 40), samples((4,), 40) / 4


def test_all_inputs_and_outputs_are_those_of_the_model():
    model = loaded(Sums(True))
    runs = Model(quantize_model(model, (X, H)).to_bytes())
    assert [end.shape for end in runs.inputs] == [(1, 3), (1, 4)] and not runs.states
    assert [end.last for end in runs.outputs] == [0, 1, 0, 0]
    for x, h in zip(X, H, strict=True):
        wanted = model(tensor(x[None]), tensor(h[None]))
        for found, value in zip(runs(x, h), wanted, strict=True):
            assert np.abs(np.array(found.data) - np.asarray(value).reshape(-1)).max() < 0.1


def test_a_state_stays_in_bytes_of_one_scale_from_run_to_run():
    model = loaded(Streaming())
    quantized = quantize_model(model, X, states={"h": 1})
    runs = Model(quantized.to_bytes())
    (state,), (tied,) = runs.states, quantized.network.states
    known = quantized.known[tied.next]
    assert quantized.known[tied.given.value] == known
    assert [end.shape for end in (*runs.inputs, *runs.outputs, state)] == [(1, 3), (1, 4), (1, 4)]
    for _ in range(2):
        h = tensor(np.zeros((1, 4), np.float32))
        for x in X:
            wanted, h = model(tensor(x[None]), h)
            assert np.abs(np.array(runs(x).data) - np.asarray(wanted).reshape(-1)).max() < 0.15
            assert np.abs(known.numbers(list(state.data)) - np.asarray(h)).max() < 0.1
        runs.reset()
        assert set(state.data) == {state.zero}


def test_samples_of_states_need_no_shapes_and_are_no_stream():
    quantized = quantize_model(loaded(Sums()), (X, H), states={1: 1})
    assert measure(quantized, (X, H)).samples == 40
    with pytest.raises(Unsupported, match="give samples of the states, too"):
        quantize_model(loaded(Sums()), X, states={"h": 1})


def test_each_output_is_reported():
    report = measure(quantize_model(loaded(Sums(True)), (X, H)), (X, H))
    assert len(report.others) == 3 and plain(report)["others"][0]["rmse"] == report.others[0].rmse < 0.1
    assert "error of the answers: RMSE" in text_of(report) and "error of output 3: RMSE" in text_of(report)


@pytest.mark.parametrize(
    ("given", "states", "what"),
    [
        ((X, H[:7]), {}, "not as many samples of one input as of another .*40, 7"),
        ((X,), {}, "another number of inputs"),
        ((X, H, H), {}, "another number of inputs"),
        ((X, H), {"h": 0}, "output 0 ends with a LogSoftmax"),
        ((X, H), {"x": 1}, "another shape"),
        ((), {}, "there are none"),
    ],
)
def test_samples_and_states_that_do_not_fit_are_refused(given, states, what):
    with pytest.raises((InvalidTensor, Unsupported), match=what):
        quantize_model(loaded(Sums()), given, states=states)
