"""What a script gives to be saved: each value becomes the bytes of its numbers, or is refused by name."""

import numpy as np
import pytest

import burnstore
from burnpack.errors import Unsupported
from burnstore.numerics.values import tensor_from_value
from kit import support

try:
    import torch
except ImportError:
    torch = None

needs_torch = pytest.mark.skipif(torch is None, reason="torch is not installed")


class Broken:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("there is none")


NO_ARRAYS = {
    "masked": np.ma.array([1, 2, 3], mask=[0, 1, 0]),
    "ragged": [[1], [2, 3]],
    "broken": Broken(),
    "object": np.array([1, None], object),
    "structured": np.zeros(2, [("a", "f4")]),
    "text": "text",
    "huge": 2**70,
}


@pytest.mark.parametrize("name", NO_ARRAYS)
def test_what_no_file_holds_is_refused_by_name(name):
    assert name in str(support.raises(Unsupported, lambda: tensor_from_value(name, NO_ARRAYS[name])))


def test_a_masked_array_with_nothing_masked_is_an_array():
    assert bytes(tensor_from_value("w", np.ma.array([1, 2], dtype="u1")).data()) == b"\1\2"


@pytest.mark.parametrize("tensors", [[("w", 1)], Broken(), None, "w"], ids=type)
def test_tensors_come_as_a_dict(tmp_path, tensors):
    error = support.raises(Unsupported, lambda: burnstore.save_file(tensors, tmp_path / "a.bpk"))
    assert "state_dict" in str(error) and not list(tmp_path.iterdir())


@pytest.mark.parametrize("step", [-1, 1, 2, 5])
@pytest.mark.parametrize("order", "<>")
def test_an_array_is_saved_by_its_numbers_whatever_its_strides(order, step):
    array = np.arange(60, dtype=order + "i2").reshape(3, 4, 5).T[::step, ::step, ::step]
    assert bytes(tensor_from_value("w", array).data()) == array.astype("<i2").tobytes()


@needs_torch
def test_torchs_views_are_saved_by_their_numbers():
    complex_one = torch.tensor([1 + 2j])
    for value in (
        complex_one.conj(),
        complex_one.conj().imag,
        torch.arange(6.0).reshape(2, 3).T,
        torch.arange(4.0)[::3][:1],
    ):
        saved = tensor_from_value("w", value).data()
        assert bytes(saved) == value.resolve_conj().resolve_neg().numpy().tobytes()


@needs_torch
def test_a_torch_class_of_the_users_own_is_a_torch_tensor():
    class Own(torch.Tensor):
        pass

    value = torch.ones(2, dtype=torch.bfloat16).as_subclass(Own).requires_grad_()
    assert tensor_from_value("w", value).dtype == "BF16"


@needs_torch
def test_torchs_tensors_that_no_file_holds_are_refused_by_name():
    found = {
        "unmade": torch.nn.UninitializedParameter(),
        "dtype": torch.float32,
        "learns": [torch.nn.Parameter(torch.ones(())), torch.ones(())],
    }
    for name, value in found.items():
        error = support.raises(Unsupported, lambda name=name, value=value: tensor_from_value(name, value))
        assert name in str(error)
