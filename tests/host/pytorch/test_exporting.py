"""A module of PyTorch's, exported by PyTorch and converted: with its answers as self-test."""

import numpy as np
import pytest

import burnstore
from burnpack.errors import LoadFailed, SaveFailed, Unsupported
from burnstore.models.selftest import golden_of
from burnstore.pipeline import conversion
from kit import support

try:
    import torch
except ImportError:
    torch = None

needs_torch = pytest.mark.skipif(torch is None, reason="torch is not installed")
DATA = support.data("pt2/two_heads.pt2")


def network():
    made = torch.nn.Sequential(torch.nn.Linear(6, 4), torch.nn.Dropout(0.5), torch.nn.Tanh())
    made[0].eval()
    return made


@needs_torch
def test_the_self_test_is_pytorchs_answer_and_modes_stay(tmp_path):
    made, x = network(), torch.randn(1, 6)
    burnstore.convert(made, tmp_path / "net.bpk", example=(x,))
    assert [part.training for part in made.modules()] == [True, False, True, True]
    with burnstore.open(tmp_path / "net.bpk") as opened:
        given, wanted = golden_of(opened.reader)
    assert (given[0][0] == x.numpy()).all()
    assert (wanted[0][0] == made.eval()(x).detach().numpy()).all()


@needs_torch
def test_what_pytorch_can_not_export_is_told(tmp_path):
    with pytest.raises(LoadFailed, match="PyTorch can't export it"):
        burnstore.convert(network(), tmp_path / "net.bpk", example=(torch.randn(1, 5),))
    assert not list(tmp_path.iterdir())


@needs_torch
def test_a_module_needs_an_example(tmp_path):
    with pytest.raises(Unsupported, match="example"):
        burnstore.convert(network(), tmp_path / "net.bpk")


@needs_torch
def test_a_whole_module_in_a_file_is_loaded_by_torch_where_that_is_allowed(tmp_path):
    x = torch.randn(1, 6)
    torch.save(network(), tmp_path / "whole.pt")
    with pytest.raises(Unsupported, match="weights_only=False"):
        burnstore.convert(tmp_path / "whole.pt", tmp_path / "net.bpk", example=(x,))
    burnstore.convert(tmp_path / "whole.pt", tmp_path / "net.bpk", example=(x,), weights_only=False)
    torch.save({"w": x}, tmp_path / "weights.pt")
    with pytest.raises(LoadFailed, match="no module of PyTorch's"):
        burnstore.convert(tmp_path / "weights.pt", tmp_path / "n.bpk", example=(x,), weights_only=False)


def test_an_example_is_of_no_file(tmp_path):
    with pytest.raises(Unsupported, match="an example is for a torch"):
        burnstore.convert(DATA, tmp_path / "net.bpk", example=(1,))


def test_a_program_that_answers_otherwise_than_pytorch_is_not_written(tmp_path):
    answers = [np.zeros((1, 4), np.float32), np.zeros(1, np.float32)]
    with burnstore.open(DATA) as opened, pytest.raises(SaveFailed, match="does not answer as PyTorch does"):
        conversion.plan(opened, tmp_path / "net.bpk", None, None, answers)
    assert not list(tmp_path.iterdir())
