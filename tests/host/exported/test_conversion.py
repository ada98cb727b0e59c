"""Exported programs, converted: the program in the file answers as PyTorch did, wherever it runs."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

import burnstore
from burnpack.errors import Unsupported
from burnrt import Model
from burnstore.cli import main
from burnstore.models.selftest import golden_of
from tools import interpreters

DATA = Path(__file__).parents[2] / "data" / "pt2"
FILES = sorted(DATA.glob("*.pt2"))
SCRIPT = Path(__file__).parents[2] / "kit" / "models" / "answers.py"
NEAR = 1e-4  # of an output's largest number


def answers_of(path):
    """Return the cases that PyTorch answered beside a file: (inputs, outputs)."""
    found = load_file(path.with_name(path.stem.replace("_torch2.6", "") + ".io.safetensors"))
    inputs, outputs = (
        [found[name].astype(np.float32) for name in sorted(found) if name.startswith(role)]
        for role in ("input", "output")
    )
    return inputs, outputs


def cases_of(path, model):
    """Return the cases that fit a program: rows, where it takes one."""
    inputs, outputs = answers_of(path)
    if inputs[0].shape == model.inputs[0].shape:
        return [(inputs, outputs)]

    def row(arrays, place):
        return [each[place : place + 1] for each in arrays]

    return [(row(inputs, place), row(outputs, place)) for place in range(len(inputs[0]))]


@pytest.fixture(scope="module")
def converted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("converted")

    def convert(path):
        target = folder / f"{path.stem}.bpk"
        if not target.exists():
            burnstore.convert(path, target)
        return target

    return convert


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_program_answers_as_pytorch_did(path, converted):
    model = Model(str(converted(path)))
    for inputs, outputs in cases_of(path, model):
        answers = model(*inputs)
        answers = answers if isinstance(answers, tuple) else (answers,)
        assert [answer.shape for answer in answers] == [output.shape for output in outputs]
        for answer, output in zip(answers, outputs, strict=True):
            off = np.abs(np.asarray(answer.data).reshape(output.shape) - output).max()
            assert off <= NEAR * np.abs(output).max()


@pytest.mark.parametrize("interpreter", interpreters.NAMES)
@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_program_answers_as_pytorch_did_on_a_boards_interpreter(path, interpreter, converted, tmp_path):
    target = converted(path)
    cases = cases_of(path, Model(str(target)))[:2]
    numbers = [np.float32([len(cases)]), *(each.ravel() for case in cases for part in case for each in part)]
    given = tmp_path / "cases.bin"
    given.write_bytes(np.concatenate(numbers).tobytes())
    try:
        done = interpreters.run(interpreter, SCRIPT, [str(target), str(given)], heap="8M", timeout=240)
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    assert done.returncode == 0, done.stdout.decode()[-500:] + done.stderr.decode()[-500:]
    assert len(done.stdout.split()) == len(cases)
    assert max(map(float, done.stdout.split())) <= NEAR


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_sample_inputs_and_their_answers_are_the_self_test(path, converted):
    with burnstore.open(converted(path)) as opened:
        given, wanted = golden_of(opened.reader)
    assert len(given) == 1
    model = Model(str(converted(path)))
    assert [each.shape for each in given[0]] == [end.shape for end in model.inputs]
    assert [each.shape for each in wanted[0]] == [end.shape for end in model.outputs]


def test_names_and_layout_are_burns(converted):
    with burnstore.open(converted(DATA / "transformer.pt2")) as opened:
        names = opened.names()
        assert opened["enc.linear1.weight"].shape == (16, 32)
        assert opened["enc.self_attn.query.weight"].shape == (16, 16)
    assert "enc.norm1.gamma" in names
    assert "enc.self_attn.in_proj_weight" not in names


def test_a_safetensors_has_the_tensors_as_they_are(tmp_path):
    burnstore.convert(DATA / "ecg.pt2", tmp_path / "ecg.safetensors")
    arrays = load_file(tmp_path / "ecg.safetensors")
    assert arrays["fc.weight"].shape == (5, 16)
    assert "b1.running_mean" in arrays


def test_nothing_is_written_of_a_network_that_is_refused(tmp_path):
    with pytest.raises(Unsupported, match="number of dimensions"):
        burnstore.convert(DATA / "ecg.pt2", tmp_path / "ecg.bpk", shape=(2, 3))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("asked", [{"filter": "^c1"}, {"rename": {"c1": "cc"}}, {"strip_prefix": "c1."}])
def test_a_program_without_some_tensor_or_with_another_name_is_not_written(asked, tmp_path):
    with pytest.raises(Unsupported, match="--no-program"):
        burnstore.convert(DATA / "ecg.pt2", tmp_path / "net.bpk", **asked)
    assert list(tmp_path.iterdir()) == []
    assert burnstore.convert(DATA / "ecg.pt2", tmp_path / "net.bpk", program=False, **asked).program is None


def test_all_files_are_here():
    assert len(FILES) == 17 and all(answers_of(path)[1] for path in FILES)


def ran(*words):
    with pytest.raises(SystemExit) as ended:
        main([*words])
    assert not ended.value.code


def test_an_exported_network_is_quantized_with_its_self_test(tmp_path, capsys):
    samples = np.random.default_rng(0).normal(size=(40, 3, 32, 32)).astype(np.float32)
    np.save(tmp_path / "x.npy", samples)
    target = tmp_path / "small.bpk"
    words = [str(DATA / "invres.pt2"), "--calibrate", str(tmp_path / "x.npy"), "-o", str(target)]
    ran("quantize", *words)
    with burnstore.open(DATA / "invres.pt2") as opened:
        floats = sum(tensor.nbytes for tensor in opened)
    assert f"of {floats:,} in floats" in capsys.readouterr().out
    ran("verify", str(target))
    with burnstore.open(target) as opened:
        given, _ = golden_of(opened.reader, Model(str(target)))
    assert [each.shape for each in given[0]] == [(1, 3, 32, 32)]
