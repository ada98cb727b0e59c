"""`burnstore inspect` of a checkpoint: its tensors, its version, and what is there besides."""

import json

import pytest

from burnstore.cli import main
from kit import support
from kit.pytorch import pickles as p


def inspect(capsys, path, *options):
    """Return what the command prints."""
    with pytest.raises(SystemExit) as ended:
        main(["inspect", str(path), *options])
    assert ended.value.code == 0
    return capsys.readouterr().out


def vector(name):
    return support.path(f"tests/vectors/{name}")


OTHERS = {
    "pytorch_zip/lightning.pt": {
        "epoch": "3",
        "global_step": "120",
        "pytorch-lightning_version": "'2.4.0'",
        "loops.fit_loop.state_dict": "dict of 0",
        "loops.fit_loop.epoch_progress.total.ready": "4",
        "callbacks.ModelCheckpoint{'monitor': 'loss'}.monitor": "'loss'",
        "optimizer_states.0.param_groups": "list of 1",
        "lr_schedulers": "list of 1",
        "hparams_name": "'kwargs'",
        "hyper_parameters.rate": "0.01",
        "hyper_parameters.widths": "[3, 4]",
        "hyper_parameters.folder": "object of pathlib.PurePosixPath",
        "arguments": "object of argparse.Namespace",
    },
    "pytorch_zip/optimizer.pt": {"epoch": "3", "optimizer.param_groups": "list of 1", "best": "0.5"},
    "pytorch_zip/averaged.pt": {"ema.decay": "0.999", "ema.updates": "12"},
    "pytorch_zip/no_tensors.pt": {"epoch": "3", "name": "'x'"},
    "pytorch_zip/contiguous.pt": {},
    "pytorch_other/scripted.pt": {},
}


@pytest.mark.parametrize(("name", "expected"), OTHERS.items(), ids=OTHERS)
def test_what_is_there_besides_tensors_is_shown(name, expected, capsys):
    assert json.loads(inspect(capsys, vector(name), "--json"))["others"] == expected
    shown = inspect(capsys, vector(name))
    assert all(f"  {key} = {text}\n" in shown for key, text in expected.items())


VERSIONS = {
    "pytorch_zip/contiguous.pt": 3,
    "pytorch_zip/no_facts.pt": None,
    "pytorch_other/scripted.pt": 3,
    "pytorch_other/legacy_tied.pt": 1001,
    "pytorch_other/tar.pt": None,
    "pytorch_other/bare_protocol_2.pkl": None,
}


@pytest.mark.parametrize(("name", "version"), VERSIONS.items(), ids=VERSIONS)
def test_the_version_is_that_which_the_container_states(name, version, capsys):
    assert json.loads(inspect(capsys, vector(name), "--json"))["version"] == version


def test_two_values_of_one_name_are_both_shown(capsys, tmp_path):
    path = tmp_path / "model.pt"
    path.write_bytes(p.checkpoint(p.a_dict({"a": p.a_dict({"b": 1}), "a.b": 2})))
    assert json.loads(inspect(capsys, path, "--json"))["others"] == {"a.b": "1; 2"}


HOSTILE = "\x1b[2J\u202e\u2028\r\n\x07\ud800"


def test_no_text_of_a_checkpoint_moves_the_cursor_or_breaks_a_line(capsys, tmp_path):
    path = tmp_path / "model.pt"
    inner = p.a_dict(
        {HOSTILE + "\x00": 1, "key": HOSTILE, "class": p.name("m", "C\x1b"), "bytes": p.raw(b"\x1b")}
    )
    named = p.a_dict({HOSTILE[:-1]: p.tensor("0", 4), "inner": inner})
    path.write_bytes(p.checkpoint(named, {"0": bytes(16)}, version=b"\x1b]0;title\x07"))
    shown = inspect(capsys, path)
    assert len(shown.splitlines()) == shown.count("\n")
    assert all(letter.isprintable() for line in shown.split("\n") for letter in line)
    json.loads(inspect(capsys, path, "--json"))
