"""`burnstore deploy` brings a model to a board whole, or leaves the old one in its place."""

import dataclasses
import random
from pathlib import Path

import numpy as np
import pytest

from burnpack.errors import SaveFailed, Unsupported
from burnstore import cli
from burnstore.boards.link import rom, runtime, selftest, upload
from burnstore.boards.link.deploy import deliver, plan
from burnstore.boards.link.facts import look
from burnstore.boards.link.link import Link
from burnstore.boards.runtime import contents
from burnstore.models.model import load_module
from burnstore.models.selftest import with_golden
from burnstore.numerics.arrays import tensor_from_array
from burnstore.pipeline.writing import save_burnpack
from kit import support

FEATURES = 40
SOURCE = """\
from burnrt import nn

class Net(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(%d, %d)

    def forward(self, x):
        return self.fc(x)
""" % (FEATURES, FEATURES)


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Return (the model's FILE:CLASS, the path of an old model.bpk, that of a new one)."""
    folder = tmp_path_factory.mktemp("made")
    source = folder / "net.py"
    source.write_text(SOURCE)
    paths = []
    for seed in (1, 2):
        path = folder / ("seed%d" % seed) / "model.bpk"
        path.parent.mkdir()
        save_model(path, "%s:Net" % source, seed)
        paths.append(path)
    return "%s:Net" % source, *paths


def save_model(path, spec, seed, wrong=0.0):
    generator = np.random.default_rng(seed)
    weight, bias = generator.random((FEATURES, FEATURES), "f4"), generator.random(FEATURES, "f4")
    tensors = [tensor_from_array("fc.weight", weight), tensor_from_array("fc.bias", bias)]
    given = generator.random((1, FEATURES), "f4")
    tensors, scalars = with_golden(tensors, load_module(spec), [given])
    if wrong:
        answer = np.array(np.frombuffer(tensors[-1].data(), "<f4")).reshape(1, FEATURES) + np.float32(wrong)
        tensors[-1] = tensor_from_array(tensors[-1].name, answer)
    save_burnpack(path, tensors, (), scalars, overwrite=True)


def entries(spec=None):
    """Return what a float model takes of the runtime: the layers in its source, or all."""
    return contents.entries(None, Path(spec.rpartition(":")[0]) if spec else None)


def deployed(board, path, to="fs"):
    """Deploy a model; return whether anything had to be sent."""
    with Link(board.port) as link:
        facts = look(link)
        return deliver(link, facts, plan(facts, path, to))


def command(*words):
    """Run the command; return its exit code."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["deploy", *map(str, words)])
    return ended.value.code


def interrupted(board, path, count, to="fs", cut="fail_after"):
    """Deploy with a link, or link and power, that end after `count` bytes; then plug the board in again."""
    getattr(board, cut)(count)
    with pytest.raises(SaveFailed):
        deployed(board, path, to)
    board.unplug()
    board.plug()


def test_the_model_lies_on_the_board_byte_for_byte_and_is_not_sent_twice(board, made):
    _, old, new = made
    assert deployed(board, old) and (board.folder / "model.bpk").read_bytes() == old.read_bytes()
    assert deployed(board, new) and (board.folder / "model.bpk").read_bytes() == new.read_bytes()
    assert not deployed(board, new)
    assert [path.name for path in board.folder.iterdir()] == ["model.bpk"]


def test_wherever_the_link_is_cut_the_old_or_the_new_model_works(board, made):
    spec, old, new = made
    with Link(board.port) as link:
        runtime.install(link, look(link), entries())
    on_board, part = board.folder / "model.bpk", board.folder / "model.bpk.part"
    deployed(board, old)
    start = board.received
    deployed(board, new)
    whole = board.received - start
    points = random.Random(0).sample(range(whole), 50)
    kept = 0
    for number, point in enumerate(points):
        on_board.write_bytes(old.read_bytes())
        interrupted(board, new, point, cut=("fail_after", "cut_after")[number % 2])
        assert on_board.read_bytes() in (old.read_bytes(), new.read_bytes())
        kept += part.exists()
        with Link(board.port) as link:
            assert selftest.run(link, "/model.bpk", spec).passed
        deployed(board, new)
        assert on_board.read_bytes() == new.read_bytes() and not part.exists()
    assert kept > 10  # so the cuts did hit the middle of an upload


def test_an_interrupted_upload_is_gone_on_with(board, made):
    new = made[2]
    start = board.received
    deployed(board, new)
    whole = board.received - start
    (board.folder / "model.bpk").unlink()
    interrupted(board, new, whole * 3 // 4)
    assert (board.folder / "model.bpk.part").stat().st_size > 0
    start = board.received
    assert deployed(board, new)
    assert board.received - start < whole * 3 // 4


@pytest.mark.parametrize("left", (b"another model", b"x" * 100_000))
def test_a_part_of_something_else_is_begun_anew(board, made, left):
    (board.folder / "model.bpk.part").write_bytes(left)
    assert deployed(board, made[1])
    assert (board.folder / "model.bpk").read_bytes() == made[1].read_bytes()


def test_bytes_that_change_on_the_way_do_not_replace_the_old_model(board, made, monkeypatch):
    _, old, new = made
    deployed(board, old)
    plain = upload.b2a_base64
    monkeypatch.setattr(upload, "b2a_base64", lambda piece, newline: plain(piece[::-1], newline=newline))
    with pytest.raises(SaveFailed, match="changed on their way"):
        deployed(board, new)
    assert (board.folder / "model.bpk").read_bytes() == old.read_bytes()
    assert not (board.folder / "model.bpk.part").exists()


def test_without_room_for_both_the_old_model_stays_and_the_way_out_is_said(board, made):
    _, old, new = made
    deployed(board, old)
    with Link(board.port) as link:
        facts = dataclasses.replace(look(link), flash_free=6000)
        with pytest.raises(SaveFailed, match=r"mpremote rm :/model\.bpk"):
            deliver(link, facts, plan(facts, new, "fs"))
    assert (board.folder / "model.bpk").read_bytes() == old.read_bytes()


def test_in_the_rom_partition_the_model_is_aligned_and_answers_right(board, made, capsys):
    spec, old, _ = made
    assert command(old, "--port", board.port, "--runtime", "--module", spec) == 0
    assert "/rom/model.bpk" in capsys.readouterr().out
    with Link(board.port) as link:
        program = "import uctypes\nprint(uctypes.addressof(memoryview(open('/rom/model.bpk','rb'))) - "
        address = "uctypes.addressof(__import__('vfs').rom_ioctl(2, 0)))"
        assert link.ask(program + address) % rom.ALIGNMENT == 0
    assert not deployed(board, old, None)


@pytest.mark.parametrize("share", (0.05, 0.3, 0.6, 0.9, 0.97))
def test_a_rom_image_that_is_cut_short_is_mounted_by_nobody_and_written_again(board, made, share):
    _, old, new = made
    start = board.received
    deployed(board, old, "rom")
    interrupted(board, new, int((board.received - start) * share), "rom")
    with Link(board.port) as link:
        mounted = "rom" in link.ask("import os; print(os.listdir('/'))")
        if mounted:
            assert link.ask("print(open('/rom/model.bpk', 'rb').read())") == old.read_bytes()
    deployed(board, new, "rom")
    with Link(board.port) as link:
        assert link.ask("print(open('/rom/model.bpk', 'rb').read())") == new.read_bytes()


def test_without_a_rom_partition_a_file_is_made_and_rom_is_refused_with_the_other_storages(
    make_board, made, capsys
):
    board = make_board(rom=0)
    assert command(made[1], "--port", board.port, "--to", "rom") == 1
    said = capsys.readouterr().err
    assert "--to fs" in said and "burnstore freeze" in said
    assert command(made[1], "--port", board.port) == 0
    assert "/model.bpk: into a file" in capsys.readouterr().out


def test_a_rom_partition_with_other_files_is_left_alone(board, made):
    with Link(board.port) as link:
        rom.write(link, rom.image_of("notes.txt", b"mine"))
    with Link(board.port) as link:
        facts = look(link)
        assert plan(facts, made[1]).storage == "fs"
        with pytest.raises(SaveFailed, match=r"notes\.txt"):
            plan(facts, made[1], "rom")


def test_files_of_a_rom_partition_are_lost_only_where_both_are_asked_for(board, made, capsys):
    with Link(board.port) as link:
        rom.write(link, rom.image_of("notes.txt", b"mine"))
    assert command(made[1], "--port", board.port, "--to", "rom") == 1
    assert "--to rom --overwrite" in capsys.readouterr().err
    assert command(made[1], "--port", board.port, "--overwrite") == 0  # into a file
    with Link(board.port) as link:
        assert look(link).rom_files == ["notes.txt"]
    assert command(made[1], "--port", board.port, "--to", "rom", "--overwrite") == 0
    with Link(board.port) as link:
        assert look(link).rom_files == ["model.bpk"]


@pytest.mark.parametrize("older", ["{}.bpk", "{}.safetensors", "{}"])
def test_a_file_that_a_program_would_not_find_is_said_to_be_hidden(board, made, capsys, older):
    older = older.format(made[1].stem)
    with Link(board.port) as link:
        rom.write(link, rom.image_of(older, b"old"))
    assert command(made[1], "--port", board.port, "--to", "fs") == 0
    assert f"blob.find takes /rom/{older} instead" in capsys.readouterr().err
    with Link(board.port) as link:
        rom.write(link, rom.image_of("other.bpk", b"old"))
    assert command(made[1], "--port", board.port, "--to", "fs") == 0
    assert "blob.find" not in capsys.readouterr().err


def test_a_rom_partition_that_is_too_small_is_not_taken(make_board, made):
    with Link(make_board(rom=4096).port) as link:
        facts = look(link)
        assert facts.rom_size == 4096 and plan(facts, made[1]).storage == "fs"
        with pytest.raises(SaveFailed, match="too small"):
            plan(facts, made[1], "rom")


def test_wrong_answers_on_the_board_are_an_error(board, made, tmp_path, capsys):
    save_model(tmp_path / "model.bpk", made[0], 1, wrong=0.5)
    words = (tmp_path / "model.bpk", "--port", board.port, "--to", "fs", "--runtime", "--module", made[0])
    assert command(*words) == 1
    assert "self-test FAILED: 1 case," in capsys.readouterr().out


def test_a_board_without_the_runtime_is_told_how_to_get_it(board, made, capsys):
    assert command(made[1], "--port", board.port, "--module", made[0]) == 1
    assert "--runtime" in capsys.readouterr().err


def test_a_source_beside_the_models_is_brought_its_layers_and_named_where_the_board_lacks_it(
    board, made, tmp_path, capsys
):
    parts = "from burnrt import nn\n\nmake, other = nn.Linear, nn.GroupNorm\n"
    (tmp_path / "parts.py").write_text(parts)
    source = tmp_path / "net.py"
    source.write_text("import parts\n" + SOURCE.replace("nn.Linear", "parts.make"))
    assert {"burnrt.nn.linear", "burnrt.nn.group_norm"} <= set(entries(f"{source}:Net"))
    words = ("--port", board.port, "--to", "fs", "--runtime", "--module", f"{source}:Net")
    assert command(made[1], *words) == 1
    told = capsys.readouterr().err
    assert "no module named 'parts'" in told and "mpremote cp" in told and "--runtime" not in told


@pytest.mark.parametrize("module", ["Net", "net.py", "net.py:", ":Net"])
def test_a_module_that_is_not_named_with_its_file_is_refused_before_anything_is_sent(
    board, made, capsys, module
):
    assert command(made[1], "--port", board.port, "--to", "fs", "--module", module) == 2
    said = capsys.readouterr()
    assert "FILE:CLASS" in said.err and "arrived" not in said.out


def test_the_runtime_is_compiled_for_the_board_and_sent_once(board, made):
    with Link(board.port) as link:
        facts = look(link)
        assert (facts.architecture, facts.mpy_version, facts.library) == ("x64", 6, "/lib")
        sent, size = runtime.install(link, facts, entries(made[0]))
        assert sent > 20 and size == sum(path.stat().st_size for path in board.folder.rglob("*.mpy"))
        assert runtime.install(link, facts, entries(made[0])) == (0, size)
    names = {path.stem for path in (board.folder / "lib" / "burnrt" / "nn").iterdir()}
    assert "linear" in names and "conv" not in names  # what this model does not use is not brought


def test_a_changed_file_of_the_runtime_is_sent_again(board):
    with Link(board.port) as link:
        facts = look(link)
        runtime.install(link, facts, entries())
        changed = board.folder / "lib" / "burnpack" / "layout.mpy"
        good = changed.read_bytes()
        changed.write_bytes(b"old")
        assert runtime.install(link, facts, entries())[0] == 1 and changed.read_bytes() == good


def test_a_board_that_loads_no_compiled_files_gets_the_sources(board):
    with Link(board.port) as link:
        files = runtime.files(dataclasses.replace(look(link), mpy=0), entries())
        assert {file.path.rpartition(".")[2] for file in files} == {"py"}
        with pytest.raises(Unsupported, match="another version"):
            runtime.files(dataclasses.replace(look(link), mpy=5), entries())


def test_no_board_is_an_error_in_one_line(tmp_path, made, capsys):
    assert command(made[1], "--port", str(tmp_path / "tty")) == 1
    said = capsys.readouterr()
    assert said.err.startswith("burnstore: ") and said.err.count("\n") == 1 and not said.out


def test_what_is_no_burnpack_is_refused_before_a_board_is_asked(tmp_path, capsys):
    for data, what in (
        (b"something else", "plain text"),
        (b"PK\3\4", "zip archive"),
        (b"\x80\2}.", "not a Burnpack"),
    ):
        (tmp_path / "model.bpk").write_bytes(data)
        assert command(tmp_path / "model.bpk", "--port", "/dev/no_such_board") == 1
        assert what in capsys.readouterr().err


def test_an_error_of_several_lines_is_told_whole(board):
    with Link(board.port) as link:
        error = support.raises(
            SaveFailed, link.run, "def f():\n    raise ValueError('one\\n  two\\nthree')\nf()"
        )
    assert "the board raised ValueError: one; two; three" in str(error)
