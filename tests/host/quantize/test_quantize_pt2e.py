"""What PyTorch has quantized keeps its integers and scales, and answers as it does there."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from burnpack.errors import BurnpackError, InvalidTensor, Unsupported
from burnpack.module import walk
from burnrt import Model, nn
from burnrt import functional as F
from burnstore.classes.running import Described
from burnstore.graph.operations import Linear
from burnstore.io.opened import open_model
from burnstore.models.loaded import load_exported
from burnstore.numerics.arrays import array_from_tensor
from burnstore.numerics.quantized import parts
from burnstore.quantize import quantize_model
from burnstore.quantize.measure import measure
from kit import support
from kit.models.chains import Chain, loaded
from kit.pytorch import exported

VECTORS = Path(support.path("tests/vectors/pt2e"))
GIVEN = ("ae_qat", "invres_pt2e")  # of tests/data
KINDS = sorted(path.stem for path in VECTORS.glob("*.pt2"))
TIES = ("xnnpack_qat",)  # its means of four are often halfway between two bytes, and then PyTorch's are even
SYMMETRIC = [kind for kind in KINDS if not kind.startswith("affine")]


def path_of(name):
    folder = VECTORS if name in KINDS else Path(support.data("pt2"))
    return folder / f"{name}.pt2"


@cache
def network(name):
    with open_model(path_of(name)) as opened:
        return load_exported(opened)


def integers(name):
    """Return the weights in a file, as bytes."""
    with open_model(path_of(name)) as opened:
        return [array_from_tensor(each).tobytes() for each in opened.reader if each.dtype == "I8"]


@cache
def quantized(name):
    return quantize_model(network(name).module, None)


def answers(name):
    """Return inputs and the answers of PyTorch."""
    path = VECTORS / "answers.safetensors" if name in KINDS else support.data(f"pt2/{name}.io.safetensors")
    names = (f"{name}.input", f"{name}.output") if name in KINDS else ("input0", "output0")
    with open_model(Path(path)) as opened:
        given, made = (array_from_tensor(opened.reader.tensor(each)) for each in names)
    shape = network(name).shapes[0]
    given = given.reshape(-1, *shape[1:])
    return given, made.reshape(len(given), -1)


def steps_off(made, given, wanted):
    """Return by how many steps of the output's scale answers differ."""
    model, known = Model(made.to_bytes()), made.known[made.network.output]
    found = []
    for one in given:
        model(one[None])
        found.append(np.frombuffer(bytes(model.output), np.uint8).astype(int))
    return np.abs(np.array(found) - known.of(wanted).astype(int))


@pytest.mark.parametrize("name", [*GIVEN, *KINDS])
def test_answers_are_pytorchs_to_one_step_without_samples(name):
    off = steps_off(quantized(name), *answers(name))
    assert (off <= 1).mean() >= (0.95 if name in TIES else 0.999)
    assert off.max() <= 2
    assert (off == 0).mean() > 0.6


@pytest.mark.parametrize("name", [*GIVEN, *SYMMETRIC])
def test_weights_are_kept_byte_for_byte(name):
    weights = [parts(tensor).values.tobytes() for tensor in quantized(name).program.weights]
    assert sorted(weights) == sorted(integers(name))


WRONG = {
    "an axis that is none": ("axis", {"as_int": 7}),
    "an axis of another length": ("axis", {"as_int": 1}),
    "a scale of nothing": ("scale", {"as_float": 0.0}),
    "a scale that boards can't have": ("scale", {"as_float": 1e-44}),
    "an endless scale": ("scale", {"as_float": float("inf")}),
    "a zero point beyond all bytes": ("zero_point", {"as_int": 1 << 40}),
}


@pytest.mark.parametrize(("name", "given"), WRONG.values(), ids=WRONG)
def test_a_file_whose_scales_do_not_fit_is_refused(name, given, tmp_path):
    def change(program):
        for node in program["graph_module"]["graph"]["nodes"]:
            for argument in node["inputs"]:
                if argument["name"] == name and "quantized_decomposed" in node["target"]:
                    argument["arg"] = given

    kind = "unsigned_channel" if name == "axis" else "seven_bits"
    (tmp_path / "wrong.pt2").write_bytes(exported.changed(path_of(kind), change))
    with open_model(tmp_path / "wrong.pt2") as opened:
        error = support.raises(BurnpackError, lambda: quantize_model(load_exported(opened).module, None))
    assert "\n" not in str(error)


def test_weights_that_pytorch_quantized_are_not_rounded_to_4_bits():
    with pytest.raises(Unsupported, match="PyTorch's own integers stay"):
        quantize_model(network("xnnpack_tensor").module, None, bits=4)


def test_what_was_left_in_floats_is_calibrated():
    found = network("ecg_pt2e").module
    error = support.raises(InvalidTensor, quantize_model, found, None)
    assert "--calibrate" in str(error)
    given, wanted = answers("ecg_pt2e")
    assert steps_off(quantize_model(found, given), given, wanted).max() <= 1


def test_scales_and_zero_points_are_kept_and_signed_bytes_moved():
    found = quantized("signed_tensor")
    told = [step.layer for step in found.reference.graph.steps if hasattr(step.layer, "quant_min")]
    wanted = {(np.float32(each.scale), each.zero_point + 128) for each in told}
    known = {(np.float32(each.scale), each.zero_point) for each in found.known.values()}
    assert known == wanted
    assert len(wanted) > 5


def test_a_value_that_is_rounded_twice_alike_has_one_step():
    kernels = [kernel for kernel, _ in quantized("xnnpack_channel").program.form.steps]
    assert "int8.lookup" not in kernels


def test_more_than_a_byte_is_refused_by_name():
    made = network("seven_bits").description
    lines = [
        replace(line, arguments=(*line.arguments[:3], -32768, 32767)) if "quantize" in line.call else line
        for line in made.lines
    ]
    module = Described(replace(made, lines=lines))
    for old, new in zip(walk(network("seven_bits").module), walk(module), strict=True):
        new[2].data = old[2].data
    error = support.raises(Unsupported, quantize_model, module, None)
    assert "-32768 to 32767" in str(error)


class Added(nn.Module):
    """Adds bytes from 0 to 2.55 to what a Linear, far wider, makes of them; the sum's are the same."""

    input_shapes = ((1, 32),)

    def __init__(self):
        self.wide, self.relu = nn.Linear(32, 32), nn.ReLU()

    def forward(self, x):
        x = F.fake_quantize_per_tensor_affine(x, 0.01, 0, 0, 255)
        return F.fake_quantize_per_tensor_affine(self.relu(x + self.wide(x)), 0.01, 0, 0, 255)


def test_a_value_reaches_no_further_than_makes_a_difference_where_it_is_added():
    made = quantize_model(loaded(Added()), None)
    (linear,) = (each for each in made.network.operations if isinstance(each, Linear))
    known = made.known[linear.output]
    assert known.numbers([0, 255]) == pytest.approx([-2.55, 2.55], abs=0.02)
    given = np.random.default_rng(1).uniform(0, 2.55, (40, 32)).astype(np.float32)
    assert measure(made, given).rmse < 0.01


def test_a_network_in_floats_without_samples_is_told_to_take_some():
    network = Chain(fc=nn.Linear(3, 2), shares=nn.Softmax(-1))
    network.input_shapes = ((1, 3),)
    error = support.raises(InvalidTensor, quantize_model, loaded(network), None)
    assert "samples are needed to quantize this model (--calibrate)" in str(error)
