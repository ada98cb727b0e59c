"""Models whose ends need more of a board's runtime than kernels: states, and indices of 16 bits.

A runtime keeps states, and a self-test begins each case with zeros.
"""

import json

import numpy as np
import pytest

from burnpack.reader import Reader
from burnstore.boards.link import runtime
from burnstore.boards.link.deploy import opened
from burnstore.boards.link.facts import look
from burnstore.boards.link.link import Link
from burnstore.boards.runtime.bundle import bundle
from burnstore.boards.runtime.contents import entries
from burnstore.boards.runtime.modules import file_name, modules, needed
from burnstore.models.program import load_program
from burnstore.models.selftest import with_program_golden
from burnstore.pipeline.writing import save_burnpack
from burnstore.programs.uses import STATES, Uses, uses_of
from kit import support
from kit.boards.deploying import command, save_model
from kit.models.streaming import recorded


@pytest.fixture(scope="session")
def stream(tmp_path_factory):
    """Return the path of a model with a state and a self-test of two cases, its inputs, and its answers."""
    data, given, answers = recorded()
    path = tmp_path_factory.mktemp("made") / "stream.bpk"
    reader = Reader.from_static(data)
    tensors, scalars = with_program_golden(reader, load_program(data), [row[None] for row in given[:2]])
    save_burnpack(path, tensors, reader.metadata(), scalars)
    return path, given, answers


@pytest.fixture(scope="session")
def words(tmp_path_factory):
    """Return the path of a model that takes indices of 16 bits, with a self-test."""
    source = support.path("tests/vectors/words/words")
    path = tmp_path_factory.mktemp("words") / "words.bpk"
    assert command("quantize", f"{source}.pt2", "--calibrate", f"{source}.io.safetensors", "-o", path) == 0
    return path


@pytest.fixture(params=["states", "indices"])
def needing(request):
    """Return what ends need of a runtime, and the path of a model of which they do."""
    if request.param == "indices":
        return "indices", request.getfixturevalue("words")
    return "states", request.getfixturevalue("stream")[0]


def deploy(path, board, *words):
    return command("deploy", path, "--port", board.port, "--to", "fs", *words)


def test_the_board_proves_the_model_and_goes_on_from_each_run_to_the_next(board, stream, capsys):
    path, given, answers = stream
    assert deploy(path, board, "--runtime", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["selftest"]["passed"] and said["selftest"]["cases"] == 2
    *typed, reset = said["program"]
    assert reset.startswith("model.reset()")
    script = "\n".join([f"x = {given[0].tolist()}", *typed, reset, f"rows = {given.tolist()}"])
    with Link(board.port) as link:
        link.run(script)
        found = link.ask("print([list(model(row).data) for row in rows])", [[float]])
    np.testing.assert_allclose(found, answers, rtol=0, atol=1e-5)


def test_a_runtime_that_lacks_them_is_noticed_and_one_is_brought_for_all(board, needing, tmp_path, capsys):
    what, path = needing
    other = save_model(tmp_path / "other.bpk", dense=True)
    assert deploy(other, board, "--runtime") == 0
    assert deploy(path, board) == 1
    assert what in capsys.readouterr().err
    assert deploy(path, board, "--runtime") == 0
    assert deploy(other, board, "--runtime") == 0  # which keeps what it was for
    assert deploy(path, board) == 0


def test_a_runtime_of_many_files_has_them(board, needing):
    uses = opened(needing[1]).uses
    assert needing[0] in uses.ends
    for name in needed(entries(uses)):
        file = board.folder / "lib" / file_name(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(modules()[name].read_bytes())
    with Link(board.port) as link:
        found = runtime.look(link, look(link), uses)
    assert found.is_whole, (found.wrong, found.lacking)
    assert deploy(needing[1], board) == 0


def test_profile_runs_a_model_with_states(board, stream, capsys):
    assert deploy(stream[0], board, "--runtime") == 0
    capsys.readouterr()
    assert command("profile", stream[0], "--port", board.port, "--json") == 0
    assert json.loads(capsys.readouterr().out)["steps"][-1]["kernel"] == "linear"


def test_only_a_bundle_of_models_with_states_has_code_for_them(stream):
    kept = uses_of(Reader.from_static(stream[0].read_bytes()))
    assert STATES in kept.ends
    with_them, without = (bundle([Uses(kept.steps, ends)]).source for ends in (kept.ends, ()))
    assert "def reset" in with_them and "def reset" not in without and ".states" not in without


def test_fit_says_what_states_take(stream, capsys):
    assert command("fit", stream[0], "--board", "pico", "--json") == 0
    assert json.loads(capsys.readouterr().out)["states"] == 4 * 6
    assert command("fit", stream[0], "--board", "pico") == 0
    assert "of which states take 24" in capsys.readouterr().out
