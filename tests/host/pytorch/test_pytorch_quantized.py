"""Tensors that PyTorch holds in integers are read as the numbers that they stand for."""

from pathlib import Path

import numpy as np
import pytest

from burnpack.errors import Malformed, Unsupported
from burnstore.io.opened import open_model
from burnstore.numerics.arrays import array_from_tensor
from burnstore.pytorch.reader import PytorchReader
from kit import support
from kit.pytorch import pickles as p

VECTORS = Path(support.path("tests/vectors/pt2e"))
EAGER = ("eager_channel", "eager_tensor")


def quantized(quantizer, count=4, kind="QInt8Storage"):
    """Return a checkpoint with one quantized tensor of bytes 0, 1, 2 ..."""
    view = (p.storage("0", count, kind), 0, p.a_tuple(2, 2), p.a_tuple(2, 1))
    made = p.call(p.name("torch._utils", "_rebuild_qtensor"), *view, quantizer, False, p.ordered_dict())
    storages = {"0": bytes(range(4)), "1": np.array([0.5, 2.0]).tobytes(), "2": np.array([1, 0]).tobytes()}
    return PytorchReader.from_buffer(p.checkpoint(p.a_dict({"w": made}), storages))


def of_tensor(scale, zero):
    return p.a_tuple(p.name("torch", "per_tensor_affine"), scale, zero)


def of_channels(axis, count=2):
    steps = (
        p.tensor("1", 2, (count,), (1,), kind="DoubleStorage"),
        p.tensor("2", 2, (2,), (1,), kind="LongStorage"),
    )
    return p.a_tuple(p.name("torch", "per_channel_affine"), *steps, axis)


@pytest.mark.parametrize("name", EAGER)
def test_weights_are_pytorchs_dequantized_ones_under_the_modules_names(name):
    with open_model(VECTORS / f"{name}.pt") as opened, open_model(VECTORS / "answers.safetensors") as judge:
        assert {"conv.weight", "conv.bias", "fc.weight", "fc.bias"} <= set(opened.names())
        for layer in ("conv", "fc"):
            found = array_from_tensor(opened.reader.tensor(f"{layer}.weight"))
            wanted = array_from_tensor(judge.reader.tensor(f"{name}.{layer}.weight"))
            assert np.array_equal(found, wanted)


@pytest.mark.parametrize("name", EAGER)
def test_it_is_told_that_a_tensor_was_quantized(name):
    with open_model(VECTORS / f"{name}.pt") as opened:
        told = dict(opened.reader.others())
        assert told["conv.weight"].startswith("quantized by PyTorch: I8")
        assert told["fc.weight"].startswith("quantized by PyTorch: I8")
        assert opened.reader.span("conv.weight") is None


READ = {
    "one scale": (of_tensor(0.5, 1), [[-0.5, 0.0], [0.5, 1.0]]),
    "rows": (of_channels(0), [[-0.5, 0.0], [4.0, 6.0]]),
    "columns": (of_channels(1), [[-0.5, 2.0], [0.5, 6.0]]),
}


@pytest.mark.parametrize(("quantizer", "wanted"), READ.values(), ids=READ)
def test_numbers_are_scale_times_integer_without_zero_point(quantizer, wanted):
    found = array_from_tensor(quantized(quantizer).tensor("w"))
    assert found.dtype == np.float32
    assert found.tolist() == wanted


REFUSED = {
    "no scheme": None,
    "another number of scales": of_channels(0, 1),
    "an axis that is none": of_channels(2),
    "a scale that is a text": of_tensor("1", 0),
    "scales that are numbers": p.a_tuple(p.name("torch", "per_channel_affine"), 1.0, 0, 0),
}


@pytest.mark.parametrize("quantizer", REFUSED.values(), ids=REFUSED)
def test_scales_that_do_not_fit_are_refused(quantizer):
    support.raises(Malformed, quantized, quantizer)


def test_a_tensor_of_another_scheme_or_of_four_bits_is_not_read():
    other = quantized(p.a_tuple(p.name("torch", "per_row_affine"), 1.0, 0))
    assert "torch.per_row_affine" in str(support.raises(Unsupported, lambda: other.tensor("w").dtype))
    small = quantized(of_tensor(1.0, 0), kind="QUInt4x2Storage")
    assert "QUInt4x2" in str(support.raises(Unsupported, lambda: small.tensor("w").dtype))
