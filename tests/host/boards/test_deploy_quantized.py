"""A quantized model goes to a board and answers right there, by its file alone."""

import dataclasses

import numpy as np
import pytest

from burnpack.reader import Reader
from burnrt import int8, nn
from burnstore import cli
from burnstore.boards.link import runtime, selftest
from burnstore.boards.link.deploy import deliver, plan
from burnstore.boards.link.facts import look
from burnstore.boards.link.link import Link
from burnstore.boards.runtime import contents
from burnstore.models.selftest import any_input, with_quantized_golden
from burnstore.numerics.arrays import tensor_from_array
from burnstore.pipeline.writing import save_burnpack
from kit.int8.quantizing import opened, quantized_chain


def command(*words):
    """Run the command; return its exit code."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["deploy", *map(str, words)])
    return ended.value.code


@pytest.fixture(scope="session")
def quantized(tmp_path_factory):
    """Return the path of a quantized model that brings two cases along."""
    layers = {"conv": nn.Conv2d(1, 3, 3), "pool": nn.MaxPool2d(2), "flat": nn.Flatten()}
    layers |= {"fc": nn.Linear(27, 4), "last": nn.LogSoftmax(1)}
    path = tmp_path_factory.mktemp("quantized") / "model.bpk"
    save_quantized(path, opened(quantized_chain((1, 8, 8), **layers)[0]))
    return path


def save_quantized(path, reader, wrong=0.0):
    """Save a quantized model with two cases; `wrong` is added to what they say is right."""
    model = int8.Model(reader)
    tensors, scalars = with_quantized_golden(reader, [any_input(model, 0), any_input(model, 1)])
    if wrong:
        answer = np.frombuffer(tensors[-1].data(), "<f4").reshape(tensors[-1].shape) + np.float32(wrong)
        tensors[-1] = tensor_from_array(tensors[-1].name, answer)
    kept = [(name, value) for name, value in reader.scalars() if not name.startswith("selftest.")]
    save_burnpack(path, tensors, reader.metadata(), kept + scalars, overwrite=True)


@pytest.mark.parametrize("storage,path", (("rom", "/rom/model.bpk"), ("fs", "/model.bpk")))
def test_a_quantized_model_answers_right_without_its_class(board, quantized, capsys, storage, path):
    assert command(quantized, "--port", board.port, "--to", storage, "--runtime") == 0
    said = capsys.readouterr().out
    assert path in said and "self-test passed: 2 cases" in said
    names = {file.stem for file in (board.folder / "lib").rglob("*.mpy")}
    assert "int8" not in names and "model" in names and "loading_store" not in names
    sets = {folder.name for folder in (board.folder / "lib/burnrt/kernels/int8").iterdir() if folder.is_dir()}
    assert sets == {"viper"}  # on this processor it has all that the model needs


def test_wrong_answers_of_a_quantized_model_are_an_error(board, quantized, tmp_path, capsys):
    save_quantized(tmp_path / "model.bpk", Reader.from_static(quantized.read_bytes()), wrong=0.5)
    assert command(tmp_path / "model.bpk", "--port", board.port, "--to", "fs", "--runtime") == 1
    assert "self-test FAILED: 2 cases" in capsys.readouterr().out


def test_a_board_that_loads_no_compiled_files_gets_the_plain_kernels_as_sources(board, quantized):
    with Link(board.port) as link:
        facts = dataclasses.replace(look(link), mpy=0)
        wanted = contents.entries(plan(facts, quantized, "fs").operations, None, facts.architecture)
        assert runtime.install(link, facts, wanted)[0] > 20
        deliver(link, facts, plan(facts, quantized, "fs"))
        assert selftest.run(link, "/model.bpk", None).passed
        used = link.ask("from burnrt.kernels import int8\nprint(int8.in_use())")
    assert used == ["plain"]
    assert {file.suffix for file in (board.folder / "lib").rglob("*.*")} == {".py"}


def test_a_damaged_program_is_the_boards_error_in_one_line(board, quantized, tmp_path, capsys):
    reader = Reader.from_static(quantized.read_bytes())
    metadata = [(key, "9" if key == "int8.version" else text) for key, text in reader.metadata()]
    save_burnpack(tmp_path / "model.bpk", list(reader), metadata, reader.scalars())
    assert command(tmp_path / "model.bpk", "--port", board.port, "--to", "fs", "--runtime") == 1
    said = capsys.readouterr().err
    assert "int8.version" in said and said.count("\n") == 1


def test_a_module_that_is_not_needed_is_said_to_be(board, quantized, capsys):
    words = (quantized, "--port", board.port, "--to", "fs", "--runtime", "--module", "nowhere.py:Net")
    assert command(*words) == 0
    told = capsys.readouterr()
    assert "--module is not needed" in told.err and "self-test passed" in told.out
