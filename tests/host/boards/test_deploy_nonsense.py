"""A board that answers nonsense is told of on one line, whatever it says, how much, and for how long."""

import pytest

from burnstore import cli
from burnstore.boards.link import link as links
from kit.boards.deploying import save_model
from kit.boards.fake_board import FakeBoard, facts, raised, runtime, said

MANY = 3 << 20

FACTS_OF_NO_BOARD = {
    "nothing": b"\x04\x04",
    "another type": said(5),
    "too few": said(("unix", "a board")),
    "too many": said(tuple(range(40))),
    "texts for numbers": facts(heap_free="100000"),
    "numbers for texts": facts(machine=5),
    "files that are none": facts(rom_files=[1, 2]),
    "a truth for a number": facts(flash_free=True),
    "a negative heap": facts(heap_free=-1),
    "a negative file system": facts(flash_free=-4096),
    "a heap beyond all": facts(heap_free=10**30),
    "no number that Python reads": b"9" * 5000 + b"\x04\x04",
    "a set of lists": b"{[]: 1}\x04\x04",
    "deep lists": b"[" * 5000 + b"\x04\x04",
    "many minuses": b"-" * 20_000 + b"1\x04\x04",
    "bytes that are no text": bytes(range(5, 256)) + b"\x04\x04",
    "one long line": b"x" * MANY,
    "one long line, ended": b"x" * MANY + b"\x04\x04",
    "an error of control characters": raised(b"ValueError: \x1b]0;pwned\x07\x1b[31m\xc2\x9b\xe2\x80\xae"),
    "an error of megabytes": b"\x04" + b"y" * MANY,
    "half an answer": b"('unix', 'a bo",
    "control characters": said("x") + b"\x1b[2J",
    "a cut link": None,
}


@pytest.fixture
def model(tmp_path):
    return save_model(tmp_path / "model.bpk", dense=True)


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(links, "PATIENCE", 3)
    monkeypatch.setattr(links, "_READ", 1)


def deployed(capsys, model, board, *words):
    """Deploy onto a board; return the exit code, stdout, and the one line on stderr."""
    with board, pytest.raises(SystemExit) as ended:
        cli.main(["deploy", str(model), "--port", board.port, *words])
    found = capsys.readouterr()
    assert all(letter == "\n" or letter.isprintable() for letter in found.out + found.err)
    assert len(found.err) < 2000 and found.err.count("\n") == bool(found.err)
    return ended.value.code, found.out, found.err


@pytest.mark.parametrize("kind", FACTS_OF_NO_BOARD)
def test_facts_that_are_those_of_no_board_are_refused(capsys, model, kind):
    board = FakeBoard(FACTS_OF_NO_BOARD[kind])
    code, out, err = deployed(capsys, model, board)
    assert (code, out) == (1, "") and err.startswith("burnstore: /dev/"), err
    assert board.sent < MANY  # most of it was not waited for


@pytest.mark.parametrize("greeting", [b"\xff\x00\x1b[31m garbage", b"x" * 4096, b"raw REPL", b"\r\n>>> "])
def test_a_board_that_babbles_is_listened_to_for_a_while(capsys, model, greeting):
    board = FakeBoard(greeting=greeting)
    code, out, err = deployed(capsys, model, board)
    assert (code, out) == (1, "") and err.startswith("burnstore: /dev/") and board.sent < MANY


def test_what_a_board_is_called_does_not_reach_the_terminal_raw(capsys, model):
    name = "\x1b]0;pwned\x07 board\nburnstore: all is well\u202e"
    board = FakeBoard(facts(machine=name), raised(b"OSError: no"))
    code, out, err = deployed(capsys, model, board)
    assert code == 1 and "\\x1b]0;pwned\\x07 board\\x0aburnstore: all is well" in out
    assert out.count("\n") == 2 and "the board raised OSError: no" in err


# What the board says of the file once its facts are known: to the helpers, to the question for the hash.
UPLOADS = {
    "no hash": (b"\x04\x04", b"\x04\x04"),
    "a hash of other types": (b"\x04\x04", said(("5", 5))),
    "an error": (raised(b"OSError: 28"),),
    "a cut link": (b"\x04\x04", None),
}


# What the board says of its runtime.
RUNTIMES = {
    "nothing": b"\x04\x04",
    "other types": said(("", "", 1)),
    "an error": raised(b"OSError: 5"),
    "an error of control characters": raised(b"\x1b[2J"),
    "a cut link": None,
}


@pytest.mark.parametrize("kind", RUNTIMES)
@pytest.mark.parametrize("words", ((), ("--runtime",)))
def test_what_a_board_says_of_its_runtime_is_not_believed(capsys, model, kind, words):
    code, out, err = deployed(capsys, model, FakeBoard(facts(), RUNTIMES[kind], None), *words)
    assert code == 1 and err.startswith("burnstore: /dev/") and "arrived" not in out


@pytest.mark.parametrize("kind", UPLOADS)
def test_what_goes_wrong_with_a_file_names_it(capsys, model, kind):
    code, _, err = deployed(capsys, model, FakeBoard(facts(), runtime(), *UPLOADS[kind], None))
    assert code == 1 and ": /model.bpk: " in err


@pytest.mark.parametrize("least", [0, -5, 10**12, "4", None])
def test_a_rom_partition_of_impossible_pages_is_not_written_to(capsys, model, least):
    there = b"\x04\x04", said("no hash"), b"\x04\x04", said(b"no image"), b"\x04\x04"
    answers = facts(rom_size=1 << 20), runtime(), *there, said(least), None
    code, _, err = deployed(capsys, model, FakeBoard(*answers), "--to", "rom")
    assert code == 1 and ": /rom/model.bpk: " in err


@pytest.mark.parametrize("name", ["foo://bar", "\udcff", "", "/dev/null", "x" * 5000])
def test_a_port_that_is_none_is_told_on_one_line(capsys, model, name):
    with pytest.raises(SystemExit) as ended:
        cli.main(["deploy", str(model), "--port", name])
    found = capsys.readouterr()
    assert ended.value.code == 1 and found.err.startswith("burnstore: ") and found.err.count("\n") == 1
