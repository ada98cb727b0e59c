"""`burnstore profile` says what each step of a model takes on a board."""

import json

import numpy as np
import pytest

from kit.boards.deploying import command, save_model

KERNELS = ["int8.conv2d", "int8.max_pool2d", "int8.linear", "int8.linear"]
MACS = [8 * 9 * 36, 0, 72 * 128, 128 * 4]


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    return save_model(tmp_path_factory.mktemp("made") / "model.bpk")


@pytest.mark.parametrize("storage", ("fs", "rom"))
def test_each_step_has_its_time_and_its_products(board, model, capsys, storage):
    assert command("deploy", model, "--port", board.port, "--runtime", "--to", storage) == 0
    capsys.readouterr()
    assert command("profile", model, "--port", board.port, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [step["kernel"] for step in found["steps"]] == KERNELS
    assert [step["macs"] for step in found["steps"]] == MACS
    assert found["microseconds"] == sum(step["microseconds"] for step in found["steps"])
    assert found["heap"]["runtime"] > 1000 and found["heap"]["free"] > 1 << 20


def test_the_table_names_the_layers(board, model, capsys, tmp_path):
    np.save(tmp_path / "x.npy", np.zeros((1, 1, 8, 8), "f4"))
    assert command("deploy", model, "--port", board.port, "--runtime", "--to", "fs") == 0
    capsys.readouterr()
    assert command("profile", model, "--port", board.port, "--input", tmp_path / "x.npy") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:7]] == ["step", "conv", "pool", "hidden", "fc", "all"]
    assert "instructions" not in lines[1] and lines[-1].startswith("heap: ")


def test_a_model_that_is_not_on_the_board_or_another_one_is_an_error(board, model, capsys, tmp_path):
    other = save_model(tmp_path / "model.bpk", dense=True)
    assert command("deploy", other, "--port", board.port, "--runtime", "--to", "fs") == 0
    assert command("profile", model, "--port", board.port) == 1
    assert "another model of this name" in capsys.readouterr().err
    (board.folder / "model.bpk").unlink()
    assert command("profile", model, "--port", board.port) == 1
    error = capsys.readouterr().err
    assert "ENOENT" in error and "`burnstore deploy` brings a model" in error
