"""`burnstore deploy` brings a model to a board whole and proven, or leaves the old one in its place."""

import dataclasses
import json
import random

import numpy as np
import pytest

from burnpack.errors import BurnpackError, SaveFailed
from burnpack.reader import Reader
from burnpack.writer import Writer
from burnstore.boards.link import rom, runtime, selftest, upload
from burnstore.boards.link.deploy import deliver, opened, plan
from burnstore.boards.link.facts import look
from burnstore.boards.link.link import Link
from burnstore.models.program import arrays_of, load_program
from burnstore.numerics.arrays import tensor_from_array
from kit import support
from kit.boards.deploying import SHAPE, command, save_model


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Return the path of an old model.bpk, and that of a new one."""
    folder = tmp_path_factory.mktemp("made")
    return tuple(save_model(folder / f"seed{seed}" / "model.bpk", seed) for seed in (1, 2))


@pytest.fixture
def ready(board, made):
    """Return a board that has the runtime."""
    bring_runtime(board, made[0])
    return board


def bring_runtime(board, path):
    with Link(board.port) as link:
        facts, uses = look(link), opened(path).uses
        return runtime.bring(link, facts, runtime.look(link, facts, uses), uses)


def deployed(board, path, to="fs"):
    """Deploy a model; return whether anything had to be sent, and whether its self-test passed."""
    with Link(board.port) as link:
        facts = look(link)
        sent, outcome = deliver(link, facts, plan(facts, opened(path), to))
        return sent, outcome.passed


def deploy(path, board, *words):
    return command("deploy", path, "--port", board.port, *words)


def interrupted(board, path, count, to="fs", cut="fail_after"):
    """Deploy with a link, or link and power, that end after `count` bytes; then plug the board in again."""
    getattr(board, cut)(count)
    with pytest.raises(SaveFailed):
        deployed(board, path, to)
    board.unplug()
    board.plug()


def sent_for(board, path, to="fs"):
    """Return the bytes that are sent to deploy a model."""
    start = board.received
    deployed(board, path, to)
    return board.received - start


def in_rom(board):
    with Link(board.port) as link:
        return link.ask("print(open('/rom/model.bpk', 'rb').read())", bytes)


def test_the_model_lies_on_the_board_byte_for_byte_and_is_not_sent_twice(ready, made):
    for path in made:
        assert deployed(ready, path) == (True, True)
        assert (ready.folder / "model.bpk").read_bytes() == path.read_bytes()
    assert deployed(ready, made[1]) == (False, True)
    assert {path.name for path in ready.folder.iterdir()} == {"model.bpk", "burnrt.mpy"}


@pytest.mark.parametrize("storage,path", (("rom", "/rom/model.bpk"), ("fs", "/model.bpk")))
def test_the_board_proves_the_model_and_the_lines_to_type_run_there(board, made, capsys, storage, path):
    assert deploy(made[0], board, "--to", storage, "--runtime") == 0
    said = capsys.readouterr().out
    assert f"{path}: " in said and "self-test passed: 2 cases, largest deviation 0" in said
    typed = [line.strip() for line in said.partition("on the board:\n")[2].splitlines()]
    with Link(board.port) as link:
        assert link.run("\n".join(["x = [0.5] * 64", *typed])).strip() in "0123"
    assert typed[1] == 'model = Model("model")'


def test_run_answers_on_the_board_as_on_this_computer(ready, made, tmp_path, capsys):
    given = np.random.default_rng(5).random((3, *SHAPE), np.float32)
    np.save(tmp_path / "x.npy", given)
    words = ("--to", "fs", "--run", "--input", tmp_path / "x.npy")
    assert deploy(made[0], ready, *words, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    wanted = arrays_of(load_program(made[0].read_bytes())(given[:1]))[0]
    assert found["run"]["answers"] == [wanted.reshape(-1).tolist()] and found["run"]["microseconds"] >= 0
    assert deploy(made[0], ready, *words) == 0
    assert f"the largest is number {wanted.argmax()}" in capsys.readouterr().out


def test_an_input_of_another_shape_is_refused_before_anything_is_sent(ready, made, tmp_path, capsys):
    np.save(tmp_path / "x.npy", np.zeros((1, 1, 4, 4), "f4"))
    assert deploy(made[0], ready, "--run", "--input", tmp_path / "x.npy") == 1
    said = capsys.readouterr()
    assert "expected [[1, 1, 8, 8]]" in said.err and not said.out
    assert deploy(made[0], ready, "--run") == 2 and deploy(made[0], ready, "--input", "x.npy") == 2


@pytest.mark.parametrize("storage", ("fs", "rom"))
def test_a_model_that_fails_its_self_test_leaves_the_old_one(ready, made, tmp_path, capsys, storage):
    deployed(ready, made[0], storage)
    bad = save_model(tmp_path / "model.bpk", 3, wrong=0.5)
    assert deploy(bad, ready, "--to", storage) == 1
    said = capsys.readouterr()
    assert "self-test FAILED: 2 cases" in said.out and "what was there is kept" in said.err
    assert deployed(ready, made[0], storage) == (False, True)
    assert not list(ready.folder.glob("*.new"))


@pytest.mark.parametrize("storage", ("fs", "rom"))
def test_a_model_that_fails_where_there_was_none_is_not_put_in_place(ready, tmp_path, storage):
    bad = save_model(tmp_path / "model.bpk", 3, wrong=0.5)
    assert deployed(ready, bad, storage) == (True, False)
    with Link(ready.port) as link:
        assert "rom" not in link.ask("import os; print(os.listdir('/'))")
    assert [path.name for path in ready.folder.iterdir()] == ["burnrt.mpy"]


@pytest.mark.parametrize("storage", ("fs", "rom"))
def test_a_model_that_the_board_can_not_load_leaves_the_old_one(ready, made, tmp_path, monkeypatch, storage):
    deployed(ready, made[0], storage)
    monkeypatch.setattr(selftest, "_CASE", "raise MemoryError # %s %s")
    with pytest.raises(SaveFailed, match="MemoryError"):
        deployed(ready, made[1], storage)
    monkeypatch.undo()
    assert deployed(ready, made[0], storage) == (False, True)
    assert not list(ready.folder.glob("*.new"))


def test_wherever_the_link_is_cut_the_old_or_the_new_model_works(ready, made):
    old, new = made
    on_board, part = ready.folder / "model.bpk", ready.folder / "model.bpk.new"
    deployed(ready, old)
    whole = sent_for(ready, new)
    kept = 0
    for number, point in enumerate(random.Random(0).sample(range(whole), 16)):
        on_board.write_bytes(old.read_bytes())
        interrupted(ready, new, point, cut=("fail_after", "cut_after")[number % 2])
        assert on_board.read_bytes() in (old.read_bytes(), new.read_bytes())
        kept += part.exists()
        assert deployed(ready, new)[1]
        assert on_board.read_bytes() == new.read_bytes() and not part.exists()
    assert kept > 3  # so the cuts did hit the middle of an upload


def test_an_interrupted_upload_is_gone_on_with(ready, made):
    new = made[1]
    whole = sent_for(ready, new)
    (ready.folder / "model.bpk").unlink()
    interrupted(ready, new, whole * 2 // 3)
    there = (ready.folder / "model.bpk.new").stat().st_size
    assert there > 0 and sent_for(ready, new) < whole - there


@pytest.mark.parametrize("left", (b"another model", b"x" * 100_000))
def test_what_is_left_of_something_else_is_begun_anew(ready, made, left):
    (ready.folder / "model.bpk.new").write_bytes(left)
    assert deployed(ready, made[0]) == (True, True)
    assert (ready.folder / "model.bpk").read_bytes() == made[0].read_bytes()


def test_bytes_that_change_on_the_way_do_not_replace_the_old_model(ready, made, monkeypatch):
    old, new = made
    deployed(ready, old)
    plain = upload.b2a_base64
    monkeypatch.setattr(upload, "b2a_base64", lambda piece, newline: plain(piece[::-1], newline=newline))
    with pytest.raises(SaveFailed, match="changed on their way"):
        deployed(ready, new)
    assert (ready.folder / "model.bpk").read_bytes() == old.read_bytes()
    assert not (ready.folder / "model.bpk.new").exists()


def test_without_room_for_both_the_old_model_stays_and_the_way_out_is_said(ready, made):
    old, new = made
    deployed(ready, old)
    with Link(ready.port) as link:
        facts = dataclasses.replace(look(link), flash_free=4500)
        with pytest.raises(SaveFailed, match=r"mpremote rm :/model\.bpk"):
            deliver(link, facts, plan(facts, opened(new), "fs"))
    assert (ready.folder / "model.bpk").read_bytes() == old.read_bytes()


def test_in_the_rom_partition_the_model_is_aligned(ready, made):
    assert deployed(ready, made[0], None) == (True, True)
    with Link(ready.port) as link:
        program = "import uctypes\nprint(uctypes.addressof(memoryview(open('/rom/model.bpk','rb'))) - "
        address = "uctypes.addressof(__import__('vfs').rom_ioctl(2, 0)))"
        assert link.ask(program + address) % rom.ALIGNMENT == 0
    assert deployed(ready, made[0], None) == (False, True)


@pytest.mark.parametrize("share", (0.05, 0.3, 0.6, 0.9, 0.97))
def test_a_rom_image_that_is_cut_short_is_mounted_by_nobody_and_written_again(ready, made, share):
    old, new = made
    whole = sent_for(ready, old, "rom")
    interrupted(ready, new, int(whole * share), "rom")
    with Link(ready.port) as link:
        mounted = "rom" in link.ask("import os; print(os.listdir('/'))")
    if mounted:
        assert in_rom(ready) in (old.read_bytes(), new.read_bytes())
    deployed(ready, new, "rom")
    assert in_rom(ready) == new.read_bytes()


def test_a_rom_partition_that_is_not_written_says_why(ready, made, monkeypatch):
    monkeypatch.setattr(rom, "_HELPERS", rom._HELPERS + "def erase(size):\n    return -22\n")
    with pytest.raises(SaveFailed, match=r"Invalid argument.*romfs"):
        deployed(ready, made[0], "rom")


def test_without_a_rom_partition_a_file_is_made_and_rom_is_refused_with_the_other_storages(
    make_board, made, capsys
):
    board = make_board(rom=0)
    assert deploy(made[1], board, "--to", "rom") == 1
    said = capsys.readouterr().err
    assert "--to fs" in said and "burnstore freeze" in said
    assert deploy(made[1], board, "--runtime") == 0
    assert "/model.bpk: into a file" in capsys.readouterr().out


def test_a_rom_partition_with_other_files_is_left_alone(board, made):
    with Link(board.port) as link:
        rom.write(link, rom.image_of("notes.txt", b"mine"))
    with Link(board.port) as link:
        facts = look(link)
        assert plan(facts, opened(made[1])).storage == "fs"
        with pytest.raises(SaveFailed, match=r"notes\.txt"):
            plan(facts, opened(made[1]), "rom")


def test_files_of_a_rom_partition_are_lost_only_where_both_are_asked_for(ready, made, capsys):
    with Link(ready.port) as link:
        rom.write(link, rom.image_of("notes.txt", b"mine"))
    assert deploy(made[1], ready, "--to", "rom") == 1
    assert "--to rom --overwrite" in capsys.readouterr().err
    assert deploy(made[1], ready, "--overwrite") == 0  # into a file
    with Link(ready.port) as link:
        assert look(link).rom_files == ["notes.txt"]
    assert deploy(made[1], ready, "--to", "rom", "--overwrite") == 0
    with Link(ready.port) as link:
        assert look(link).rom_files == ["model.bpk"]


def test_a_file_that_a_name_would_not_find_is_opened_by_its_path(ready, made, capsys):
    with Link(ready.port) as link:
        rom.write(link, rom.image_of("model.bpk", b"old"))
    assert deploy(made[1], ready, "--to", "fs") == 0
    said = capsys.readouterr().out
    assert "a name alone would find /rom/model.bpk" in said and 'Model("/model.bpk")' in said
    with Link(ready.port) as link:
        rom.write(link, rom.image_of("other.bpk", b"old"))
    assert deploy(made[1], ready, "--to", "fs") == 0
    assert 'Model("model")' in capsys.readouterr().out


def test_a_rom_partition_that_is_too_small_is_not_taken(make_board, made):
    with Link(make_board(rom=4096).port) as link:
        facts = look(link)
        assert facts.rom_size == 4096 and plan(facts, opened(made[1])).storage == "fs"
        with pytest.raises(SaveFailed, match="too small"):
            plan(facts, opened(made[1]), "rom")


def test_a_file_without_cases_is_loaded_there_and_cases_are_said_to_be_possible(ready, tmp_path, capsys):
    path = save_model(tmp_path / "model.bpk", cases=0)
    assert deploy(path, ready, "--to", "fs") == 0
    assert "no self-test: the file has no cases (`burnstore golden` adds some)" in capsys.readouterr().out


def test_numbers_between_those_of_bytes_are_within_what_is_allowed(ready, tmp_path):
    path = save_model(tmp_path / "model.bpk", last=True)  # a LogSoftmax is computed in floats
    bring_runtime(ready, path)
    assert deployed(ready, path) == (True, True)


@pytest.mark.parametrize(
    "change", ("no output", "another shape", "another dtype", "one too many"), ids=lambda text: text
)
def test_cases_that_are_not_the_models_are_refused_before_a_board_is_asked(made, tmp_path, change):
    reader = Reader.from_bytes(made[0].read_bytes())
    tensors = [tensor for tensor in reader if tensor.name != "selftest.output.0"]
    given = {
        "no output": [],
        "another shape": [tensor_from_array("selftest.output.0", np.zeros((1, 5), "f4"))],
        "another dtype": [tensor_from_array("selftest.output.0", np.zeros((1, 4), "i4"))],
        "one too many": [
            tensor_from_array(name, np.zeros((1, 4), "f4"))
            for name in ("selftest.output.0", "selftest.output.0.1")
        ],
    }
    writer = Writer(tensors + given[change], reader.metadata(), reader.scalars())
    (tmp_path / "model.bpk").write_bytes(writer.to_bytes())
    error = support.raises(BurnpackError, opened, tmp_path / "model.bpk")
    assert "selftest.output.0" in str(error)


def test_a_file_without_a_program_says_how_to_get_one(tmp_path, capsys):
    (tmp_path / "model.bpk").write_bytes(Writer([]).to_bytes())
    assert command("deploy", tmp_path / "model.bpk", "--port", "/dev/no_such_board") == 1
    said = capsys.readouterr().err
    assert "burnstore convert" in said and "--shape" in said and "burnstore quantize" in said


def test_a_damaged_program_is_refused_before_a_board_is_asked(made, tmp_path, capsys):
    data = bytearray(made[0].read_bytes())
    start = Reader.from_bytes(bytes(data)).span("burnrt.program")[0]
    data[start + 24] = 99  # steps
    (tmp_path / "model.bpk").write_bytes(data)
    assert command("deploy", tmp_path / "model.bpk", "--port", "/dev/no_such_board") == 1
    said = capsys.readouterr().err
    assert "model.bpk" in said and "no_such_board" not in said and said.count("\n") == 1


def test_no_board_is_an_error_in_one_line(tmp_path, made, capsys):
    assert command("deploy", made[1], "--port", tmp_path / "tty") == 1
    said = capsys.readouterr()
    assert said.err.startswith("burnstore: ") and said.err.count("\n") == 1 and not said.out


def test_what_is_no_burnpack_is_refused_before_a_board_is_asked(tmp_path, capsys):
    for data, what in (
        (b"something else", "plain text"),
        (b"PK\3\4", "zip archive"),
        (b"\x80\2}.", "not a Burnpack"),
    ):
        (tmp_path / "model.bpk").write_bytes(data)
        assert command("deploy", tmp_path / "model.bpk", "--port", "/dev/no_such_board") == 1
        assert what in capsys.readouterr().err


def test_an_error_of_several_lines_is_told_whole(board):
    with Link(board.port) as link:
        error = support.raises(
            SaveFailed, link.run, "def f():\n    raise ValueError('one\\n  two\\nthree')\nf()"
        )
    assert "the board raised ValueError: one; two; three" in str(error)


def test_too_little_memory_is_told_with_what_was_asked_and_what_is_free(make_board):
    with Link(make_board(heap="64K", rom=0).port) as link:
        error = support.raises(SaveFailed, link.run, "bytearray(100000)")
    assert "allocating 100000 bytes" in str(error) and "bytes of heap are free" in str(error)
    free, most = (
        int(text.replace(",", "")) for text in str(error).split(" ") if text[:1].isdigit() and "," in text
    )
    assert 0 < most <= free < 65536
