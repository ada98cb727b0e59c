"""Networks in TorchScript, converted with the shapes of their inputs: the program answers as PyTorch did."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

import burnstore
from burnstore.exported.opening import graph_of
from kit import support

DATA = Path(support.data("pt2"))
VECTORS = Path(support.path("tests/vectors/exported"))
NAMES = ("ecg_traced", "kws_scripted", "text_traced", "transformer_scripted", "unet_frozen", "wake_traced")


@pytest.mark.parametrize("name", NAMES)
def test_a_program_of_torchscript_answers_as_pytorch_did(name, tmp_path):
    found = load_file(DATA / f"{name.split('_')[0]}.io.safetensors")
    inputs = [found[key] for key in sorted(found) if key.startswith("input")]
    shapes = [array.shape for array in inputs]
    burnstore.convert(VECTORS / f"{name}.pt", tmp_path / "net.bpk", shape=shapes)
    answers = burnstore.run(tmp_path / "net.bpk", *inputs)
    answers = answers if isinstance(answers, tuple) else (answers,)
    for number, answer in enumerate(answers):
        wanted = found[f"output{number}"]
        assert np.abs(answer - wanted).max() <= 1e-4 * np.abs(wanted).max()


def test_without_a_shape_torchscript_is_weights_and_a_note_says_so(tmp_path):
    conversion = burnstore.convert(VECTORS / "ecg_traced.pt", tmp_path / "net.bpk")
    assert "the file says as TorchScript what it computes: --shape writes its program" in conversion.notes
    assert conversion.program is None


def test_shapes_may_be_given_in_order_or_by_name():
    with burnstore.open(VECTORS / "wake_traced.pt") as opened:
        known = graph_of(opened.reader)
        shapes = [known.specs[name].shape for name in known.inputs]
        named = dict(zip(known.inputs, shapes, strict=True))
        assert graph_of(opened.reader, shapes).specs == graph_of(opened.reader, named).specs
