"""No command writes over a file that it reads for what it writes, with --overwrite neither."""

import shutil

import pytest

from burnstore import cli
from kit import support

FILES = ("digits.pt", "digits.pt2", "model.py", "x.npy", "y.npy")
CLASS = ("--module", "model.py:DigitsNet")

# convert writes no .py; romfs refuses whatever its image would lie in.
REFUSALS = ("would be lost", "only .bpk and .safetensors can be written", "would lie in")

# A call that works, and the files among its words that are read. A model may be replaced by one.
CALLS = {
    "bundle": (["bundle", "small.bpk"], ["small.bpk"]),
    "convert": (["convert", "digits.pt", *CLASS], ["model.py"]),
    "describe": (["describe", "digits.pt2"], ["digits.pt2"]),
    "draw": (["draw", "small.bpk", "--format", "svg"], ["small.bpk"]),
    "golden": (["golden", "digits.bpk", "--input", "x.npy", "--expect", "y.npy"], ["x.npy", "y.npy"]),
    "golden of a class": (["golden", "digits.bpk", *CLASS, "--shape", "1,1,8,8"], ["model.py"]),
    "quantize": (["quantize", "digits.pt2", "--calibrate", "x.npy"], ["x.npy"]),
    "quantize of a class": (["quantize", "digits.bpk", *CLASS, "--calibrate", "x.npy"], ["model.py"]),
    "report": (
        ["report", "small.bpk", "--input", "x.npy", "--labels", "n.npy", "--against", "digits.pt2"],
        ["small.bpk", "x.npy", "n.npy", "digits.pt2"],
    ),
    "romfs": (["romfs", "small.bpk"], ["small.bpk"]),
    "run": (["run", "small.bpk", "--input", "x.npy"], ["small.bpk", "x.npy"]),
    "run of a class": (["run", "digits.pt", *CLASS, "--input", "x.npy"], ["digits.pt", "model.py"]),
}


def call(*words):
    with pytest.raises(SystemExit) as ended:
        cli.main(list(words))
    return ended.value.code


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a folder with the models, which nothing changes."""
    folder = tmp_path_factory.mktemp("made")
    for name in FILES:
        shutil.copy(support.path("examples/digits/" + name), folder)
    shutil.copy(folder / "y.npy", folder / "n.npy")
    given = str(folder / "digits.pt2")
    assert call("convert", given, str(folder / "digits.bpk"), "-q") == 0
    samples = str(folder / "x.npy")
    assert call("quantize", given, "--calibrate", samples, "-o", str(folder / "small.bpk"), "-q") == 0
    return folder


@pytest.mark.parametrize("name", CALLS)
def test_a_file_that_is_read_is_never_written_over(name, made, tmp_path, monkeypatch, capsys):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    words, read = CALLS[name]
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    for target in read:
        link = tmp_path / f"link.{target.rpartition('.')[2]}"
        link.symlink_to(target)
        for way in (target, f"./{target}", str(tmp_path / target), link.name):
            assert call(*words, "-o", way, "--overwrite") in (1, 2), way
            said = capsys.readouterr().err
            assert said.count("\n") == 1 and any(what in said for what in REFUSALS), said
        link.unlink()
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert found == before


def test_each_command_that_replaces_files_is_among_these():
    able = {
        name
        for name in cli.COMMANDS
        if any(option.name == "overwrite" for option in cli.commands.get_command(None, name).params)
    }
    elsewhere = {"deploy", "freeze"}  # to a board, and into a folder
    assert able - elsewhere == {words[0] for words, _ in CALLS.values()}


def test_a_model_is_replaced_by_one_made_of_it(made, tmp_path, monkeypatch):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    assert call("golden", "digits.bpk", "--cases", "1", "-o", "digits.bpk", "--overwrite", "-q") == 0
    assert call("convert", "digits.bpk", "digits.bpk", "--half", "--overwrite", "-q") == 0
