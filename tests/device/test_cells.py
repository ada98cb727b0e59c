"""A cell computes what its layer does in one time step, and its parameters go by PyTorch's names."""

from burnpack.adapters import BurnToPyTorchAdapter, PyTorchToBurnAdapter
from burnpack.errors import InvalidTensor, Unsupported
from burnpack.module import walk
from burnrt import kernels, nn, tensor
from kit import support

# cell, its layer, arguments of both
KINDS = (
    ("GRUCell", "GRU", {}),
    ("LSTMCell", "LSTM", {"bias": False}),
    ("LSTMCell", "LSTM", {}),
    ("RNNCell", "RNN", {}),
    ("RNNCell", "RNN", {"nonlinearity": "relu"}),
)


def filled(layer):
    """Return the layer with different numbers in its parameters."""
    for number, (_, _, param) in enumerate(sorted(walk(layer), key=lambda found: found[0])):
        size = param.nbytes() // 4
        numbers = kernels.floats([((7 * at + 3 * number) % 11 - 5) / 8 for at in range(size)])
        param.data = memoryview(numbers) if isinstance(numbers, memoryview) else bytes(numbers)
    return layer


def sample(*shape):
    size = 1
    for extent in shape:
        size *= extent
    return tensor([((5 * at) % 13 - 6) / 4 for at in range(size)], shape)


def parts(answer):
    return answer if isinstance(answer, tuple) else (answer,)


def same(found, wanted):
    for one, other in zip(parts(found), parts(wanted)):
        assert list(one.data) == list(other.data)


def pairs():
    for cell, layer, keywords in KINDS:
        yield filled(getattr(nn, cell)(3, 4, **keywords)), filled(getattr(nn, layer)(3, 4, **keywords))


def test_a_cell_answers_as_its_layer_does_after_one_step():
    for cell, layer in pairs():
        x = sample(2, 3)
        wanted = layer(x.reshape(1, 2, 3))[1]
        same(cell(x), wanted)
        states = [sample(2, 4), sample(2, 4)][: len(parts(wanted))]
        given = tuple([state.reshape(1, 2, 4) for state in states])
        found = cell(x, tuple(states) if cell.has_cell else states[0])
        same(found, layer(x.reshape(1, 2, 3), given if cell.has_cell else given[0])[1])
        assert [part.shape for part in parts(found)] == [(2, 4)] * len(states)
        assert list(states[0].data) == list(sample(2, 4).data)  # what is given stays as it is


def test_a_cell_takes_one_sample():
    for cell, _ in pairs():
        alone, batch = cell(sample(3)), cell(sample(1, 3))
        same(alone, batch)
        assert parts(alone)[0].shape == (4,)


def test_a_cell_takes_steps_as_its_layer_does():
    for cell, layer in pairs():
        one, other = cell.initial_state(), layer.initial_state()
        for _ in range(2):
            same(cell.step(sample(3), one), layer.step(sample(3), other))


def test_a_pass_of_several_cells_can_be_planned():
    class Net(nn.Module):
        def __init__(self):
            self.first, self.second = filled(nn.LSTMCell(3, 4)), filled(nn.GRUCell(4, 4))

        def forward(self, x):
            hidden, cell = self.first(x)
            hidden, cell = self.first(x, (hidden, cell))
            return self.second(hidden, self.second(cell))

    net = Net()
    same(net.plan((2, 3))(sample(2, 3)), net(sample(2, 3)))


def test_parameters_go_by_pytorchs_names():
    for cell, layer in pairs():
        net = nn.Module()
        net.cell = cell
        stacked = net.collect(None, BurnToPyTorchAdapter())
        biases = ["cell.bias_hh", "cell.bias_ih"] if len(stacked) == 4 else []
        assert sorted([each.name for each in stacked]) == biases + ["cell.weight_hh", "cell.weight_ih"]
        again = nn.Module()
        again.cell = getattr(nn, type(cell).__name__)(3, 4, bias=bool(biases))
        result = again.apply(stacked, None, PyTorchToBurnAdapter())
        assert (result.missing, result.unused, result.errors) == ([], [], [])
        kept = dict([(path, bytes(param.data)) for path, _, param in walk(layer)])
        assert dict([(path, bytes(param.data)) for path, _, param in walk(again.cell)]) == kept


def test_what_is_no_step_or_state_of_a_cell_is_refused():
    cell = filled(nn.GRUCell(3, 4))
    for shape in ((4,), (2, 4), (1, 2, 3), (0, 3), ()):
        assert support.raises(InvalidTensor, cell, sample(*shape)).expected == "[batch, 3]"
    for state in (sample(4), sample(1, 4), (sample(2, 4),), 3):
        assert support.raises(InvalidTensor, cell, sample(2, 3), state).expected == "h [2, 4]"
    error = support.raises(InvalidTensor, filled(nn.LSTMCell(3, 4)), sample(2, 3), sample(2, 4))
    assert error.expected == "(h, c), each [2, 4]"
    support.raises(Unsupported, cell.forward_with_state, sample(2, 3))
