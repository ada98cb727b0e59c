"""The rules that hold for every command: how it is called, what it prints, with which code it ends."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import numpy as np
import pytest
from safetensors.numpy import load_file

from burnpack.writer import Writer
from burnstore import cli
from burnstore.cli.command import Command
from burnstore.numerics.arrays import tensor_from_array
from kit import support

PATHS = os.pathsep.join(support.path(folder) for folder in ("shared", "host", "device"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": PATHS}
EXAMPLES = Path(support.path("examples/digits"))
WORDS = [sys.executable, "-m", "burnstore"]
MOTION = (6,)  # what activity.pt2 takes of each time
PORT = "/dev/ttyACM0"  # as the examples have it

COMMANDS = {name: cli.commands.get_command(None, name) for name in cli.COMMANDS}
# What a command must be given besides the model; FILE is the model's place.
CALLS = {
    "bundle": "bundle FILE -o out.mpy",
    "check": "check FILE",
    "convert": "convert FILE -o out.bpk",
    "deploy": "deploy FILE --port none",
    "describe": "describe FILE -o out.py",
    "diff": "diff FILE digits.bpk",
    "draw": "draw FILE -o out.svg",
    "fit": "fit FILE --board pico",
    "freeze": "freeze FILE -o firmware --name net",
    "golden": "golden FILE -o out.bpk --module model.py:DigitsNet --shape 1,1,8,8",
    "inspect": "inspect FILE",
    "profile": "profile FILE --port none",
    "quantize": "quantize FILE -o out.bpk --module model.py:DigitsNet --calibrate some.npy",
    "report": "report FILE -o out.html",
    "romfs": "romfs FILE -o out.romfs",
    "run": "run FILE --module model.py:DigitsNet --input x.npy -o out.npy",
    "verify": "verify FILE --module model.py:DigitsNet --input x.npy --expect y.npy",
}
BOARD = {"deploy", "profile"}  # these take a board
MODELS = {
    "bundle": "small.bpk",
    "draw": "small.bpk",
    "fit": "small.bpk",
    "report": "small.bpk",
}  # what a command reads that takes no other; else digits.bpk
QUIET = {name: words for name, words in CALLS.items() if name not in BOARD}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a folder with the files that the examples speak of."""
    folder = tmp_path_factory.mktemp("made")
    for name in ("digits.pt", "digits.pt2", "model.py", "x.npy", "y.npy"):
        shutil.copy(EXAMPLES / name, folder)
    shutil.copy(EXAMPLES.parent / "activity" / "activity.pt2", folder)
    shutil.copy(support.path("tests/vectors/pt2e/x86.pt2"), folder / "digits_pt2e.pt2")
    np.save(folder / "motions.npy", np.random.default_rng(0).normal(size=(40, *MOTION)).astype(np.float32))
    images = load_file(EXAMPLES / "test_images.safetensors")["images"]
    np.save(folder / "some.npy", images[:100].reshape(-1, 1, 8, 8) / np.float32(16))
    module = f"{folder}/model.py:DigitsNet"
    bpk, small = folder / "digits.bpk", folder / "small.bpk"
    call("convert", folder / "digits.pt", "-o", bpk, "--module", module)
    call("quantize", bpk, "-o", small, "--module", module, "--calibrate", folder / "some.npy")
    call("convert", folder / "digits.pt2", "-o", folder / "net.bpk")
    return folder


@pytest.fixture
def folder(made, tmp_path, monkeypatch):
    """Go to a copy of it."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*words):
    """Call a command in this process; return its exit code."""
    with pytest.raises(SystemExit) as ended:
        cli.main([str(word) for word in words])
    return ended.value.code


def piped(words, given=b"", **environment):
    """Call a command in a process of its own; `given` comes by a pipe."""
    done = subprocess.run(
        [*WORDS, *words.split()], input=given, capture_output=True, env={**ENVIRONMENT, **environment}
    )
    return done.returncode, done.stdout, done.stderr.decode()


def files():
    return {path.name for path in Path().iterdir() if path.name != "__pycache__"}


def examples(name):
    """Return the lines below "Examples:" of a command's help."""
    command = COMMANDS[name]
    lines = command.get_help(click.Context(command, info_name=name)).splitlines()
    start = lines.index("Examples:") + 1
    return [line.strip() for line in lines[start : lines.index("", start)]]


# Help.


def test_every_command_has_a_call_here_and_is_one_of_the_same_kind():
    assert set(CALLS) == set(COMMANDS) and all(isinstance(each, Command) for each in COMMANDS.values())


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_begins_with_whole_sentences_and_ends_with_examples_and_exit_codes(name, capsys):
    assert call(name, "--help") == 0
    said = capsys.readouterr().out
    usage, first, *_ = said.split("\n\n")
    assert usage.startswith(f"Usage: burnstore {name} [OPTIONS] ")
    assert re.fullmatch(r"  [A-Z].*[.]", first, re.DOTALL), first
    assert "\nExamples:\n" in said and "\nExit codes:\n" in said
    assert re.findall(r"^  (\d+) ", said.partition("Exit codes:")[2], re.MULTILINE) == ["0", "1", "2", "130"]
    rows = [line for line in said.splitlines() if not line.startswith("  burnstore ") and "|" not in line]
    assert max(map(len, rows)) <= 80


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_of_an_option_is_a_sentence(name):
    for option in COMMANDS[name].params:
        if isinstance(option, click.Option) and not option.hidden:
            text = re.sub(r" \[default: .*\]$", "", option.help or "")
            assert re.match(r"[A-Z\"]", text) or option.name in ("to",), option.name
            assert text.endswith((".", ".)")), option.name


def test_the_list_of_commands_is_whole_in_a_narrow_terminal():
    code, out, _ = piped("--help", COLUMNS="50")
    said = " ".join(out.decode().split())
    for name, command in COMMANDS.items():
        sentence = " ".join(command.help.partition("\n\n")[0].split())
        assert f" {name} {sentence} " in said
    assert code == 0 and max(map(len, out.decode().splitlines())) <= 50


@pytest.mark.parametrize("option", ["--json", "--quiet"])
def test_what_all_commands_have_is_one_option(option):
    found = [p for each in COMMANDS.values() for p in each.params if option in p.opts]
    assert len(found) == len(COMMANDS) and len({p.help for p in found}) == 1


def test_an_option_of_one_name_takes_the_same_everywhere():
    kinds = {}
    for command in COMMANDS.values():
        for option in command.params:
            for word in option.opts if isinstance(option, click.Option) else ():
                takes = (option.make_metavar(click.Context(command)), option.is_flag)
                kinds.setdefault(word, set()).add(takes)
    outputs = {"-o", "--output"}  # OUT, DIR and IMAGE
    assert {word for word, found in kinds.items() if len(found) > 1} <= outputs, kinds


def test_all_that_write_a_file_take_o_and_overwrite():
    writing = {name for name, words in CALLS.items() if " -o " in words}
    for option in ("-o", "--overwrite"):
        having = {name for name, each in COMMANDS.items() if any(option in p.opts for p in each.params)}
        assert having - {"deploy"} == writing, option  # deploy writes to a board


# Examples.


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - BOARD))
def test_the_examples_of_a_help_run(folder, capsys, name):
    (folder / "app").mkdir()
    shutil.copy("digits.bpk", "app")
    if name == "romfs":
        shutil.copy("model.py", "app")
    if name == "bundle":
        shutil.copy("small.bpk", "other.bpk")
    if name in ("convert", "quantize"):
        for made in (folder / "digits.bpk", folder / "small.bpk", folder / "net.bpk")[name == "quantize" :]:
            made.unlink()
    lines = examples(name)
    assert len(lines) >= 3
    for line in lines:
        program, *words = shlex.split(line)
        if "|" in words:
            script = f'burnstore() {{ {shlex.join(WORDS)} "$@"; }}\n{line}'
            subprocess.run(["sh", "-c", script], env=ENVIRONMENT, check=True, capture_output=True)
            continue
        assert program == "burnstore" and call(*words) == 0, (line, capsys.readouterr().err)


def test_the_examples_of_commands_for_boards_run(folder, board, capsys):
    for line in [*examples("deploy"), *examples("profile")]:
        words = shlex.split(line.replace(PORT, board.port))[1:]
        given = () if "--port" in words else ("--port", board.port)
        assert call(*words, *given) == 0, (line, capsys.readouterr().err)


# Exit codes.


def failing(capsys, code, *words):
    """Call a command that fails, and return what it says on its one line."""
    capsys.readouterr()
    before = files()
    assert call(*words) == code, (words, capsys.readouterr())
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("burnstore: ") and said.err.count("\n") == 1, said
    assert files() == before
    return said.err


@pytest.mark.parametrize("name", CALLS)
def test_a_file_that_is_no_model_is_exit_code_1(folder, capsys, name):
    Path("text.bpk").write_text("no model\n" if name != "romfs" else "")
    os.mkfifo("pipe")
    words = CALLS[name].split()
    given = [("missing.bpk", "No such file"), ("pipe", "not a regular file"), ("text.bpk", "text.bpk")]
    if name != "romfs":  # which takes folders
        given.append((".", "a folder, where a file was expected"))
    for file, what in given:
        if (name, file) != ("romfs", "text.bpk"):
            assert what in failing(capsys, 1, *[file if word == "FILE" else word for word in words])


@pytest.mark.parametrize("name", CALLS)
def test_words_that_are_wrong_are_exit_code_2_before_any_file_is_looked_at(folder, capsys, name):
    words = CALLS[name].replace("FILE", "missing.bpk").split()
    help_of = f"(burnstore {name} --help shows how it is called)"
    assert help_of in failing(capsys, 2, name)
    assert help_of in failing(capsys, 2, name, "-q")
    if name != "romfs":
        assert "is empty" in failing(capsys, 2, name, "", *words[2:])
    assert "No such option" in failing(capsys, 2, *words, "--nonsense")
    for place, word in enumerate(words):
        if word.startswith("-") and word not in ("--shape", "--input", "--expect"):  # which are repeatable
            assert "is given twice" in failing(capsys, 2, *words, *words[place : place + 2])
            assert "requires an argument" in failing(capsys, 2, *words[:place], word)
    if name not in ("bundle", "check", "romfs"):  # which take any number of files
        assert re.search("extra argument|OUT is given twice", failing(capsys, 2, *words, "one", "more"))
    if any("--module" in option.opts for option in COMMANDS[name].params):
        words = [word for word in words if word not in ("--module", "model.py:DigitsNet")]
        assert "FILE:CLASS" in failing(capsys, 2, *words, "--module", "model.py")


@pytest.mark.parametrize("name", [name for name, words in CALLS.items() if " -o out" in words])
def test_a_target_that_exists_is_exit_code_1_and_left_alone(folder, capsys, name):
    words = CALLS[name].replace("FILE", MODELS.get(name, "digits.bpk")).split()
    target = Path(words[words.index("-o") + 1])
    target.write_text("mine")
    assert "exists already (the option overwrite replaces it)" in failing(capsys, 1, *words)
    assert target.read_text() == "mine"
    assert call(*words, "--overwrite") == 0 and target.read_bytes() != b"mine"


@pytest.mark.parametrize("name", [name for name, words in CALLS.items() if "--module" in words])
def test_a_class_that_is_misspelt_is_told_beside_those_that_are_there(folder, capsys, name):
    words = (
        CALLS[name].replace("FILE", MODELS.get(name, "digits.bpk")).replace("DigitsNet", "DigitNet").split()
    )
    said = failing(capsys, 1, *words)
    assert "DigitNet: no class of this name" in said and "found DigitsNet" in said


@pytest.mark.parametrize(
    "source",
    ["from other import Net", "from other import *", "Net = make()", "if True:\n    class Net: pass"],
)
def test_a_class_that_a_source_gets_in_another_way_is_found(tmp_path, source):
    from burnstore.models.model import class_in_source

    (tmp_path / "net.py").write_text(source)
    assert class_in_source(f"{tmp_path}/net.py:Net") == (source, "Net")


# What is printed.


@pytest.mark.parametrize("name", QUIET)
def test_q_prints_nothing(folder, capsys, name):
    assert call(*QUIET[name].replace("FILE", MODELS.get(name, "digits.bpk")).split(), "-q") == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.parametrize("name", QUIET)
def test_json_is_one_object_on_one_line_and_all_of_stdout(folder, capsys, name, quiet):
    assert (
        call(*QUIET[name].replace("FILE", MODELS.get(name, "digits.bpk")).split(), "--json", *["-q"] * quiet)
        == 0
    )
    said = capsys.readouterr()
    assert said.out.count("\n") == 1 and isinstance(json.loads(said.out), dict)
    assert not (quiet and said.err)


def test_json_of_deploy_tells_the_board_and_the_verdict(folder, board, capsys):
    assert call("golden", "small.bpk", "-o", "small8.bpk", "--cases", 2) == 0
    capsys.readouterr()
    assert call("deploy", "small8.bpk", "--port", board.port, "--runtime", "--to", "fs", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["path"] == "/small8.bpk" and found["sent"] and found["runtime"]["size"] > 0
    assert found["selftest"]["passed"] and found["selftest"]["cases"] == 2


def test_json_of_what_is_not_so_is_printed_beside_exit_code_1(folder, capsys):
    wrong = np.load("y.npy") + 1
    wrong[0, 0] = np.inf
    np.save("y.npy", wrong)
    assert call(*CALLS["verify"].replace("FILE", "digits.bpk").split(), "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["passed"] is False and found["largest"] == "inf"
    assert call("fit", "small.bpk", "--flash", "1K", "--ram", "1K", "--json") == 1
    assert json.loads(capsys.readouterr().out)["fits"] is False


def test_inspect_counts_parameters_by_dtype_without_those_of_a_self_test(folder, capsys):
    golden = ("golden", "digits.bpk", "-o", "proven.bpk", *CALLS["golden"].split()[4:])
    assert call(*golden) == 0
    for file, counts in (
        ("digits.pt", {"F32": 3754, "I64": 2}),
        ("digits.bpk", {"F32": 3754}),
        ("proven.bpk", {"F32": 3754}),
    ):
        capsys.readouterr()
        assert call("inspect", file, "--json") == 0
        expected = {"total": sum(counts.values()), "by_dtype": counts}
        assert json.loads(capsys.readouterr().out)["parameters"] == expected
    assert call("inspect", "digits.pt") == 0
    assert capsys.readouterr().out.splitlines()[1] == "3,756 parameters (3,754 F32, 2 I64)"
    assert call("inspect", "small.bpk", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["parameters"]["by_dtype"]["Q8S"] == 8 * 9 + 16 * 8 * 9 + 64 * 32 + 32 * 10


@pytest.mark.parametrize("name", ["convert", "golden", "quantize", "freeze"])
def test_out_can_follow_without_o_and_is_refused_twice(folder, capsys, name):
    words = CALLS[name].replace("FILE", MODELS.get(name, "digits.bpk")).split()
    beside = [word for word in words if word != "-o"]
    assert call(*beside) == 0 and Path(words[words.index("-o") + 1]).exists()
    assert "OUT is given twice" in failing(capsys, 2, *words, "another")


# The standard streams.


READING = sorted(set(CALLS) - BOARD - {"romfs"})


@pytest.mark.parametrize("name", READING)
def test_the_standard_input_is_a_file_like_others(folder, name):
    data = Path(MODELS.get(name, "digits.bpk")).read_bytes()
    for target, code in (("-", 0), ("/dev/stdin", 1)):  # the latter is a pipe, as the system has it
        assert piped(CALLS[name].replace("FILE", target), data)[0] == code, target
    assert piped(CALLS[name].replace("FILE", "-"), b"no model\n")[0] == 1


def test_a_file_that_is_the_standard_input_is_not_copied(folder):
    words = [*WORDS, "inspect", "-", "--json"]
    with open("digits.pt", "rb") as file:
        environment = {**ENVIRONMENT, "TMPDIR": "/nowhere"}
        done = subprocess.run(words, stdin=file, capture_output=True, env=environment, check=True)
    assert json.loads(done.stdout)["parameters"]["total"] == 3756


def test_a_standard_input_without_bytes_or_end_is_refused(folder):
    assert piped("inspect -") == (1, b"", "burnstore: /dev/stdin: an empty file\n")
    closed = subprocess.run(
        ["sh", "-c", f"exec {shlex.join(WORDS)} inspect - <&-"],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
    )
    assert closed.returncode == 1 and "the standard input is closed" in closed.stderr
    script = "from burnstore.cli import main, streams\nstreams.FILE = 5 << 20\nmain(['inspect', '-'])"
    with open("/dev/zero", "rb") as zeros:
        done = subprocess.run(
            [sys.executable, "-c", script], stdin=zeros, capture_output=True, text=True, env=ENVIRONMENT
        )
    assert done.returncode == 1 and "-: more than the 5,242,880 bytes" in done.stderr


@pytest.mark.parametrize("name", ["convert", "golden", "quantize", "romfs"])
def test_the_standard_output_gets_the_bytes_and_stderr_the_text(folder, name):
    words = CALLS[name].replace("FILE", MODELS.get(name, "digits.bpk"))
    code, out, err = piped(words)
    assert code == 0
    (target,) = [Path(word) for word in words.split() if word.startswith("out.")]
    code, written, said = piped(words.replace(str(target), "-"))
    assert code == 0 and written == target.read_bytes()
    assert said == err + out.decode().replace(str(target), "the standard output")
    assert piped(words.replace(str(target), "-") + " -q")[1:] == (written, "")
    code, out, said = piped(words.replace(str(target), "-") + " --json")
    assert (code, out) == (2, b"") and "exclude each other" in said


def test_what_would_go_to_the_standard_output_can_be_told_first(folder):
    code, out, said = piped("convert digits.pt -o - --dry-run")
    assert (code, out) == (0, b"") and "(nothing is written)" in said


def test_a_failure_leaves_the_standard_output_empty(folder):
    assert piped("convert digits.pt -o - --filter nothing")[:2] == (1, b"")
    assert not list(Path().glob("burnstore-*"))


def test_the_format_of_what_has_no_name_is_told(folder, capsys):
    code, out, _ = piped("convert - -o - --format safetensors", Path("digits.pt").read_bytes())
    assert code == 0 and call("convert", "digits.pt", "out", "--format", "safetensors") == 0
    assert out == Path("out.safetensors").read_bytes()
    said = failing(capsys, 2, "convert", "digits.pt", "-o", "x.bpk", "--format", "safetensors")
    assert "--format safetensors contradicts x.bpk" in said


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("deploy - --port none", "the standard input has no name"),
        ("freeze - -o firmware", "the standard input has no name: --name is needed"),
        ("freeze digits.bpk -o -", "a folder is written, which no stream takes"),
        (CALLS["verify"].replace("x.npy", "-"), "only the model and OUT can be standard streams"),
        (CALLS["quantize"].replace("some.npy", "-"), "only the model and OUT can be standard streams"),
        (CALLS["quantize"] + " --report -", "only the model and OUT can be standard streams"),
    ],
)
def test_where_a_stream_can_not_serve_that_is_told(folder, capsys, words, what):
    assert what in failing(capsys, 2, *words.split())


@pytest.mark.parametrize(
    "words", ["--help", "inspect many.bpk", "inspect many.bpk --json", "convert many.bpk -o -"]
)
def test_a_reader_that_goes_away_is_told_nothing(folder, words):
    names = [tensor_from_array(f"tensor {number}", np.zeros(99, np.uint8)) for number in range(3000)]
    Path("many.bpk").write_bytes(Writer(names).to_bytes())
    script = f"{shlex.join([*WORDS, *words.split()])} | true"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, env=ENVIRONMENT)
    notes = "" if "-o" not in words else done.stderr.partition("burnstore:")[0]
    assert done.returncode == 0 and done.stderr == notes


# Completion.


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_there_for_each_shell(shell):
    code, out, err = piped("", _BURNSTORE_COMPLETE=f"{shell}_source")
    assert (code, err) == (0, "") and b"_BURNSTORE_COMPLETE" in out


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("burnstore in", ["plain,inspect"]),
        ("burnstore convert --over", ["plain,--overwrite"]),
        ("burnstore fit m.bpk --board pico", ["plain,pico", "plain,pico2"]),
        ("burnstore inspect dig", ["file,dig"]),
        ("burnstore convert a.pt -o a.bpk --module mo", ["file,mo"]),
    ],
)
def test_commands_options_choices_and_files_are_completed(line, expected):
    words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
    code, out, _ = piped("", _BURNSTORE_COMPLETE="bash_complete", **words)
    assert code == 0 and out.decode().split() == expected


@pytest.mark.parametrize("name", ["freeze", "golden", "run", "verify"])  # deploy takes a board
def test_a_class_that_a_file_with_a_program_does_not_need_is_a_note(folder, capsys, name):
    words = CALLS[name].replace("FILE", "small.bpk").replace("--shape 1,1,8,8", "").split()
    words = [word for word in words if word not in ("--module", "model.py:DigitsNet")]
    capsys.readouterr()
    assert call(*words, "--module", "nowhere.py:Net") == 0
    assert "--module is not needed: the file has a program" in capsys.readouterr().err


@pytest.mark.parametrize("buffering", ["", "1"])
def test_an_output_that_is_cut_is_an_error_with_and_without_a_buffer(folder, buffering):
    script = f"ulimit -f 1; exec {shlex.join(WORDS)} inspect digits.pt --json >cut.json"
    environment = {**ENVIRONMENT, "PYTHONUNBUFFERED": buffering}
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, env=environment)
    assert Path("cut.json").stat().st_size > 0  # a part was taken, and no more
    assert (done.returncode, done.stderr) == (1, "burnstore: the standard output: File too large\n")
