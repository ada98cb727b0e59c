"""The command line as its user meets it: what it prints, where, and how it ends."""

import hashlib
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from burnpack.reader import Reader
from burnpack.writer import Writer
from burnstore.numerics.arrays import tensor_from_array
from kit import support
from kit.boards.freezing import run

COMMAND = [sys.executable, "-m", "burnstore"]
PATHS = os.pathsep.join(support.path(folder) for folder in ("shared", "host", "device"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": PATHS}

MODEL = """
from burnpack import Module, Param

class Linear(Module):
    def __init__(self):
        self.weight = Param((2, 3))
        self.bias = Param((3,))

class Square(Module):
    def __init__(self):
        self.weight = Param((2, 2))

Square.__name__ = "Linear"

class BatchNorm(Module):
    def __init__(self):
        self.gamma = Param((2,))

class Net(Module):
    def __init__(self):
        self.dense = Linear()
        self.norm = BatchNorm()

class Ambiguous(Module):
    def __init__(self):
        self.dense = Square()

class NeedsMore(Module):
    def __init__(self, size):
        self.size = size

not_a_class = 3
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "model.py").write_text(MODEL)
    pytorch = {
        "dense.weight": np.arange(6, dtype=np.float32).reshape(3, 2),
        "dense.bias": np.arange(3, dtype=np.float32),
        "norm.weight": np.ones(2, np.float32),
        "norm.num_batches_tracked": np.array(7),
    }
    save_file(pytorch, tmp_path / "torch.safetensors")
    save_file({"dense.weight": np.arange(4, dtype=np.float32).reshape(2, 2)}, tmp_path / "square.safetensors")
    tensors = [tensor_from_array("b", np.arange(3)), tensor_from_array("a", np.zeros((2, 0), np.float16))]
    (tmp_path / "plain.bpk").write_bytes(
        Writer(tensors, [("k", "v")], [("step", ("UInt", 5)), ("x", 0.5)]).to_bytes()
    )
    return tmp_path


def test_a_module_gives_burn_names_and_layout(folder):
    done = run("convert", "torch.safetensors", "out.bpk", "--module", "model.py:Net", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "out.bpk: 3 tensors, 776 bytes\n")
    assert "layout: pytorch in the source, burn in the target" in done.stderr
    reader = Reader.from_bytes((folder / "out.bpk").read_bytes())
    assert [tensor.name for tensor in reader] == ["dense.weight", "dense.bias", "norm.gamma"]
    found = np.frombuffer(reader.view("dense.weight"), np.float32).reshape(2, 3)
    assert found.tolist() == [[0, 2, 4], [1, 3, 5]]
    assert dict(reader.metadata())["format"] == "burnpack"


def test_what_went_to_burn_and_back_is_what_it_was(folder):
    assert (
        run("convert", "torch.safetensors", "out.bpk", "--module", "model.py:Net", cwd=folder).returncode == 0
    )
    assert (
        run("convert", "out.bpk", "back.safetensors", "--module", "model.py:Net", cwd=folder).returncode == 0
    )
    before, after = load_file(folder / "torch.safetensors"), load_file(folder / "back.safetensors")
    assert sorted(after) == sorted(set(before) - {"norm.num_batches_tracked"})
    assert all(np.array_equal(before[name], after[name]) for name in after)


def test_layouts_that_both_fit_are_asked_for(folder):
    arguments = ("convert", "square.safetensors", "out.bpk", "--module", "model.py:Ambiguous")
    done = run(*arguments, cwd=folder)
    assert done.returncode == 1 and "--from-layout" in done.stderr and not (folder / "out.bpk").exists()
    for layout, expected in (("burn", [0, 1, 2, 3]), ("pytorch", [0, 2, 1, 3])):
        assert run(*arguments, "--from-layout", layout, "--overwrite", cwd=folder).returncode == 0
        reader = Reader.from_bytes((folder / "out.bpk").read_bytes())
        assert np.frombuffer(reader.view("dense.weight"), np.float32).tolist() == expected


def test_without_a_module_everything_stays_and_it_says_so(folder):
    done = run("convert", "torch.safetensors", "out.bpk", cwd=folder)
    assert done.returncode == 0 and "names and layout stay as they are" in done.stderr
    assert Reader.from_bytes((folder / "out.bpk").read_bytes()).tensor("dense.weight").shape == (3, 2)


def test_a_burnpack_of_today_comes_out_byte_for_byte(folder):
    assert run("convert", "plain.bpk", "again.bpk", cwd=folder).returncode == 0
    assert (folder / "again.bpk").read_bytes() == (folder / "plain.bpk").read_bytes()


def test_what_safetensors_cannot_hold_is_said(folder):
    done = run("convert", "plain.bpk", "out.safetensors", cwd=folder)
    assert done.returncode == 0 and "no scalars: 2 left out" in done.stderr


def test_the_extension_is_appended_and_checked_where_it_is_written(folder):
    assert run("convert", "plain.bpk", "new", cwd=folder).stdout.startswith("new.bpk: ")
    done = run("convert", "plain.bpk", "new", cwd=folder)
    assert done.returncode == 1 and done.stderr.startswith("burnstore: new.bpk: the file exists already")


FAILURES = (
    # arguments, exit code, what stderr begins with
    (("convert", "plain.bpk", "plain.bpk"), 1, "burnstore: plain.bpk: the file exists already"),
    (("convert", "plain.bpk", "x.pt"), 1, "burnstore: x.pt: only .bpk and .safetensors can be written"),
    (("convert", "plain.bpk", "no/such/x.bpk"), 1, "burnstore: no/such/x.bpk: can't write: No such file"),
    (("convert", "absent.pt", "x.bpk"), 1, "burnstore: absent.pt: No such file"),
    (("convert", ".", "x.bpk"), 1, "burnstore: .: a folder, where a file was expected"),
    (("convert", "model.py", "x.bpk"), 1, "burnstore: model.py: plain text"),
    (
        ("convert", "torch.safetensors", "x.bpk", "--module", "model.py"),
        2,
        "burnstore: Invalid value for '--module': a class is named as FILE:CLASS",
    ),
    (
        ("convert", "torch.safetensors", "x.bpk", "--module", "model.py:Nope"),
        1,
        "burnstore: model.py: Nope: no class",
    ),
    (
        ("convert", "torch.safetensors", "x.bpk", "--module", "model.py:not_a_class"),
        1,
        "burnstore: model.py: not_a_class: no class",
    ),
    (
        ("convert", "torch.safetensors", "x.bpk", "--module", "model.py:NeedsMore"),
        1,
        "burnstore: model.py: NeedsMore: the class can't be made",
    ),
    (
        ("convert", "torch.safetensors", "x.bpk", "--module", "none.py:Net"),
        1,
        "burnstore: none.py: no such file",
    ),
    (
        ("convert", "torch.safetensors", "x.bpk", "--from-layout", "burn"),
        2,
        "burnstore: a layout can only be changed",
    ),
    (
        ("convert", "plain.bpk", "x.bpk", "--module", "model.py:Net"),
        1,
        "burnstore: plain.bpk: the file does not fit the module\n",
    ),
    (("convert", "plain.bpk"), 2, "burnstore: Missing option '-o'"),
    (("convert", "plain.bpk", "x.bpk", "--nonsense"), 2, "burnstore: No such option"),
    (("nonsense",), 2, "burnstore: No such command"),
    (("inspect", "absent.bpk"), 1, "burnstore: absent.bpk: No such file"),
)


@pytest.mark.parametrize("arguments, code, beginning", FAILURES, ids=[" ".join(case[0]) for case in FAILURES])
def test_a_failure_says_why_and_leaves_nothing(folder, arguments, code, beginning):
    before = sorted(path.name for path in folder.iterdir() if path.name != "__pycache__")
    done = run(*arguments, cwd=folder)
    assert done.returncode == code and done.stdout == ""
    assert done.stderr.startswith(beginning), done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in folder.iterdir() if path.name != "__pycache__") == before


@pytest.mark.parametrize(
    "options, what",
    [
        (("--filter", "nothing like this"), "nothing is left to write"),
        (("--exact", "dense.bias", "--exact", "absent"), "absent: no tensor of this name to take"),
        (("--exact", "absent", "--module", "model.py:Net"), "absent: no tensor of this name to take"),
    ],
)
def test_a_choice_that_chooses_nothing_is_an_error(folder, options, what):
    done = run("convert", "torch.safetensors", "x.bpk", *options, cwd=folder)
    assert done.returncode == 1 and what in done.stderr and not (folder / "x.bpk").exists()


def test_scalars_alone_are_no_result_of_a_choice_that_chooses_nothing(folder):
    done = run("convert", "plain.bpk", "x.bpk", "--filter", "nothing like this", cwd=folder)
    assert done.returncode == 1 and not (folder / "x.bpk").exists()
    assert done.stderr == "burnstore: plain.bpk: nothing is left to write: no tensor passes the filter\n"


def test_a_pattern_that_python_warns_of_is_told_on_no_line(folder):
    done = run("convert", "plain.bpk", "x.bpk", "--filter", "[[:alpha:]]", cwd=folder)
    assert done.returncode == 0 and done.stderr == ""
    done = run("convert", "plain.bpk", "y.bpk", "--filter", "[[a]", cwd=folder)  # as in Rust
    assert done.returncode == 1 and done.stderr.startswith("burnstore: [[a]: not a regular expression")


def test_a_summary_tells_what_does_not_fit(folder):
    done = run("convert", "square.safetensors", "x.bpk", "--module", "model.py:Net", cwd=folder)
    assert done.returncode == 1
    assert "dense.weight: ShapeMismatch" in done.stderr and "missing: dense.bias" in done.stderr


def test_inspect_prints_one_json_object(folder):
    done = run("inspect", "plain.bpk", "--json", "--hash", cwd=folder)
    found = json.loads(done.stdout)
    assert {key: found[key] for key in ("format", "version", "dialect", "metadata", "scalars")} == {
        "format": "burnpack",
        "version": 1,
        "dialect": "0.22",
        "metadata": {"k": "v"},
        "scalars": {"step": {"UInt": 5}, "x": {"Float": 0.5}},
    }
    numbers = np.arange(3).astype("<i8").tobytes()
    assert found["tensors"] == [
        {
            "name": "b",
            "dtype": "I64",
            "shape": [3],
            "offset": 256,
            "nbytes": 24,
            "param_id": None,
            "sha256": hashlib.sha256(numbers).hexdigest(),
        },
        {
            "name": "a",
            "dtype": "F16",
            "shape": [2, 0],
            "offset": 512,
            "nbytes": 0,
            "param_id": None,
            "sha256": hashlib.sha256().hexdigest(),
        },
    ]


def test_inspect_prints_a_table(folder):
    lines = run("inspect", "plain.bpk", cwd=folder).stdout.splitlines()
    assert lines[0] == "plain.bpk: burnpack, version 1, as Burn 0.22 writes it, 2 tensors, 24 bytes"
    assert lines[1] == "3 parameters (0 F16, 3 I64)"
    assert lines[3].split() == ["name", "dtype", "shape", "nbytes", "offset"]
    assert lines[4].split() == ["b", "I64", "[3]", "24", "256"]
    assert "  k = v" in lines and "  step = UInt 5" in lines


def test_names_cannot_take_over_the_terminal(tmp_path):
    tensor = tensor_from_array("evil\x1b[2Jname\nline\x9b", np.zeros(1, np.uint8))
    (tmp_path / "evil.bpk").write_bytes(Writer([tensor]).to_bytes())
    done = run("inspect", "evil.bpk", cwd=tmp_path)
    assert done.returncode == 0
    assert all(letter == "\n" or letter.isprintable() for letter in done.stdout)
    assert "evil\\x1b[2Jname\\x0aline" in done.stdout


def test_inspect_reads_the_header_only(tmp_path):
    container = Writer([tensor_from_array("w", np.zeros(8, np.uint8))]).to_bytes()
    huge = tmp_path / "huge.bpk"
    huge.write_bytes(
        container.replace(b"\x81\x08", b"\x81\x1a\x40\x00\x00\x00").replace(
            b"\x82\x00\x08", b"\x82\x00\x1a\x40\x00\x00\x00"
        )
    )
    data = bytearray(huge.read_bytes())
    data[6:10] = (int.from_bytes(data[6:10], "little") + 8).to_bytes(4, "little")
    with huge.open("wb") as file:
        file.write(data[: 10 + int.from_bytes(data[6:10], "little")])
        file.truncate(256 + (1 << 30))  # a hole: whoever reads it all pays for a gigabyte
    limited = f"ulimit -v 6000000; exec {sys.executable} -m burnstore inspect huge.bpk"
    done = subprocess.run(
        ["sh", "-c", limited], capture_output=True, text=True, env=ENVIRONMENT, cwd=tmp_path
    )
    assert "1,073,741,824" in done.stdout, done.stderr


def test_nobody_reading_on_is_no_failure_of_ours(folder):
    names = [tensor_from_array(f"tensor {number}", np.zeros(1, np.uint8)) for number in range(5000)]
    (folder / "many.bpk").write_bytes(Writer(names).to_bytes())
    script = f"{sys.executable} -m burnstore inspect many.bpk | head -1"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, env=ENVIRONMENT, cwd=folder)
    assert done.stdout.startswith("many.bpk: burnpack") and done.stderr == ""


def test_progress_is_shown_on_a_terminal_only(folder):
    assert "writing" not in run("convert", "plain.bpk", "quiet.bpk", cwd=folder).stderr
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "convert", "plain.bpk", "shown.bpk"],
        stdout=subprocess.PIPE,
        stderr=follower,
        env={**ENVIRONMENT, "TERM": "xterm"},
        cwd=folder,
    ) as process:
        process.wait()
    os.close(follower)
    shown = os.read(leader, 1 << 16).decode()
    os.close(leader)
    assert "writing" in shown and (folder / "shown.bpk").exists()


def test_version_and_help():
    assert run("--version").stdout.startswith("burnstore, version 0.")
    for arguments in (("--help",), ("convert", "--help"), ("inspect", "-h")):
        done = run(*arguments)
        assert done.returncode == 0 and "Usage: burnstore" in done.stdout


def test_real_files_convert_as_their_formats_say(tmp_path):
    source = support.path("examples/mnist/mnist.pt")
    model = support.path("examples/mnist/model.py") + ":MnistNet"
    assert run("convert", source, "m.bpk", "--module", model, cwd=tmp_path).returncode == 0
    assert run("convert", "m.bpk", "back.safetensors", "--module", model, cwd=tmp_path).returncode == 0
    assert run("convert", source, "plain.safetensors", cwd=tmp_path).returncode == 0
    plain, back = load_file(tmp_path / "plain.safetensors"), load_file(tmp_path / "back.safetensors")
    assert {name for name in plain if name not in back} == {
        "norm1.num_batches_tracked",
        "norm2.num_batches_tracked",
    }
    assert all(np.array_equal(plain[name], back[name]) for name in back)


@pytest.mark.parametrize(
    "name",
    [
        "tests/data/rust/zoo.bpk",
        "tests/data/rust/quantized.bpk",
        "tests/data/rust/scalars.bpk",
        "examples/mnist/mnist_conv_bn.bpk",
    ],
)
def test_what_rust_wrote_comes_out_byte_for_byte(tmp_path, name):
    source = support.path(name)
    assert run("convert", source, "again.bpk", cwd=tmp_path).returncode == 0
    assert (tmp_path / "again.bpk").read_bytes() == Path(source).read_bytes()


ENDING_MODULES = {
    "exits.py": "import sys; sys.exit(0)",
    "raises.py": "raise RuntimeError('two\\nlines\\x1b[31m')",
    "clears.py": "import sys; sys.path.clear()",
    "other.py": "from burnpack import Module\nclass Net(Module):\n    def __new__(cls): return 5",
    "ends.py": "from burnpack import Module\nclass Net(Module):\n    def __init__(self): raise SystemExit(0)",
}


@pytest.mark.parametrize("name", ENDING_MODULES)
def test_a_module_that_does_something_else_is_an_error_on_one_line(folder, name):
    (folder / name).write_text(ENDING_MODULES[name])
    done = run("convert", "torch.safetensors", "x.bpk", "--module", f"{name}:Net", cwd=folder)
    assert done.returncode == 1 and done.stderr.startswith(f"burnstore: {name}: "), done.stderr
    assert done.stderr.count("\n") == 1 and "\x1b" not in done.stderr and not (folder / "x.bpk").exists()


@pytest.mark.parametrize("target", [".", "..", "/", ""])
def test_a_target_without_a_name_is_refused(folder, target):
    done = run("convert", "plain.bpk", target, cwd=folder)
    assert done.returncode == 1 and "names no file" in done.stderr and "Traceback" not in done.stderr


def test_pipes_and_devices_are_refused_not_waited_for(folder):
    os.mkfifo(folder / "pipe")
    for source in ("pipe", "/dev/zero"):
        for arguments in (
            ("inspect", source),
            ("convert", source, "x.bpk"),
            ("romfs", source, "-o", "x.romfs"),
        ):
            done = run(*arguments, cwd=folder)
            assert done.returncode == 1 and "not a regular file" in done.stderr, arguments


def test_a_closed_stderr_does_not_keep_the_work_from_being_done(folder):
    script = f"exec {sys.executable} -m burnstore convert plain.bpk new.bpk 2>&-"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, env=ENVIRONMENT, cwd=folder)
    assert done.returncode == 0 and (folder / "new.bpk").exists()


def test_names_that_the_output_cannot_show_are_escaped(tmp_path):
    (tmp_path / "u.bpk").write_bytes(Writer([tensor_from_array("日", np.zeros(1, np.uint8))]).to_bytes())
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(
        [*COMMAND, "inspect", "u.bpk"], capture_output=True, text=True, env=environment, cwd=tmp_path
    )
    assert done.returncode == 0 and "\\u65e5" in done.stdout


def test_a_signal_to_end_leaves_the_old_target_and_no_scratch(folder):
    script = """
import os, signal, sys
from burnstore import cli
from burnstore.io import files
write = files._write
def kill(file, chunk, progress):
    write(file, chunk, progress)
    os.kill(os.getpid(), signal.SIGTERM)
files._write = kill
cli.main(["convert", "plain.bpk", "torch.bpk", "--overwrite"])
"""
    (folder / "torch.bpk").write_bytes(b"old")
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=ENVIRONMENT, cwd=folder
    )
    assert done.returncode == 128 + 15, done.stderr
    assert (folder / "torch.bpk").read_bytes() == b"old" and not list(folder.glob("*.tmp"))


def test_a_long_name_leaves_room_for_its_scratch_file(folder):
    name = "n" * 251 + ".bpk"
    assert run("convert", "plain.bpk", name, cwd=folder).returncode == 0
    assert (folder / name).read_bytes() == (folder / "plain.bpk").read_bytes()


def test_a_link_that_leads_to_itself_is_left_alone(folder):
    (folder / "loop.bpk").symlink_to("loop.bpk")
    done = run("convert", "plain.bpk", "loop.bpk", "--overwrite", cwd=folder)
    assert done.returncode == 1 and (folder / "loop.bpk").is_symlink()
