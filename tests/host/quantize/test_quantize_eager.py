"""State dicts of torch.ao.quantization modules keep their integers and scales, and answer as in PyTorch."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from burnpack.errors import InvalidTensor, LoadFailed, Malformed
from burnpack.reader import Reader
from burnrt import Model, nn
from burnstore import cli
from burnstore.io.opened import open_model
from burnstore.models import eager
from burnstore.models.comparison import DEVIATION
from burnstore.models.loaded import load_quantized
from burnstore.numerics.arrays import array_from_tensor, tensor_from_array
from burnstore.numerics.quantized import parts
from burnstore.pytorch import gather
from burnstore.quantize import quantize_model
from kit import support

VECTORS = Path(support.path("tests/vectors/eager"))
KINDS = sorted(path.stem for path in VECTORS.glob("*.pt"))

TIES = ("even_qnnpack",)  # its means of 16 are often halfway between two bytes, and then PyTorch's are even


class Residual(nn.Module):
    """The network of the files, as it is described to run on a board."""

    def __init__(self):
        self.stem = nn.Sequential(nn.Conv2d(2, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU())
        self.deep = nn.Conv2d(6, 6, 3, padding=1, groups=6)
        self.act, self.add = nn.Hardswish(), nn.Add()
        self.point = nn.Conv2d(6, 6, 1)
        self.pool, self.mean = nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(6, 5)

    def forward(self, x):
        x = self.pool(self.stem(x))
        x = self.add(x, self.point(self.act(self.deep(x))))
        return self.head(self.mean(x).flatten(1))


class NoSum(Residual):
    """The same without the module of the sum."""

    def __init__(self):
        super().__init__()
        del self.add

    def add(self, a, b):
        return a + b


class Dense(nn.Module):
    """Linears with functions of one value between them."""

    def __init__(self):
        self.first, self.second, self.third = nn.Linear(20, 16), nn.Linear(16, 16), nn.Linear(16, 4)
        self.sigmoid, self.relu, self.norm = nn.Sigmoid(), nn.ReLU(), nn.LayerNorm(16)

    def forward(self, x):
        x = self.norm(self.sigmoid(self.first(x)))
        return self.third(self.relu(self.second(x)))


def loaded(name, model=None, shapes=True, tell=lambda note: None):
    """Return a model of a file. model: of which class, or None: its own."""
    made = model or (Dense if name.startswith("dense") else Residual)
    with open_model(VECTORS / f"{name}.pt") as opened:
        return load_quantized(opened, f"{__file__}:{made.__name__}", shapes and [shape(name)], tell)


def shape(name):
    return {"dense": (1, 20), "even": (1, 2, 8, 8)}.get(name.partition("_")[0], (1, 2, 6, 6))


@cache
def quantized(name):
    return quantize_model(loaded(name), None)


def held(name):
    """Return the bytes of weights, and the scale and zero point of each module, in a file."""
    with open_model(VECTORS / f"{name}.pt") as opened:
        reader = opened.reader
        weights = [bytes(gather.read(reader._find(each))) for each in reader._steps]
        steps = {
            each[:-6]: (float(reader_of(reader, each)), int(reader_of(reader, each[:-6] + ".zero_point")))
            for each in reader.names()
            if each.endswith(".scale")
        }
    return weights, steps


def reader_of(reader, name):
    return array_from_tensor(reader.tensor(name)).reshape(())


@pytest.mark.parametrize("name", KINDS)
def test_answers_are_pytorchs_to_one_step_without_samples(name):
    made = quantized(name)
    with open_model(VECTORS / "answers.safetensors") as judge:
        given, wanted = (
            array_from_tensor(judge.reader.tensor(f"{name}.{end}")) for end in ("input", "output")
        )
    model, known = Model(made.to_bytes()), made.known[made.network.output]
    found = []
    for one in given:
        model(one[None])
        found.append(np.frombuffer(bytes(model.output), np.uint8).astype(int))
    off = np.abs(np.array(found) - known.of(wanted).astype(int))
    assert (off <= 1).mean() >= (0.95 if name in TIES else 0.999)
    assert off.max() <= 2
    assert (off == 0).mean() > 0.6


@pytest.mark.parametrize("name", KINDS)
def test_weights_are_kept_byte_for_byte(name):
    found = [parts(tensor).values.tobytes() for tensor in quantized(name).program.weights]
    wanted, _ = held(name)
    assert sorted(found) == sorted(wanted)


@pytest.mark.parametrize("name", KINDS)
def test_scales_and_zero_points_of_values_are_kept(name):
    _, steps = held(name)
    known = {(each.scale, each.zero_point) for each in quantized(name).known.values()}
    assert set(steps.values()) <= known
    assert len(steps) == (5 if name.startswith("dense") else 7)


def test_it_is_told_what_is_merged_and_what_has_no_module():
    notes = []
    loaded("qnnpack", NoSum, tell=notes.append)
    assert [note.partition(" ")[0] for note in notes] == ["stem.1", "add:"]


def test_a_value_without_a_scale_gets_its_range_from_the_samples():
    given = np.random.default_rng(1).random((8, 2, 6, 6), np.float32)
    made = quantize_model(loaded("x86", NoSum), given)
    told = {each.zero_point: each.scale for each in made.known.values()}
    scale, zero = held("x86")[1]["add"]
    assert zero not in told or told[zero] != scale
    scale, zero = held("x86")[1]["head"]
    assert told[zero] == scale


def test_without_shapes_and_samples_both_are_asked_for():
    error = support.raises(InvalidTensor, quantize_model, loaded("x86", shapes=False), None)
    assert "--calibrate" in str(error)
    assert "--shape" in str(error)


def test_names_that_lead_to_other_weights_are_refused():
    model, found = loaded("x86"), {}
    with open_model(VECTORS / "x86.pt") as opened:
        found["point.weight"] = opened.reader.tensor("deep.weight")
        assert "names of the file" in str(support.raises(LoadFailed, eager.keep, model, found, print))


WRONG = {"nothing": (0.0, 1), "below nothing": (-1.0, 1), "no number": (np.nan, 1), "no byte": (1.0, 256)}


@pytest.mark.parametrize(("scale", "zero"), WRONG.values(), ids=WRONG)
def test_a_scale_and_zero_point_of_no_byte_are_refused(scale, zero):
    found = {
        f"point.{name}": tensor_from_array(f"point.{name}", np.array(value))
        for name, value in (("scale", np.float32(scale)), ("zero_point", np.int64(zero)))
    }
    assert "\n" not in str(support.raises(Malformed, eager.keep, Residual(), found, print))


def test_the_command_takes_a_checkpoint_with_its_class_and_a_shape(tmp_path, capsys):
    given = [str(VECTORS / "qnnpack.pt"), "-o", str(tmp_path / "made.bpk"), "--shape", "1,2,6,6"]
    with pytest.raises(SystemExit, match="0"):
        cli.main(["quantize", *given, "--module", f"{__file__}:Residual"])
    told = capsys.readouterr()
    assert "ranges: kept" in told.out
    assert "stem.1 is not in the file: it is merged" in told.err
    made = (tmp_path / "made.bpk").read_bytes()
    found, wanted = map(Reader.from_static, (made, quantized("qnnpack").to_bytes()))
    assert list(found.names()) == list(wanted.names()) and found.metadata() == wanted.metadata()
    for name in wanted.names():
        assert bytes(found.tensor(name).data()) == bytes(wanted.tensor(name).data()), name
    measured = {name: value for name, value in found.scalars() if name == DEVIATION}
    assert len(measured) == 1 and dict(found.scalars()) == dict(wanted.scalars()) | measured
