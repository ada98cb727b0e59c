"""Writes small networks that PyTorch quantized, with inputs and its answers. Needs torch 2.15, torchao 0.18.

    python tests/vectors/pt2e/make.py [NAME ...]

Of each kind of quantizer one: NAME.pt2, and in answers.safetensors NAME.input and NAME.output, which is what
the quantized network answers in PyTorch. Of modules of torch.ao.quantization NAME.pt, a state dict, and its
weights in floats.
"""

import io
import json
import sys
import zipfile
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch import nn
from torch.ao import quantization as eager
from torchao.quantization.pt2e import (
    HistogramObserver,
    MinMaxObserver,
    PerChannelMinMaxObserver,
    move_exported_model_to_eval,
)
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e, prepare_qat_pt2e
from torchao.quantization.pt2e.quantizer import (
    QuantizationAnnotation,
    QuantizationSpec,
    Quantizer,
    SharedQuantizationSpec,
)
from torchao.quantization.pt2e.quantizer import x86_inductor_quantizer as x86
from torchao.testing.pt2e import _xnnpack_quantizer as xnnpack

HERE = Path(__file__).parent
_FIRST = (2025, 1, 1, 0, 0, 0)  # the date of zip entries, the same each time


class Residual(nn.Module):
    """Convolutions with all around them that a quantizer looks at."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(2, 6, 3, padding=1)
        self.norm = nn.BatchNorm2d(6)
        self.deep = nn.Conv2d(6, 6, 3, padding=1, groups=6)
        self.point = nn.Conv2d(6, 6, 1, bias=False)
        self.head = nn.Linear(6 * 4, 5)

    def forward(self, x):
        x = F.relu(self.norm(self.stem(x)))
        x = F.max_pool2d(x, 2)
        x = F.relu(x + self.point(F.hardtanh(self.deep(x), 0.0, 6.0)))
        x = F.adaptive_avg_pool2d(x, (2, 2))
        return self.head(x.flatten(1))


class Dense(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = nn.Linear(20, 16), nn.Linear(16, 16), nn.Linear(16, 4)

    def forward(self, x):
        x = torch.sigmoid(self.first(x))
        x = F.relu(self.second(x)) + x
        return self.third(x)


class Moving(nn.Module):
    """Numbers that are moved, gated and multiplied."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(2, 4, 3, padding=1), nn.Conv2d(4, 4, 1)
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        x = F.relu(self.first(x))
        x = torch.cat([x, self.second(x)], 1)[:, 1:7]
        x = x * torch.sigmoid(x.mean((2, 3), keepdim=True))
        return self.head(x.permute(0, 2, 3, 1))


class All(Quantizer):
    """Each value that an operation makes has bytes of its own, and so has what goes in.

    activation, weight: how. bias: whether biases are integers too, of 32 bits.
    """

    def __init__(self, activation, weight):
        super().__init__()
        self.activation, self.weight = activation, weight

    def annotate(self, model):
        for node in model.graph.nodes:
            if node.op != "call_function":
                continue
            weights = node.args[1:2] if node.target in _WITH_WEIGHTS else ()
            parameters = node.args[1:3] if weights else ()
            given = [each for each in node.all_input_nodes if each not in parameters]
            found = dict.fromkeys(given, self.activation)
            found.update(dict.fromkeys(weights, self.weight))
            keeps = node.target in _KEEPING
            output = SharedQuantizationSpec((given[0], node)) if keeps else self.activation
            node.meta["quantization_annotation"] = QuantizationAnnotation(found, output, _annotated=True)
        return model

    def validate(self, model):
        pass


_ATEN = torch.ops.aten
_WITH_WEIGHTS = (_ATEN.conv2d.default, _ATEN.linear.default)
_KEEPING = (_ATEN.max_pool2d.default, _ATEN.flatten.using_ints)


def spec(dtype, observer, scheme, least, largest, axis=None):
    return QuantizationSpec(dtype, observer, least, largest, scheme, axis)


AFFINE, SYMMETRIC = torch.per_tensor_affine, torch.per_tensor_symmetric
UNSIGNED = spec(torch.uint8, HistogramObserver.with_args(eps=2**-12), AFFINE, 0, 255)
SIGNED = spec(torch.int8, MinMaxObserver.with_args(eps=2**-12), AFFINE, -128, 127)
SIGNED_SYMMETRIC = spec(torch.int8, MinMaxObserver.with_args(eps=2**-12), SYMMETRIC, -127, 127)
SEVEN_BITS = spec(torch.uint8, MinMaxObserver.with_args(eps=2**-12), AFFINE, 0, 127)
OF_TENSOR = spec(torch.int8, MinMaxObserver.with_args(eps=2**-12), SYMMETRIC, -128, 127)
OF_TENSOR_AFFINE = spec(torch.uint8, MinMaxObserver.with_args(eps=2**-12), AFFINE, 0, 255)
_OBSERVER = PerChannelMinMaxObserver.with_args(eps=2**-12)
OF_CHANNELS = spec(torch.int8, _OBSERVER, torch.per_channel_symmetric, -127, 127, 0)
OF_CHANNELS_AFFINE = spec(torch.int8, _OBSERVER, torch.per_channel_affine, -128, 127, 0)


def of_x86(**keywords):
    return x86.X86InductorQuantizer().set_global(x86.get_default_x86_inductor_quantization_config(**keywords))


def of_xnnpack(**keywords):
    return xnnpack.XNNPACKQuantizer().set_global(xnnpack.get_symmetric_quantization_config(**keywords))


# Name: the network, the shape of its input, the quantizer, and whether it is trained so.
KINDS = {
    "x86": (Residual, (2, 8, 8), of_x86(), False),
    "x86_qat": (Residual, (2, 8, 8), of_x86(is_qat=True), True),
    "xnnpack_channel": (Residual, (2, 8, 8), of_xnnpack(is_per_channel=True), False),
    "xnnpack_tensor": (Dense, (20,), of_xnnpack(), False),
    "xnnpack_qat": (Residual, (2, 8, 8), of_xnnpack(is_per_channel=True, is_qat=True), True),
    "unsigned_channel": (Residual, (2, 8, 8), All(UNSIGNED, OF_CHANNELS), False),
    "signed_tensor": (Residual, (2, 8, 8), All(SIGNED, OF_TENSOR), False),
    "symmetric": (Residual, (2, 8, 8), All(SIGNED_SYMMETRIC, OF_CHANNELS), False),
    "moves": (Moving, (2, 6, 6), All(UNSIGNED, OF_CHANNELS), False),
    "seven_bits": (Dense, (20,), All(SEVEN_BITS, OF_TENSOR), False),
    "affine_tensor": (Dense, (20,), All(UNSIGNED, OF_TENSOR_AFFINE), False),
    "affine_channel": (Dense, (20,), All(SIGNED, OF_CHANNELS_AFFINE), False),
}

EAGER = {"eager_channel": "fbgemm", "eager_tensor": "qnnpack"}


def make(name):
    kind, shape, quantizer, is_trained = KINDS[name]
    torch.manual_seed(len(name))
    net = kind().eval()
    for part in net.modules():
        if isinstance(part, nn.BatchNorm2d):
            part.running_mean.normal_(0, 0.3)
            part.running_var.uniform_(0.5, 2)
    example = (torch.randn(1, *shape),)
    exported = torch.export.export(net.train(is_trained), example).module()
    prepare = prepare_qat_pt2e if is_trained else prepare_pt2e
    prepared = prepare(exported, quantizer)
    steps = torch.optim.SGD(prepared.parameters(), 0.01) if is_trained else None
    for _ in range(40):
        answer = prepared(torch.randn(1, *shape))
        if steps is not None:
            answer.square().mean().backward()
            steps.step()
            steps.zero_grad()
    if is_trained:
        move_exported_model_to_eval(prepared)
    converted = convert_pt2e(prepared)
    found = torch.randn(24, *shape)
    answers = torch.cat([converted(one[None]) for one in found])
    saved = io.BytesIO()
    torch.export.save(torch.export.export(converted, example), saved)
    (HERE / f"{name}.pt2").write_bytes(small(saved))
    return {f"{name}.input": found, f"{name}.output": answers.detach()}


def small(saved):
    """Return the bytes of an exported program without the stacks of calls, compressed."""
    file = io.BytesIO()
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith("models/model.json"):
                data = json.dumps(json.loads(data, object_hook=without_stack)).encode()
            kind = zipfile.ZIP_STORED if name.endswith(".pt") else zipfile.ZIP_DEFLATED
            new.writestr(zipfile.ZipInfo(name, _FIRST), data, kind)
    return file.getvalue()


def without_stack(found):
    return {key: value for key, value in found.items() if key != "stack_trace"}


class Eager(nn.Module):
    """A network as torch.ao.quantization takes it."""

    def __init__(self):
        super().__init__()
        self.quant, self.dequant = eager.QuantStub(), eager.DeQuantStub()
        self.conv, self.relu, self.fc = nn.Conv2d(1, 3, 3), nn.ReLU(), nn.Linear(3 * 4 * 4, 2)

    def forward(self, x):
        return self.dequant(self.fc(self.relu(self.conv(self.quant(x))).flatten(1)))


def make_eager(name, engine):
    """Write a state dict of quantized modules; return its weights as PyTorch takes them back to floats."""
    torch.manual_seed(len(name))
    torch.backends.quantized.engine = engine
    net = Eager().eval()
    net.qconfig = eager.get_default_qconfig(engine)
    prepared = eager.prepare(eager.fuse_modules(net, [["conv", "relu"]]))
    for _ in range(10):
        prepared(torch.randn(4, 1, 6, 6))
    found = eager.convert(prepared).state_dict()
    torch.save(found, HERE / f"{name}.pt")
    weights = {"conv": found["conv.weight"], "fc": found["fc._packed_params._packed_params"][0]}
    return {f"{name}.{layer}.weight": weight.dequantize().contiguous() for layer, weight in weights.items()}


def main():
    found = {}
    for name in sys.argv[1:] or [*KINDS, *EAGER]:
        found |= make(name) if name in KINDS else make_eager(name, EAGER[name])
    if (HERE / "answers.safetensors").exists() and sys.argv[1:]:
        found = load_file(HERE / "answers.safetensors") | found
    save_file(found, HERE / "answers.safetensors")


if __name__ == "__main__":
    main()
