"""Burn's own crates read a quantized model as we do."""

import pytest

from burnrt import nn
from burnstore.quantize import quantize_model
from kit.int8.quantizing import Chain, kernels_of, loaded, opened, quantized_chain, samples
from kit.interop import interop_judge as judge

LAYERS = {
    "conv": nn.Conv2d(2, 300, 3),
    "depthwise": nn.Conv2d(300, 300, 3, padding=1, groups=300),
    "pool": nn.AdaptiveAvgPool2d((1, 3)),
    "flatten": nn.Flatten(),
    "fc": nn.Linear(900, 257),
    "gelu": nn.Gelu(),
    "last": nn.Linear(257, 10),
    "softmax": nn.LogSoftmax(1),
}


@pytest.mark.parametrize("per", ["channel", "tensor"])
def test_burns_own_crates_read_a_quantized_model(tmp_path, per):
    quantized, _ = quantized_chain((2, 6, 7), per=per, **LAYERS)
    (tmp_path / "model.bpk").write_bytes(quantized.to_bytes())
    assert judge.read(tmp_path) == [judge.ours(opened(quantized))]


@pytest.mark.parametrize("per", ["channel", "tensor"])
def test_burns_own_crates_read_weights_of_4_bits(tmp_path, per):
    layers = {
        "conv": nn.Conv2d(2, 300, 3),
        "pointwise": nn.Conv2d(300, 31, 1),
        "flatten": nn.Flatten(2),
        "lines": nn.Conv1d(31, 9, 1),
        "fc": nn.Linear(20, 257),
        "last": nn.Linear(257, 10),
    }
    model = loaded(Chain(**layers), 0)
    quantized = quantize_model(model, samples((2, 6, 7)), per=per, bits=4)
    assert kernels_of(quantized) == ["conv2d", *["linear4"] * 4]
    (tmp_path / "model.bpk").write_bytes(quantized.to_bytes())
    assert judge.read(tmp_path) == [judge.ours(opened(quantized))]
