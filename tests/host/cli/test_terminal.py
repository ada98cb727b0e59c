"""What reaches a terminal: nothing from outside raw, JSON in every locale, and no traceback."""

import ast
import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from burnpack import errors
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnstore import cli
from burnstore.cli.echo import echo, echo_json
from kit import support
from kit.boards.freezing import ENVIRONMENT
from kit.int8.small_int8 import STEPS, Parts

CLI = Path(support.path("host/burnstore/cli"))
LOCALES = {
    "UTF-8": {"PYTHONUTF8": "1"},
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "Latin-1": {"PYTHONIOENCODING": "latin-1"},
}
NAMES = ("日", "\x9b2J", "\x7f", "\u202eevil", "\u2066x\u2069", "😀", "\x1b]0;pwned\x07", "a\nb")
BAD = b"b\xff\x1b[31m\nd"  # of a folder: neither UTF-8 nor on one line
DIGITS = "9" * 5000


def called(*words, environment=None, **options):
    """Run the command on words of bytes; return (exit code, stdout, stderr), each in bytes."""
    command = [sys.executable, "-m", "burnstore", *words]
    environment = {**ENVIRONMENT, **(environment or {})}
    done = subprocess.run(command, capture_output=True, env=environment, check=False, **options)
    return done.returncode, done.stdout, done.stderr


def is_harmless(said):
    text = said.decode(errors="surrogateescape")
    return b"Traceback" not in said and all(letter == "\n" or letter.isprintable() for letter in text)


def test_one_function_alone_prints():
    for path in CLI.glob("*.py"):
        calls = [
            ast.unparse(node.func)
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call)
        ]
        printing = [
            name for name in calls if name in ("print", "click.echo", "click.secho") or ".write" in name
        ]
        allowed = ["click.echo"] * 2 if path.name == "echo.py" else []
        others = ("formatter.write_dl", "formatter.write", "file.write", "frozen.write")  # no terminal
        assert [name for name in printing if name not in others] == allowed, path.name


def test_a_line_is_printed_whole_and_stays_one_line(capsys):
    echo("one\ntwo\x1b[31m", "", "x" * 1000)
    assert capsys.readouterr().out == "one\\x0atwo\\x1b[31m\n\n" + "x" * 1000 + "\n"


def test_json_is_printed_in_ascii(capsys):
    echo_json(list(NAMES))
    said = capsys.readouterr().out
    assert said.isascii() and said.rstrip("\n").isprintable() and json.loads(said) == list(NAMES)


@pytest.mark.parametrize("locale", LOCALES)
def test_json_is_json_in_every_locale(tmp_path, locale):
    data = Writer([Tensor(name, "U8", (1,), b"x") for name in NAMES], [("k", "".join(NAMES))]).to_bytes()
    (tmp_path / "names.bpk").write_bytes(data)
    code, out, err = called("inspect", "names.bpk", "--json", environment=LOCALES[locale], cwd=tmp_path)
    assert (code, err) == (0, b"") and is_harmless(out)
    found = json.loads(out)
    assert [tensor["name"] for tensor in found["tensors"]] == list(NAMES)
    code, out, err = called("inspect", "names.bpk", environment=LOCALES[locale], cwd=tmp_path)
    assert (code, err) == (0, b"") and b"\x1b" not in out and b"\x9b2J" not in out


@pytest.mark.parametrize("words", [("fit", "--board", "pico"), ("inspect",), ("inspect", "--json")])
def test_the_name_of_a_step_does_not_reach_the_terminal_raw(tmp_path, words):
    reader = Reader.from_static(Parts().to_bytes())
    steps = "\n".join(f"int8.{kernel} {name}\x1b]0;pwned\x07" for kernel, name, _ in STEPS)
    metadata = [*reader.metadata(), ("burnrt.steps", steps)]
    (tmp_path / "m.bpk").write_bytes(Writer(list(reader), metadata).to_bytes())
    for source in ("m.bpk", support.data("reports/escape_in_step_name.bpk")):
        code, out, err = called(words[0], source, *words[1:], cwd=tmp_path)
        assert is_harmless(out + err) and (b"pwned" in out or source != "m.bpk"), code


@pytest.fixture
def strange(tmp_path):
    """Return a folder whose name is bytes, with a model and a source of such names."""
    folder = os.fsencode(tmp_path) + b"/" + BAD
    try:
        os.mkdir(folder)
    except OSError:
        pytest.skip("this file system has names of text only")
    model = Writer([Tensor("w", "U8", (1,), b"x")]).to_bytes()
    for name, data in ((b"m\xfe.bpk", model), (b"s\xfe.py", b"from burnrt import nn\n")):
        with open(folder + b"/" + name, "wb") as file:
            file.write(data)
    return folder + b"/"


STRANGE = {
    # words, in which @ is the folder's name; the exit code
    "inspect": (b"inspect @m\xfe.bpk", 0),
    "convert": (b"convert @m\xfe.bpk @o\xfe.bpk", 0),
    "fit": (b"fit @m\xfe.bpk --board pico", 1),
    "run --module": (b"run @m\xfe.bpk --module @s\xfe.py:Net --input @x\xfe.npy -o @y\xfe.npy", 1),
    "freeze, of no name": (b"freeze @m\xfe.bpk -o @f", 1),
    "freeze": (b"freeze @m\xfe.bpk -o @f\xfe --name net", 0),
    "freeze --model": (b"freeze @m\xfe.bpk -o @f\xfe --name net --model @s\xfe.py", 0),
    "romfs": (b"romfs @m\xfe.bpk -o @r\xfe", 1),
    "romfs of a folder": (b"romfs @ -o @../r\xfe", 1),
    "golden": (b"golden @m\xfe.bpk @g\xfe.bpk --module @s\xfe.py:Net --shape 1,1", 1),
    "quantize": (b"quantize @m\xfe.bpk --module @s\xfe.py:Net --calibrate @x\xfe.npy -o @q\xfe.bpk", 1),
    "deploy": (b"deploy @m\xfe.bpk --port /dev/null", 1),
    "deploy, to a port": (b"deploy @../m.bpk --port @p\xfe", 1),
    "no command": (b"inspect\xfe\x1b", 2),
    "no option": (b"inspect --\xfe\x1b", 2),
}


@pytest.mark.parametrize("locale", ["UTF-8", "C"])
@pytest.mark.parametrize("kind", STRANGE)
def test_paths_that_are_no_text_are_paths(strange, kind, locale):
    template, expected = STRANGE[kind]
    (Path(os.fsdecode(strange)).parent / "m.bpk").write_bytes(Writer([]).to_bytes())
    words = [word.replace(b"@", strange) for word in template.split()]
    code, out, err = called(*words, environment=LOCALES[locale])
    assert code == expected and is_harmless(out + err), err
    if code:
        assert err.startswith(b"burnstore: ") and err.count(b"\n") == 1


def test_a_manifest_is_found_at_a_path_that_is_no_text(strange):
    assert called(b"freeze", strange + b"m\xfe.bpk", b"-o", strange + b"f\xfe", b"--name", b"net")[0] == 0
    with open(strange + b"f\xfe/README.md", encoding="ascii") as file:
        assert "f\\udcfe/manifest.py" in file.read()  # which Python reads as the same bytes


@pytest.mark.parametrize("option", ["--flash", "--ram"])
@pytest.mark.parametrize("size", [DIGITS, DIGITS + "M", "9" * 20, "M", "-1", "1e9", "²"])
def test_a_size_that_is_none_is_told_on_one_line(tmp_path, option, size):
    (tmp_path / "m.bpk").write_bytes(Writer([]).to_bytes())
    code, out, err = called("fit", tmp_path / "m.bpk", "--board", "pico", f"{option}={size}")
    assert (code, out) == (2, b"") and err.count(b"\n") == 1 and b"sizes are written as" in err


def test_without_a_word_the_help_is_printed_with_each_command_whole():
    code, out, err = called()
    helped = called("--help")
    assert code == 2 and not out and err == helped[1] and helped[0] == 0
    assert b"..." not in err.replace(b"[ARGS]...", b"")
    lines = err.decode().splitlines()
    assert all(any(line.startswith(f"  {name} ") for line in lines) for name in cli.COMMANDS)
    assert max(map(len, lines)) <= 80


# A module that is imported on the way, and what it does.
INTERRUPTING = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
AT_IMPORT = {
    "click": ("click.py", INTERRUPTING + "raise ImportError('no')", (), b""),
    "numpy": ("numpy/__init__.py", INTERRUPTING, ("golden", "m.bpk", "o.bpk"), b"burnstore: interrupted\n"),
    "numpy, which tells it otherwise": (
        "numpy/__init__.py",
        "try:\n    exec(%r)\nexcept BaseException:\n    raise ImportError('failed to import') from None"
        % INTERRUPTING,
        ("golden", "m.bpk", "o.bpk"),
        b"burnstore: interrupted\n",
    ),
}


@pytest.mark.parametrize("kind", AT_IMPORT)
def test_an_interrupt_during_imports_is_quiet(tmp_path, kind):
    name, source, words, said = AT_IMPORT[kind]
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(source)
    (tmp_path / "m.bpk").write_bytes(Writer([]).to_bytes())
    path = os.pathsep.join([str(tmp_path), ENVIRONMENT["PYTHONPATH"]])
    options = {"cwd": tmp_path, "preexec_fn": _heard}
    code, out, err = called(*words, environment={"PYTHONPATH": path}, **options)
    assert (code, out, err) == (cli.INTERRUPTED, b"", said)


def _heard():
    """Hear of interrupts, also where the tests run in the background and ignore them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_a_hangup_that_is_ignored_stays_ignored(tmp_path):
    script = """
import os, signal
from burnstore import cli
signal.signal(signal.SIGHUP, signal.SIG_IGN)
cli.Commands.get_command = lambda *words: os.kill(os.getpid(), signal.SIGHUP)
cli.main(["inspect", "x"])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=ENVIRONMENT)
    assert done.returncode == 2 and b"No such command" in done.stderr


def test_handlers_of_signals_are_given_back():
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with pytest.raises(SystemExit):
        cli.main(["nonsense"])
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this system")
def test_output_that_can_not_be_written_is_an_error():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "burnstore", "--version"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
        )
    assert done.returncode == 1 and os.strerror(errno.ENOSPC).encode() in done.stderr
    assert done.stderr.count(b"\n") == 1


class Counted(str):
    """A text that counts how often one of its letters is asked for."""

    def __getitem__(self, place):
        self.asked = getattr(self, "asked", 0) + 1
        return super().__getitem__(place)


def test_a_letter_is_looked_for_once_however_often_it_is_in_a_text(monkeypatch):
    hidden = Counted(errors._HIDDEN)
    monkeypatch.setattr(errors, "_HIDDEN", hidden)
    text = "é" + 1000 * "中a"
    assert errors.printable(text, 3000) == text and hidden.asked < 50


def test_runs_of_hidden_letters_are_in_order():
    assert list(errors._HIDDEN) == sorted(errors._HIDDEN)
