"""Burn's own crates read a quantized model as we do."""

import pytest

from burnrt import nn
from kit.int8.quantizing import opened, quantized_chain
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
