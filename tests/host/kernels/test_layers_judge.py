"""PyTorch itself judges the layers: a checkpoint of its modules, converted, answers as they do."""

from contextlib import contextmanager

import numpy as np
import pytest

from burnrt import kernels, nn, tensor
from burnstore import BurnpackStore
from burnstore.cli import commands

try:
    import torch
except ImportError:
    torch = None

pytestmark = pytest.mark.skipif(torch is None, reason="torch is not installed")

CLOSE = {"rtol": 1e-5, "atol": 1e-5}

# What both read alike, nn being torch's or ours, and the input's shape.
ALIKE = {
    "nn.LayerNorm((3, 8))": (4, 3, 8),
    "nn.RMSNorm(8, eps=1e-4)": (4, 3, 8),
    "nn.GroupNorm(3, 12)": (2, 12, 5, 4),
    "nn.InstanceNorm2d(4, affine=True)": (2, 4, 5, 3),
    "nn.PReLU(4)": (2, 4, 3),
    "nn.ConvTranspose1d(6, 4, 5, 3, 2, 1, 2, dilation=2)": (2, 6, 9),
    "nn.ConvTranspose2d(5, 7, (3, 4), 2, (1, 2), (1, 0))": (2, 5, 4, 6),
    "nn.LSTM(5, 7, batch_first=True)": (3, 11, 5),
    "nn.GRU(5, 7)": (11, 5),
    "nn.RNN(5, 7, nonlinearity='relu')": (6, 2, 5),
    "nn.LSTM(4, 3, 3, bidirectional=True)": (6, 2, 4),
    "nn.GRU(4, 3, num_layers=2, batch_first=True, bias=False)": (2, 6, 4),
    "nn.RNN(4, 3, bidirectional=True)": (6, 4),
    "nn.LSTMCell(5, 7)": (3, 5),
    "nn.GRUCell(5, 7, bias=False)": (3, 5),
    "nn.RNNCell(5, 7, nonlinearity='relu')": (5,),
    "nn.MultiheadAttention(12, 3, batch_first=True)": (2, 7, 12),
}
# torch's, ours, the input's shape
CASES = [(text, text, shape) for text, shape in ALIKE.items()] + [
    ("nn.GRU(5, 6, 2)", "nn.ModuleList([nn.GRU(5, 6), nn.GRU(6, 6)])", (9, 2, 5)),
    ("nn.GRU(4, 3, bidirectional=True)", "nn.BiGru(4, 3)", (6, 2, 4)),
    (
        "nn.LSTM(5, 6, num_layers=3, bidirectional=True)",
        "nn.ModuleList([nn.BiLstm(5, 6), nn.BiLstm(12, 6), nn.BiLstm(12, 6)])",
        (9, 2, 5),
    ),
]


class Judged(torch.nn.Module if torch else object):
    """What a case has, as a part of a module, so that its parameters have a path."""

    def __init__(self, made):
        super().__init__()
        self.part = made

    def forward(self, x):
        if isinstance(self.part, torch.nn.MultiheadAttention):
            return self.part(x, x, x)[0]
        answer = self.part(x)
        return answer[0] if isinstance(answer, tuple) else answer


class Net(nn.Module):
    def __init__(self, made):
        self.part = made

    def forward(self, x):
        for layer in self.part if isinstance(self.part, nn.ModuleList) else [self.part]:
            answer = layer(x)
            x = answer[0] if isinstance(answer, tuple) else answer
        return x


@contextmanager
def converted(module, ours, folder):
    """Give our model, loaded with what `burnstore convert` makes of the checkpoint of a module of torch's."""
    source, target, model = folder / "net.pt", folder / "net.bpk", folder / "net.py"
    torch.save(module.state_dict(), source)
    model.write_text(
        "from burnrt import nn\n\nclass Net(nn.Module):\n    def __init__(self):\n        self.part = %s\n"
        % ours
    )
    arguments = ["convert", str(source), str(target), "--module", "%s:Net" % model]
    commands(arguments, standalone_mode=False)
    net = Net(eval(ours, {"nn": nn}))
    with BurnpackStore.from_file(target) as store:
        result = net.load_from(store)
        assert (result.missing, result.unused, result.errors) == ([], [], [])
        yield net


def check(layer, given, wanted):
    """Compare what a layer or model of ours answers, with either set of kernels."""
    for chosen in ("numpy", "plain"):
        kernels.use(chosen)
        try:
            np.testing.assert_allclose(np.asarray(layer(tensor(given.numpy()))), wanted, **CLOSE)
        finally:
            kernels.use()


@pytest.mark.parametrize(("theirs", "ours", "shape"), CASES)
def test_a_converted_checkpoint_answers_as_torch_does(theirs, ours, shape, tmp_path):
    torch.manual_seed(len(theirs))
    module = Judged(eval(theirs, {"nn": torch.nn}))
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, 0.0, 0.6)
    given = torch.randn(shape)
    with torch.no_grad():
        wanted = module.double()(given.double()).numpy()
    with converted(module.float(), ours, tmp_path) as net:
        check(net, given, wanted)


ACTIVATIONS = (
    ("ReLU6", (), "Relu6"),
    ("Hardtanh", (-0.5, 1.5), "Hardtanh"),
    ("LeakyReLU", (0.2,), "LeakyRelu"),
    ("Hardsigmoid", (), "Hardsigmoid"),
    ("Hardswish", (), "HardSwish"),
    ("SiLU", (), "SiLU"),
    ("LogSigmoid", (), "LogSigmoid"),
    ("SELU", (), "SELU"),
    ("Hardshrink", (0.75,), "Hardshrink"),
    ("Softshrink", (0.75,), "Softshrink"),
    ("Tanhshrink", (), "Tanhshrink"),
    ("Threshold", (0.25, -3.0), "Threshold"),
)


@pytest.mark.parametrize(("theirs", "arguments", "ours"), ACTIVATIONS)
def test_activations_go_by_torchs_numbers_at_their_corners(theirs, arguments, ours):
    given = torch.cat([torch.arange(-8.0, 8.0, 0.25), torch.tensor([-0.0, 1e30, -1e30, 1e-30])])
    wanted = getattr(torch.nn, theirs)(*arguments)(given.double()).numpy()
    check(getattr(nn, ours)(*arguments), given, wanted)
    assert getattr(nn, theirs) is getattr(nn, ours)


def test_a_state_means_what_torchs_means(tmp_path):
    torch.manual_seed(3)
    text = "nn.LSTM(5, 7, batch_first=True)"
    module = Judged(eval(text, {"nn": torch.nn}))
    given, hidden, cell = torch.randn(2, 4, 5), torch.randn(1, 2, 7), torch.randn(1, 2, 7)
    with torch.no_grad():
        wanted, last = module.part(given, (hidden, cell))
    with converted(module, text, tmp_path) as net:
        state = net.part.initial_state(2)
        for value, first in ((state.hidden, hidden), (state.cell, cell)):
            value.data[:] = first.numpy().reshape(-1)
        output, state = net.part.forward_with_state(tensor(given.numpy()), state)
        np.testing.assert_allclose(np.asarray(output), wanted.numpy(), **CLOSE)
        np.testing.assert_allclose(np.asarray(state.hidden), last[0][0].numpy(), **CLOSE)
        np.testing.assert_allclose(np.asarray(state.cell), last[1][0].numpy(), **CLOSE)


@pytest.mark.parametrize("batch_first", (False, True))
@pytest.mark.parametrize("kind", ("LSTM", "GRU", "RNN"))
def test_states_are_taken_and_given_as_torch_does(kind, batch_first, tmp_path):
    torch.manual_seed(3)
    text = f"nn.{kind}(5, 7, 2, batch_first={batch_first}, bidirectional=True)"
    module = Judged(eval(text, {"nn": torch.nn}))
    given, parts = torch.randn(2, 4, 5), torch.randn(2, 4, 2 if batch_first else 4, 7)
    first = tuple(parts) if kind == "LSTM" else parts[0]
    with torch.no_grad():
        wanted, last = module.part(given, first)
    with converted(module, text, tmp_path) as net:
        ours = tuple(tensor(part.numpy()) for part in parts)
        output, state = net.part(tensor(given.numpy()), ours if kind == "LSTM" else ours[0])
        np.testing.assert_allclose(np.asarray(output), wanted.numpy(), **CLOSE)
        pairs = zip(state, last, strict=True) if kind == "LSTM" else [(state, last)]
        for found, expected in pairs:
            np.testing.assert_allclose(np.asarray(found), expected.numpy(), **CLOSE)


@pytest.mark.parametrize("average", (False, True))
def test_weights_of_attention_are_torchs(average, tmp_path):
    torch.manual_seed(3)
    module = Judged(torch.nn.MultiheadAttention(12, 3))
    given, keys = torch.randn(4, 2, 12), torch.randn(6, 2, 12)
    with torch.no_grad():
        wanted = module.part(given, keys, keys, average_attn_weights=average)
    with converted(module, "nn.MultiheadAttention(12, 3)", tmp_path) as net:
        ours = [tensor(value.numpy()) for value in (given, keys, keys)]
        for found, expected in zip(net.part(*ours, average_attn_weights=average), wanted, strict=True):
            np.testing.assert_allclose(np.asarray(found), expected.numpy(), **CLOSE)
