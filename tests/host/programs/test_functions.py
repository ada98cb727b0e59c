"""Programs of functions that are layers answer as PyTorch does, wherever the parameters are from."""

import pytest

from burnrt import nn
from burnstore.numerics.arrays import array_from_tensor
from kit.models import functions
from kit.models.chains import loaded
from kit.models.programs import WAYS, One, answered, check, close, file_of, noise

SOURCE = functions.tensors()


@pytest.mark.parametrize("case", functions.cases(), ids=lambda case: case["name"])
def test_a_program_of_each_function_answers_as_torch_does(case):
    model = functions.Calling(case, SOURCE)
    given = [array_from_tensor(SOURCE.tensor(name)) for name in model.names]
    wanted = [array_from_tensor(SOURCE.tensor(case["name"] + ".output"))]
    for inputs in (given[: case["inputs"]], given):
        data, _ = file_of(model, *[each.shape for each in inputs])
        close(answered(data, *inputs, ways=WAYS[::2]), wanted)


CELLS = {
    "gru": (nn.GRUCell(3, 4), 1),
    "lstm": (nn.LSTMCell(3, 4), 2),
    "rnn": (nn.RNNCell(3, 4, nonlinearity="relu"), 1),
}


@pytest.mark.parametrize(("cell", "states"), CELLS.values(), ids=CELLS)
def test_a_program_of_a_cell_takes_and_gives_states(cell, states):
    def called(cell, x, *state):
        return cell(x, state if cell.has_cell else state[0])

    form = check(loaded(One(cell, called)), noise(2, 3), *[noise(2, 4)] * states)
    assert [kernel for kernel, _ in form.steps] == ["copy_rows"] * states + [cell.kind.lower()]
    check(loaded(One(cell)), noise(3))


def test_a_recurrent_layer_takes_and_gives_states_in_a_program():
    for kind, states in (("GRU", 1), ("LSTM", 2), ("RNN", 1)):
        layer = getattr(nn, kind)(3, 4, 2, bidirectional=True)

        def called(layer, x, *state):
            return layer(x, state if layer.has_cell else state[0])

        check(loaded(One(layer, called)), noise(5, 2, 3), *[noise(4, 2, 4)] * states)
