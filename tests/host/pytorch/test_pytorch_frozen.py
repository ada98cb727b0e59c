"""Frozen TorchScript: the constants of its code are tensors, named by the calls that take them."""

import numpy as np
import pytest

from burnstore import open_model
from burnstore.pytorch.constants import calls
from burnstore.pytorch.reader import PytorchReader
from kit import support
from kit.pytorch import pickles as p

HEAD = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  def forward(self: __torch__.M,
    x: Tensor) -> Tensor:
"""


def archive(code, count=12, root=b"}", constants=None, **records):
    """A module of a class M, with this code, and constants of one element, each with its number."""
    made = [p.tensor(str(n), 1) for n in range(count)] if constants is None else constants
    return p.archive(
        {
            "data.pkl": p.pickled(p.name("__torch__", "M") + b")\x81" + root + b"b"),
            "constants.pkl": p.pickled(p.a_tuple(*made)),
            "code/__torch__.py": (HEAD + code).encode(),
            **{f"constants/{n}": np.float32(n).tobytes() for n in range(count)},
            **records,
        }
    )


def named(code, **keywords):
    reader = PytorchReader.from_buffer(archive(code, **keywords))
    return {tensor.name: int(np.frombuffer(tensor.data(), "f4")[0]) for tensor in reader}


def test_the_weights_of_a_frozen_module_are_read():
    with open_model(support.data("reports/torchscript_frozen.pt")) as opened:
        assert {tensor.name: tensor.shape for tensor in opened} == {
            "linear.0.weight": (2, 3),
            "linear.0.bias": (2,),
        }
        assert np.isfinite(opened.array("linear.0.weight")).all()


NAMES = {
    "convolutions are numbered": (
        "    y = torch.conv2d(x, CONSTANTS.c0, CONSTANTS.c1, [1, 1])\n"
        "    return torch.conv2d(y, CONSTANTS.c2, None)\n",
        3,
        {"conv2d.0.weight": 0, "conv2d.0.bias": 1, "conv2d.1.weight": 2},
    ),
    "calls in calls": (
        "    return torch.linear(torch.relu(torch.linear(x, CONSTANTS.c0, CONSTANTS.c1)), CONSTANTS.c2)\n",
        3,
        {"linear.0.weight": 0, "linear.0.bias": 1, "linear.1.weight": 2},
    ),
    "a constant that was assigned": (
        "    w = CONSTANTS.c0\n"
        "    return torch.batch_norm(x, w, CONSTANTS.c1, CONSTANTS.c2, CONSTANTS.c3, False)\n",
        4,
        {
            "batch_norm.0.weight": 0,
            "batch_norm.0.bias": 1,
            "batch_norm.0.running_mean": 2,
            "batch_norm.0.running_var": 3,
        },
    ),
    "a name assigned anew": (
        "    w = CONSTANTS.c0\n    w = torch.neg(w)\n    return torch.linear(x, w, CONSTANTS.c1)\n",
        2,
        {"linear.0.bias": 1, "constants.0": 0},
    ),
    "recurrent weights in a list": (
        "    _0 = [CONSTANTS.c0, CONSTANTS.c1, CONSTANTS.c2, CONSTANTS.c3]\n"
        "    y, h = torch.gru(x, h0, _0, True, 1, 0., False, False, False)\n",
        4,
        {f"gru.0.{name}_l0": n for n, name in enumerate(("weight_ih", "weight_hh", "bias_ih", "bias_hh"))},
    ),
    "both directions without biases": (
        "    y = torch.rnn_tanh(x, h, [CONSTANTS.c0, CONSTANTS.c1, CONSTANTS.c2, CONSTANTS.c3], "
        "False, 1, 0., False, True, True)\n",
        4,
        {
            "rnn_tanh.0.weight_ih_l0": 0,
            "rnn_tanh.0.weight_hh_l0": 1,
            "rnn_tanh.0.weight_ih_l0_reverse": 2,
            "rnn_tanh.0.weight_hh_l0_reverse": 3,
        },
    ),
    "one constant of two layers": (
        "    y = torch.layer_norm(x, [4], CONSTANTS.c0, CONSTANTS.c1)\n"
        "    z = torch.layer_norm(y, [4], CONSTANTS.c0, CONSTANTS.c2)\n",
        3,
        {"layer_norm.0.weight": 0, "layer_norm.0.bias": 1, "layer_norm.1.weight": 0, "layer_norm.1.bias": 2},
    ),
    "the same call in two branches": (
        "    if b:\n"
        "      y = torch.linear(x, CONSTANTS.c0)\n    else:\n      y = torch.linear(x, CONSTANTS.c0)\n",
        1,
        {"linear.0.weight": 0},
    ),
    "texts that look like calls": (
        '    a = "torch.linear(x, CONSTANTS.c0)"\n    b = torch.add(x, CONSTANTS.c0)\n',
        1,
        {"constants.0": 0},
    ),
    "numbers beyond the constants": ("    y = torch.linear(x, CONSTANTS.c7)\n", 1, {"constants.0": 0}),
    "no code that names them": ("    return x\n", 2, {"constants.0": 0, "constants.1": 1}),
}


@pytest.mark.parametrize(("code", "count", "expected"), NAMES.values(), ids=NAMES)
def test_a_constant_has_the_name_of_what_takes_it(code, count, expected):
    assert named(code, count=count) == expected


def test_attributes_that_were_kept_stand_beside_the_constants():
    code = "    return torch.linear(x, CONSTANTS.c1)\n"
    root = p.a_dict({"linear": p.tensor("0", 1)})
    data = archive(code, 2, root, **{"data/0": np.float32(9).tobytes()})
    reader = PytorchReader.from_buffer(data)
    assert reader.names() == ["linear.0.weight", "constants.0"]
    assert reader.left_out() == [("linear", "no parameter and no buffer of its module")]


def test_of_a_module_that_is_not_frozen_the_constants_are_left_out():
    reader = PytorchReader.from_buffer(archive("    return x\n", 1, p.a_dict({"training": False})))
    assert reader.names() == []
    assert [path for path, _ in reader.left_out()] == ["constants.0"]


def test_packed_objects_and_constants_that_pytorch_does_not_write_are_said():
    packed = p.name("__torch__.torch.classes.quantized", "LinearPackedParamsBase") + b")\x81"
    packed += p.a_tuple(p.tensor("0", 1)) + b"b"
    code = "    w_mkldnn = ops.prim.ConstantMKLDNNTensor()\n"
    reader = PytorchReader.from_buffer(archive(code, 1, constants=[packed]))
    assert reader.names() == []
    rows = dict(reader.left_out())
    assert "LinearPackedParamsBase" in rows["constants.0"] and "MKLDNN" in rows["w_mkldnn"]


@pytest.mark.parametrize(
    "text", ("((((", "))))]]]", "torch.linear(" * 5000, "x = " * 5000, "[" * 100_000, '"' * 99, "")
)
def test_code_that_makes_no_sense_has_no_calls(text):
    assert list(calls(text)) == []
