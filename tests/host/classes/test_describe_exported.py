"""The class of each exported program loads what was converted, and answers as PyTorch did."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

import burnstore
from burnpack.errors import Unsupported
from burnrt import Model, tensor
from burnstore import BurnpackStore
from burnstore.classes.describing import describe
from burnstore.io.opened import open_model
from burnstore.models.exported import exported
from burnstore.numerics.adapters import PyTorchToBurnAdapter
from kit.models.descriptions import complaints, made

DATA = Path(__file__).parents[2] / "data" / "pt2"
FILES = sorted(DATA.glob("*.pt2"))
NEAR = 1e-4  # of an output's largest number

# What the longest and the most distinct have in them, line by line.
WRITTEN = {
    "kws": """from burnrt import nn


class Kws(nn.Module):
    input_shape = (1, 12, 10)

    def __init__(self):
        self.gru = nn.Gru(10, 24, num_layers=2, batch_first=True)
        self.fc = nn.Linear(24, 6)

    def forward(self, x):
        x, _ = self.gru(x)
        x = x[:, -1]
        return self.fc(x)
""",
    "wake": """from burnrt import functional as F
from burnrt import nn


class Wake(nn.Module):
    input_shape = ((1, 5), (1, 7))

    def __init__(self):
        self.cell = nn.GRUCell(5, 7)
        self.fc = nn.Linear(7, 1)

    def forward(self, x, h):
        h = self.cell(x, h)
        x = self.fc(h)
        x = F.sigmoid(x)
        return x, h
""",
    "unet": """from burnrt import functional as F
from burnrt import nn


def block(in_channels, out_channels):
    return nn.Sequential(
        nn.Conv2d(in_channels, out_channels, 3, padding=1, bias=False),
        nn.BatchNorm(out_channels),
        nn.Relu(),
    )


class UNet(nn.Module):
    input_shape = (1, 1, 16, 16)

    def __init__(self):
        self.d1 = block(1, 8)
        self.d2 = block(8, 16)
        self.mid = block(16, 16)
        self.u1 = block(32, 8)
        self.out = nn.Conv2d(16, 2, 1)
        self.up = nn.Upsample(scale_factor=2.0)

    def forward(self, x):
        d1 = self.d1(x)
        x = F.max_pool2d(d1, 2)
        d2 = self.d2(x)
        x = F.max_pool2d(d2, 2)
        x = self.mid(x)
        x = self.up(x)
        x = F.cat([x, d2], dim=1)
        x = self.u1(x)
        x = F.interpolate(x, scale_factor=2.0, mode="nearest")
        x = F.cat([x, d1], dim=1)
        x = self.out(x)
        return F.sigmoid(x)
""",
}


def described(path):
    with open_model(path) as opened:
        return describe(opened)


def cases(path):
    """Return PyTorch's inputs and outputs beside a file, as floats."""
    found = load_file(path.with_name(path.stem.replace("_torch2.6", "") + ".io.safetensors"))
    return tuple(
        [found[name].astype(np.float32) for name in sorted(found) if name.startswith(role)]
        for role in ("input", "output")
    )


def check(answer, outputs):
    answers = answer if isinstance(answer, tuple) else (answer,)
    for one, output in zip(answers, outputs, strict=True):
        assert np.abs(np.asarray(one).reshape(output.shape) - output).max() <= NEAR * np.abs(output).max()


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_class_answers_as_pytorch_did_with_the_weights_of_the_pt2_and_of_the_bpk(path, tmp_path):
    found = described(path)
    inputs, outputs = cases(path)
    values = [tensor(array) for array in inputs]
    model = made(found.source, found.name)()
    with open_model(path) as opened:
        result = model.apply(exported(opened.reader).tensors(opened), adapter=PyTorchToBurnAdapter())
        assert not result.missing and not result.errors
        check(model(*values), outputs)
    burnstore.convert(path, tmp_path / "net.bpk")
    model = made(found.source, found.name)()
    model.load_from(BurnpackStore.from_file(tmp_path / "net.bpk"))
    check(model(*values), outputs)
    assert not found.is_left


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_class_makes_a_program_that_answers_as_pytorch_did(path, tmp_path):
    found = described(path)
    (tmp_path / "net.py").write_text(found.source)
    burnstore.convert(path, tmp_path / "net.bpk")
    burnstore.convert(tmp_path / "net.bpk", tmp_path / "own.bpk", module=f"{tmp_path}/net.py:{found.name}")
    model = Model(str(tmp_path / "own.bpk"))
    inputs, outputs = cases(path)
    if inputs[0].shape == model.inputs[0].shape:
        answers = model(*inputs)
        answers = answers if isinstance(answers, tuple) else (answers,)
        check(tuple(np.asarray(answer.data) for answer in answers), outputs)


@pytest.mark.parametrize("name", WRITTEN)
def test_the_class_is_written_as_a_person_would(name):
    assert described(DATA / f"{name}.pt2").source == WRITTEN[name]


def test_the_classes_are_as_ruff_would_have_them():
    sources = [described(path).source for path in FILES]
    assert complaints(*sources) == []
    assert max(len(line) for source in sources for line in source.split("\n")) <= 88


def test_a_shape_is_one_that_the_program_can_take():
    with open_model(DATA / "ecg.pt2") as opened, pytest.raises(Unsupported, match="not made for this shape"):
        describe(opened, shapes=((1, 1, 65),))


def test_a_shape_is_of_an_exported_program():
    path = DATA.parent / "pytorch" / "linear.pt"
    with open_model(path) as opened, pytest.raises(Unsupported, match="exported program"):
        describe(opened, shapes=((1, 2),))


def test_a_described_class_converts_the_program_that_has_computed_constants(tmp_path):
    source = DATA.parents[1] / "vectors" / "exported" / "tied.pt2"
    with open_model(source) as opened:
        found = describe(opened)
    assert "constant_0" in found.source
    (tmp_path / "model.py").write_text(found.source)
    burnstore.convert(source, tmp_path / "by_class.bpk", module=f"{tmp_path}/model.py:{found.name}")
    burnstore.convert(source, tmp_path / "by_graph.bpk")
    x = np.ones(Model(str(tmp_path / "by_graph.bpk")).inputs[0].shape, np.float32)  # rows of a table
    wanted = burnstore.run(tmp_path / "by_graph.bpk", x)
    assert np.abs(burnstore.run(tmp_path / "by_class.bpk", x) - wanted).max() <= 1e-6
