"""Weights of which PyTorch keeps parts become what PyTorch makes of them; what can't be decided is said."""

import click
import numpy as np
import pytest
from safetensors.numpy import save_file

from burnpack.errors import LoadFailed
from burnpack.module import Module, Param
from burnpack.tensor import Tensor
from burnrt import nn
from burnstore import PytorchStore, PyTorchToBurnAdapter, SafetensorsStore, open_model
from burnstore.cli import commands
from burnstore.numerics.arrays import array_from_tensor, tensor_from_array
from burnstore.pytorch.reparametrized.fold import fold
from kit import support

PARTS = support.path("tests/vectors/reparametrized/parts.safetensors")
WEIGHTS = support.path("tests/vectors/reparametrized/weights.safetensors")
# PyTorch itself computes sums in these
CLOSE = {"F64": 1e-12, "F32": 1e-6, "F16": 1e-3, "BF16": 1e-2}


def convert(*arguments):
    commands.main(["convert", *map(str, arguments)], standalone_mode=False)
    return open_model(arguments[1])


def random(*shape):
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


def folded(**arrays):
    """Return the arrays that are left, by name, and the notes."""
    tensors = [tensor_from_array(name.replace("__", "."), array) for name, array in arrays.items()]
    found, notes = fold(tensors)
    return {tensor.name: array_from_tensor(tensor) for tensor in found}, notes


def test_each_weight_is_what_pytorch_computes_in_eval_mode():
    with open_model(PARTS) as parts, open_model(WEIGHTS) as weights:
        found = {tensor.name: tensor for tensor in fold(parts)[0]}
        assert len(weights) > 40
        for expected in weights:
            tensor = found.pop(expected.name)
            assert (tensor.dtype, tensor.shape) == (expected.dtype, expected.shape)
            numbers, right = (array_from_tensor(each).astype(float) for each in (tensor, expected))
            off = np.abs(numbers - right).max() / np.abs(right).max()
            assert off < CLOSE[tensor.dtype], expected.name
        assert not [name for name in found if name.endswith(("_g", "_v", "_u", "_orig", "_mask"))]
        assert not [name for name in found if "parametrizations" in name]


def test_a_real_checkpoint_of_weight_norm_has_one_weight():
    with open_model(support.data("reports/weight_norm_old.pt")) as opened:
        length, direction = opened.array("c.weight_g"), opened.array("c.weight_v")
    right = length * direction / np.sqrt((direction**2).sum(axis=(1, 2), keepdims=True))
    with PytorchStore.from_file(support.data("reports/weight_norm_old.pt")) as store:
        assert store.keys() == ["c.bias", "c.weight"]
        assert np.abs(array_from_tensor(store.get_tensor("c.weight")) - right).max() < 1e-6


def test_what_is_folded_is_said_and_read_when_it_is_asked_for():
    def unread():
        raise AssertionError("bytes were read")

    parts = [Tensor("c.weight_g", "F32", (3, 1), unread), Tensor("c.weight_v", "F32", (3, 2), unread)]
    tensors, notes = fold([Tensor("first", "F32", (1,), unread), *parts, Tensor("last", "F32", (1,), unread)])
    assert [(tensor.name, tensor.shape) for tensor in tensors] == [
        ("first", (1,)),
        ("c.weight", (3, 2)),
        ("last", (1,)),
    ]
    assert len(notes) == 1 and "weight_norm" in notes[0] and "c.weight" in notes[0]


def test_a_part_may_be_made_of_parts_itself():
    weight, mask = random(3, 3, 2), np.array([1, 0, 1], np.float32).reshape(3, 1, 1) * np.ones((3, 3, 2))
    mask = mask.astype(np.float32)
    left, right = random(3), random(6)
    found, notes = folded(
        c__weight_orig_orig=weight, c__weight_orig_mask=mask, c__weight_u=left, c__weight_v=right
    )
    pruned = weight * mask
    assert list(found) == ["c.weight"]
    sigmas = [left @ np.moveaxis(pruned, axis, 0).reshape(3, 6) @ right for axis in (0, 1)]
    assert min(np.abs(found["c.weight"] - pruned / sigma).max() for sigma in sigmas) < 1e-5
    assert [note.split()[0] for note in notes[:2]] == ["pruning", "spectral_norm"]


def test_a_mask_of_booleans_keeps_the_dtype():
    weight = random(4).astype(np.float16)
    found, _ = folded(weight_orig=weight, weight_mask=np.array([True, False, True, True]))
    assert found["weight"].dtype == np.float16 and found["weight"].tolist() == [
        weight[0],
        0,
        weight[2],
        weight[3],
    ]


# names and shapes of what stays as it is, and whether that is said
UNDECIDED = {
    "a class of the user's": ({"c.parametrizations.weight.original": (3, 3)}, True),
    "parts of a class of the user's": (
        {"c.parametrizations.weight.original": (3, 3), "c.parametrizations.weight.0.base": (3, 3)},
        True,
    ),
    "a class of the user's behind one that is known": (
        {
            "c.parametrizations.weight.original": (3, 3),
            "c.parametrizations.weight.0._u": (3,),
            "c.parametrizations.weight.0._v": (3,),
            "c.parametrizations.weight.1.scale": (1,),
        },
        True,
    ),
    "a class of the user's before one that is known": (
        {
            "c.parametrizations.weight.original": (3, 3),
            "c.parametrizations.weight.1._u": (3,),
            "c.parametrizations.weight.1._v": (3,),
        },
        True,
    ),
    "two originals that are no length and direction": (
        {"c.parametrizations.weight.original0": (3, 2), "c.parametrizations.weight.original1": (2, 3)},
        True,
    ),
    "a spectral norm without its second vector": ({"c.weight_orig": (3, 2), "c.weight_u": (3,)}, True),
    "vectors of another matrix": ({"c.weight_orig": (3, 2), "c.weight_u": (4,), "c.weight_v": (2,)}, True),
    "a length of two dimensions": ({"c.weight_g": (3, 2, 1), "c.weight_v": (3, 2, 5)}, True),
    "a mask of another shape": ({"c.weight_orig": (3, 2), "c.weight_mask": (3,)}, True),
    "vectors that are called so": ({"c.gate_g": (3,), "c.gate_v": (3,)}, False),
    "a part alone": ({"c.weight_v": (3, 2), "d.weight_g": (3, 1)}, False),
    "biases of relative positions": ({"a.pos_bias_u": (2, 3), "a.pos_bias_v": (2, 3)}, False),
    "the weight is there, too": ({"c.weight": (3, 2), "c.weight_g": (3, 1), "c.weight_v": (3, 2)}, False),
}


@pytest.mark.parametrize(("shapes", "is_said"), UNDECIDED.values(), ids=UNDECIDED)
def test_what_can_not_be_decided_stays_as_it_is(shapes, is_said):
    tensors = [tensor_from_array(name, random(*shape)) for name, shape in shapes.items()]
    found, notes = fold(tensors)
    assert [tensor.name for tensor in found] == list(shapes)
    assert [note.startswith("kept as they are") for note in notes] == [True] * is_said


def test_integers_are_no_weights():
    parts = {"c.weight_orig": np.ones((3, 2), np.int8), "c.weight_mask": np.ones((3, 2), np.int8)}
    found, _ = fold([tensor_from_array(name, array) for name, array in parts.items()])
    assert [tensor.name for tensor in found] == list(parts)


class Net(nn.Module):
    def __init__(self):
        self.c = nn.Linear(2, 3, bias=False)


class OfItsOwn(Module):
    """A module whose parameters are called as weight_norm calls its parts."""

    def __init__(self):
        self.c = Module()
        self.c.weight_g = Param((3, 1))
        self.c.weight_v = Param((3, 2))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parts = {"c.weight_g": random(3, 1), "c.weight_v": random(3, 2)}
    save_file(parts, "parts.safetensors")
    save_file({f"module.{name}": array for name, array in parts.items()}, "wrapped.safetensors")
    save_file({"c.parametrizations.weight.original": random(3, 2)}, "custom.safetensors")
    (tmp_path / "net.py").write_text(
        "from burnrt import nn\n\nclass Net(nn.Module):\n"
        "    def __init__(self):\n        self.c = nn.Linear(2, 3, bias=False)\n"
    )
    return parts["c.weight_g"] * parts["c.weight_v"] / np.linalg.norm(parts["c.weight_v"], axis=1)[:, None]


def test_convert_folds_with_and_without_a_module(folder, capsys):
    module = ("--module", "net.py:Net", "--from-layout", "pytorch")
    for options, right in (((), folder), (module, folder.T)):
        found = convert("parts.safetensors", "out.bpk", "--overwrite", *options)
        assert np.abs(found.array("c.weight") - right).max() < 1e-6
        assert "weight_norm is folded" in capsys.readouterr().err
    found = convert("wrapped.safetensors", "wrapped.bpk", "--strip-prefix", *module)
    assert np.abs(found.array("c.weight") - folder.T).max() < 1e-6


def test_folding_can_be_turned_off(folder):
    assert convert("parts.safetensors", "out.bpk", "--no-fold").names() == ["c.weight_g", "c.weight_v"]
    store = SafetensorsStore.from_file("parts.safetensors").fold_weights(False)
    support.raises(LoadFailed, Net().load_from, store)


def test_a_module_from_safetensors_gets_the_weight(folder):
    net = Net()
    with SafetensorsStore.from_file("parts.safetensors") as store:
        result = net.load_from(store.with_from_adapter(PyTorchToBurnAdapter()))
        assert "note: weight_norm is folded" in str(result)
        assert store.keys() == ["c.weight_g", "c.weight_v"]
        found = np.frombuffer(net.c.weight.data, np.float32).reshape(2, 3)
        assert np.abs(found - folder.T).max() < 1e-6


def test_a_module_with_parameters_of_these_names_gets_them_as_they_are(folder):
    for source, prefixes in (("parts.safetensors", ()), ("wrapped.safetensors", ("module.",))):
        module = OfItsOwn()
        with SafetensorsStore.from_file(source) as store:
            result = module.load_from(store.strip_prefixes(*prefixes) if prefixes else store)
            assert sorted(result.applied) == ["c.weight_g", "c.weight_v"] and result.notes == []


def test_a_module_that_misses_an_undecided_weight_is_told_why(folder):
    error = support.raises(LoadFailed, convert, "custom.safetensors", "x.bpk", "--module", "net.py:Net")
    assert "the file does not say what PyTorch computes" in str(error)
    with SafetensorsStore.from_file("custom.safetensors") as store:
        error = support.raises(LoadFailed, Net().load_from, store)
    assert "the file does not say what PyTorch computes" in str(error)


def test_a_burnpack_is_copied_as_it_is(folder):
    convert("parts.safetensors", "parts.bpk", "--no-fold")
    assert convert("parts.bpk", "copy.bpk").names() == ["c.weight_g", "c.weight_v"]


def test_filters_see_the_folded_names(folder):
    assert convert("parts.safetensors", "out.bpk", "--exact", "c.weight").names() == ["c.weight"]
    support.raises(click.UsageError, convert, "parts.safetensors", "x.bpk", "--fold=no")
