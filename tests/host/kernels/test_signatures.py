"""The same position means the same argument: layers take what PyTorch's take, in its order."""

import inspect

import pytest

from burnrt import nn
from burnstore.boards.runtime.layers import named_in

# What torch 2.15's layers are made with, as `inspect.signature` has it; LSTM, GRU and RNN as their base does.
_TABLE = """
Linear: in_features, out_features, bias=True, device=None, dtype=None
Conv1d: in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
    padding_mode='zeros', device=None, dtype=None
Conv2d: in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
    padding_mode='zeros', device=None, dtype=None
Conv3d: in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
    padding_mode='zeros', device=None, dtype=None
ConvTranspose1d: in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0,
    groups=1, bias=True, dilation=1, padding_mode='zeros', device=None, dtype=None
ConvTranspose2d: in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0,
    groups=1, bias=True, dilation=1, padding_mode='zeros', device=None, dtype=None
ConvTranspose3d: in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0,
    groups=1, bias=True, dilation=1, padding_mode='zeros', device=None, dtype=None
Embedding: num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0,
    scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, device=None, dtype=None
BatchNorm1d: num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None,
    dtype=None, *, bias=True
BatchNorm2d: num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None,
    dtype=None, *, bias=True
BatchNorm3d: num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None,
    dtype=None, *, bias=True
LayerNorm: normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, dtype=None
GroupNorm: num_groups, num_channels, eps=1e-05, affine=True, device=None, dtype=None, *, bias=True
InstanceNorm1d: num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False,
    device=None, dtype=None, *, bias=True
InstanceNorm2d: num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False,
    device=None, dtype=None, *, bias=True
InstanceNorm3d: num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False,
    device=None, dtype=None, *, bias=True
RMSNorm: normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None
MaxPool1d: kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False
MaxPool2d: kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False
AvgPool1d: kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True
AvgPool2d: kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
    divisor_override=None
AdaptiveAvgPool1d: output_size
AdaptiveAvgPool2d: output_size
AdaptiveMaxPool1d: output_size, return_indices=False
AdaptiveMaxPool2d: output_size, return_indices=False
ReLU: inplace=False
ReLU6: inplace=False
LeakyReLU: negative_slope=0.01, inplace=False
PReLU: num_parameters=1, init=0.25, device=None, dtype=None
Hardtanh: min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None
Hardsigmoid: inplace=False
Hardswish: inplace=False
GELU: approximate='none'
SiLU: inplace=False
Sigmoid:
Tanh:
Softmax: dim=None
LogSoftmax: dim=None
Flatten: start_dim=1, end_dim=-1
Unflatten: dim, unflattened_size
Dropout: p=0.5, inplace=False
Dropout1d: p=0.5, inplace=False
Dropout2d: p=0.5, inplace=False
Dropout3d: p=0.5, inplace=False
AlphaDropout: p=0.5, inplace=False
ELU: alpha=1.0, inplace=False
CELU: alpha=1.0, inplace=False
Softplus: beta=1.0, threshold=20.0
Mish: inplace=False
Softsign:
GLU: dim=-1
Hardshrink: lambd=0.5
LogSigmoid:
RReLU: lower=0.125, upper=0.3333333333333333, inplace=False
SELU: inplace=False
Softmax2d:
Softmin: dim=None
Softshrink: lambd=0.5
Tanhshrink:
Threshold: threshold, value, inplace=False
ConstantPad1d: padding, value
ConstantPad2d: padding, value
ZeroPad1d: padding
ZeroPad2d: padding
ReflectionPad1d: padding
ReflectionPad2d: padding
ReplicationPad1d: padding
ReplicationPad2d: padding
CircularPad1d: padding
CircularPad2d: padding
PixelShuffle: upscale_factor
PixelUnshuffle: downscale_factor
ChannelShuffle: groups
Unfold: kernel_size, dilation=1, padding=0, stride=1
Upsample: size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None
MultiheadAttention: embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False,
    add_zero_attn=False, kdim=None, vdim=None, batch_first=False, device=None, dtype=None
Parameter: data=None, requires_grad=True
ModuleList: modules=None
ModuleDict: modules=None
LSTM: input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
    bidirectional=False, proj_size=0, device=None, dtype=None
GRU: input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
    bidirectional=False, proj_size=0, device=None, dtype=None
RNN: input_size, hidden_size, num_layers=1, nonlinearity='tanh', bias=True, batch_first=False,
    dropout=0.0, bidirectional=False, proj_size=0, device=None, dtype=None
LSTMCell: input_size, hidden_size, bias=True, device=None, dtype=None
GRUCell: input_size, hidden_size, bias=True, device=None, dtype=None
RNNCell: input_size, hidden_size, bias=True, nonlinearity='tanh', device=None, dtype=None
"""

_ROWS = _TABLE.strip().replace("\n    ", " ").split("\n")
TORCH = {name: arguments.strip() for name, _, arguments in (row.partition(":") for row in _ROWS)}

# Arguments that Burn's layers have besides: by name only, behind a "*".
OURS = {"LSTM": 2, "GRU": 2, "MultiheadAttention": 3}


def taken(cls):
    """Return what a class is made with, written as in the table."""
    found = []
    for argument in list(inspect.signature(cls.__init__).parameters.values())[1:]:
        if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
            continue
        if argument.kind == argument.KEYWORD_ONLY and "*" not in found:
            found.append("*")
        named = argument.default is not argument.empty
        found.append("%s=%r" % (argument.name, argument.default) if named else argument.name)
    return found


@pytest.mark.parametrize("name", TORCH)
def test_a_layer_takes_pytorchs_arguments_in_pytorchs_order(name):
    found = taken(getattr(nn, name))
    assert ", ".join(found[: len(found) - OURS.get(name, 0)]) == TORCH[name]


def test_every_layer_that_both_have_is_in_the_table():
    tables = (nn.HOMES + nn.ALIASES).split("\n")
    names = {name for row in tables for name in row.split()[1:]}
    # Names that PyTorch does not have, and those whose arguments are any.
    others = """Add BatchNorm BiGru BiLstm BiRnn DeformConv2d Enum GateController Gelu Gru GruCell HardSigmoid
        HardSwish Identity Index InstanceNorm Layer LeakyRelu Lstm LstmCell Module MultiHeadAttention
        PRelu Param Relu Relu6 RmsNorm Rnn RnnCell Sequential"""
    assert names - set(others.split()) == set(TORCH)


@pytest.mark.parametrize("arguments", ["2, divisor_override=3", "2, 2, 0, False, True, 3"])
def test_what_computes_a_rare_argument_is_brought_to_boards(arguments, tmp_path):
    model = tmp_path / "model.py"
    for text, brought in ((arguments, True), ("2, 2, 0", False)):
        model.write_text(f"from burnrt import nn\n\npool = nn.AvgPool2d({text})\n", encoding="utf-8")
        assert ("burnrt.nn.divided" in named_in(model)) == brought


# A line of a forward pass, and the modules that it brings.
LINES = {
    "y = self.fc(x)": set(),
    "y = x[:, -1]": {"nn.index"},
    "y = x * 2": {"functional.arithmetic"},
    "y = 2 - x": {"functional.arithmetic"},
    "x += 1": {"functional.arithmetic", "nn.add"},
    "y = x / self.scale": {"functional.dividing"},
    "y = x @ x": {"functional.matrices"},
    "y = x % 3": {"functional.rounding"},
    "y = 'a %s' % x": set(),
    "y = 3 * 2": set(),
    "y = -x": {"functional.arithmetic"},
    "y = ~(x > 0)": {"functional.comparing"},
    "y = abs(x)": {"functional.each"},
    "y = x.mean(1)": {"functional.reducing", "views"},
    "y = F.mean(x, 1)": {"functional.reducing"},
    "y = functional.relu(x)": {"functional.activations"},
    "y = F.div(x, 2, rounding_mode='floor')": {"functional.dividing", "functional.rounding"},
    "y = x.unsqueeze(1)": {"views"},
    "y = x.T.unfold(1, 2, 1)": {"functional.ordering", "functional.shuffling", "views"},
}


@pytest.mark.parametrize("line", LINES)
def test_what_computes_functions_and_operators_is_brought_to_boards(line, tmp_path):
    model = tmp_path / "model.py"
    imports = "import burnrt.functional as F\nfrom burnrt import functional\n"
    model.write_text(f"{imports}\n\ndef forward(self, x):\n    {line}\n", encoding="utf-8")
    assert set(named_in(model)) == {f"burnrt.{module}" for module in LINES[line]}
