"""`deploy --runtime` brings one file that runs all models of a board, and sees what would come before it."""

import dataclasses

import pytest

from burnpack.errors import LoadFailed, SaveFailed, Unsupported
from burnstore.boards.link import runtime
from burnstore.boards.link.deploy import deliver, opened, plan
from burnstore.boards.link.facts import look
from burnstore.boards.link.link import Link
from kit.boards.deploying import command, save_model

OLD = "VERSION = '0.0'\n"


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    """Return the path of a model with a convolution, a pool and dense layers."""
    return save_model(tmp_path_factory.mktemp("made") / "model.bpk")


@pytest.fixture(scope="session")
def dense(tmp_path_factory):
    """Return the path of a model with dense layers alone."""
    return save_model(tmp_path_factory.mktemp("made") / "dense.bpk", dense=True)


def deploy(path, board, *words):
    return command("deploy", path, "--port", board.port, "--to", "fs", *words)


def files(board):
    return sorted(str(path.relative_to(board.folder)) for path in board.folder.rglob("*") if path.is_file())


def put(board, path, text=OLD):
    (board.folder / path).parent.mkdir(parents=True, exist_ok=True)
    (board.folder / path).write_text(text)


def test_the_runtime_is_one_file_beside_the_model_and_is_sent_once(board, model, capsys):
    assert deploy(model, board, "--runtime") == 0
    said = capsys.readouterr().out
    assert "runtime: /burnrt.mpy, " in said and "int8.conv2d int8.linear int8.max_pool2d, sent" in said
    assert files(board) == ["burnrt.mpy", "model.bpk"]
    assert deploy(model, board, "--runtime") == 0
    assert "is there already" in capsys.readouterr().out


def test_where_there_is_a_folder_for_modules_the_runtime_goes_there(board, model):
    (board.folder / "lib").mkdir()
    assert deploy(model, board, "--runtime") == 0 and "lib/burnrt.mpy" in files(board)


def test_the_runtime_of_a_second_model_runs_the_first_one_too(board, model, dense, capsys):
    assert deploy(dense, board, "--runtime") == 0 and deploy(model, board, "--runtime") == 0
    size = (board.folder / "burnrt.mpy").stat().st_size
    assert deploy(dense, board) == 0  # and does so again
    capsys.readouterr()
    assert deploy(dense, board, "--runtime") == 0
    assert "int8.conv2d" in capsys.readouterr().out and (board.folder / "burnrt.mpy").stat().st_size == size


def test_a_board_without_a_runtime_is_told_how_to_get_it_before_the_model_is_sent(board, model, capsys):
    assert deploy(model, board) == 1
    assert "the board has no runtime: --runtime brings it" in capsys.readouterr().err and not files(board)


def test_a_runtime_that_lacks_a_kernel_is_noticed_before_the_model_is_sent(board, model, dense, capsys):
    assert deploy(dense, board, "--runtime") == 0
    there = files(board)
    assert deploy(model, board) == 1
    said = capsys.readouterr().err
    assert "int8.conv2d, int8.max_pool2d" in said and "--runtime" in said and files(board) == there


@pytest.mark.parametrize("older", ("lib/burnrt/__init__.py", "lib/burnrt.py"))
def test_an_older_runtime_in_the_folder_for_modules_is_replaced(board, model, capsys, older):
    put(board, older)
    put(board, "lib/burnpack/__init__.py")
    assert deploy(model, board) == 1
    said = capsys.readouterr().err
    assert "can't be used" in said and "--runtime" in said
    assert deploy(model, board, "--runtime") == 0
    said = capsys.readouterr()
    assert "removed, an older runtime" in said.err and "self-test passed" in said.out
    assert files(board) == ["lib/burnpack/__init__.py", "lib/burnrt.mpy", "model.bpk"]


@pytest.mark.parametrize(
    "older,way",
    (("burnrt/__init__.py", "mpremote rm -r :/burnrt`"), ("burnrt.py", "mpremote rm :/burnrt.py`")),
)
def test_one_among_the_users_files_is_named_with_the_command_that_removes_it(
    board, model, capsys, older, way
):
    (board.folder / "lib").mkdir()
    put(board, older)
    assert deploy(model, board, "--runtime") == 1
    said = capsys.readouterr().err
    assert way in said and said.count("\n") == 1 and files(board) == [older]


def test_an_older_runtime_that_is_one_file_is_replaced_where_it_is(board, model, dense):
    (board.folder / "lib").mkdir()
    assert deploy(dense, board, "--runtime") == 0
    (board.folder / "lib" / "burnrt.mpy").rename(board.folder / "burnrt.mpy")
    assert deploy(model, board, "--runtime") == 0
    assert files(board) == ["burnrt.mpy", "dense.bpk", "model.bpk"]


def test_a_compiled_file_for_another_processor_is_told_and_replaced(board, model, capsys):
    (board.folder / "burnrt.mpy").write_bytes(b"M\x06\xfe\x1f" + bytes(20))
    assert deploy(model, board) == 1
    assert "incompatible .mpy" in capsys.readouterr().err
    assert deploy(model, board, "--runtime") == 0


def test_a_board_that_loads_no_compiled_files_gets_the_source_with_plain_kernels(board, model):
    ready = opened(model)
    with Link(board.port) as link:
        facts = dataclasses.replace(look(link), mpy=0)
        found = runtime.look(link, facts, ready.uses)
        runtime.bring(link, facts, found, ready.uses)
        assert deliver(link, facts, plan(facts, ready, "fs"))[1].passed
        with pytest.raises(Unsupported, match="another version"):
            runtime.bring(link, dataclasses.replace(facts, mpy=5), found, ready.uses)
    assert files(board) == ["burnrt.py", "model.bpk"]


def test_a_board_without_a_file_system_is_told_what_takes_a_runtime_there(board, model):
    ready = opened(model)
    with Link(board.port) as link:
        facts = dataclasses.replace(look(link), flash_free=-1)
        found = runtime.look(link, facts, ready.uses)
        with pytest.raises(Unsupported, match=r"burnstore romfs.*burnstore freeze"):
            runtime.bring(link, facts, found, ready.uses)
        with pytest.raises(Unsupported, match=r"burnstore romfs.*burnstore freeze"):
            plan(facts, ready, "fs")


def test_a_runtime_that_does_not_fit_is_an_error_and_nothing_is_left(board, model):
    ready = opened(model)
    with Link(board.port) as link:
        facts = dataclasses.replace(look(link), flash_free=6000)
        with pytest.raises(SaveFailed, match="not enough free flash"):
            runtime.bring(link, facts, runtime.look(link, facts, ready.uses), ready.uses)
    assert not files(board)


def test_a_runtime_in_the_firmware_is_told_from_one_in_a_file():
    there = {"files": [], "has_library": False, "wrong": "", "uses": runtime.Uses(("a",), ()), "lacking": []}
    frozen = runtime.Found(file=None, **there)
    assert frozen.is_kept and not frozen.is_absent
    lacking = dataclasses.replace(frozen, lacking=["b"], has_library=True)
    with pytest.raises(LoadFailed, match="lacks kernels"):
        runtime.check(lacking, "port")
