"""MicroPython's own firmware on an emulated Pico is a board for all that boards are for.

Runs where BURNSTORE_PICO_FIRMWARE names a .uf2 of MicroPython for the RPI_PICO.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from burnstore import cli
from tools import interpreters
from tools.emulated_pico.board import EmulatedPico

FIRMWARE = os.environ.get("BURNSTORE_PICO_FIRMWARE")
DIGITS = interpreters.ROOT / "examples" / "digits"
CLASS = "%s:DigitsNet" % (DIGITS / "model.py")
COUNTS = """
from machine import mem32
def counted(times):
    mem32[0x40068000] = mem32[0x40068004] = 0
    for _ in range(times):
        pass
    return mem32[0x40068000], mem32[0x40068004]
few, many = counted(0), counted(1000)
print(few[0] >= few[1] > 0, many[0] - few[0] > 10000, 10000 < many[1] - few[1] < 1000000)
"""

pytestmark = pytest.mark.skipif(not FIRMWARE, reason="BURNSTORE_PICO_FIRMWARE names no .uf2")


@pytest.fixture(scope="module")
def flash(tmp_path_factory):
    return tmp_path_factory.mktemp("pico") / "flash"


@pytest.fixture(scope="module")
def pico(flash):
    """Return a running board; its flash is kept in a file."""
    try:
        with EmulatedPico(Path(FIRMWARE), flash) as board:
            yield board
    except interpreters.Missing as reason:
        pytest.skip(str(reason))


def mpremote(board, *words):
    """Run mpremote on the board and return what it says."""
    command = [sys.executable, "-m", "mpremote", "connect", board.port, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def command(*words):
    with pytest.raises(SystemExit) as ended:
        cli.main([*map(str, words), "--quiet"])
    assert ended.value.code == 0


@pytest.fixture(scope="module")
def quantized(tmp_path_factory):
    """Return the digits' network in integers, with three cases of a self-test."""
    folder = tmp_path_factory.mktemp("digits")
    command("convert", DIGITS / "digits.pt", "-o", folder / "plain.bpk", "--module", CLASS)
    command(
        "quantize",
        folder / "plain.bpk",
        "-o",
        folder / "q.bpk",
        "--module",
        CLASS,
        "--calibrate",
        DIGITS / "x.npy",
    )
    command("golden", folder / "q.bpk", "-o", folder / "digits.bpk", "--cases", 3)
    return folder / "digits.bpk"


def test_it_boots_the_firmware(pico):
    assert "rp2 Raspberry Pi Pico" in mpremote(
        pico, "exec", "import sys; print(sys.platform, sys.implementation._machine)"
    )


def test_a_program_counts_its_cycles_and_instructions(pico):
    assert mpremote(pico, "exec", COUNTS) == "True True True\n"


def test_more_than_a_packet_goes_both_ways(pico, tmp_path):
    content = bytes(range(256)) * 40
    (tmp_path / "there").write_bytes(content)
    mpremote(pico, "cp", str(tmp_path / "there"), ":/kept", "+", "cp", ":/kept", str(tmp_path / "back"))
    assert (tmp_path / "back").read_bytes() == content


def test_a_reset_starts_it_again_with_its_files(pico):
    mpremote(pico, "exec", "open('/left', 'w').close(); left = 1")
    mpremote(pico, "reset")
    assert (
        mpremote(pico, "exec", "import os; print('left' in os.listdir(), 'left' in globals())")
        == "True False\n"
    )


def test_a_quantized_model_goes_there_and_answers_right(pico, quantized, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["deploy", str(quantized), "--port", pico.port, "--to", "fs", "--runtime"])
    assert ended.value.code == 0
    assert "self-test passed: 3 cases, largest deviation 0" in capsys.readouterr().out


def test_tests_for_boards_run_there(pico):
    words = [sys.executable, "-m", "pytest", "tests/device/test_value.py", "--board", pico.port, "-rA"]
    done = subprocess.run(
        [*words, "-n", "0", "-p", "no:cacheprovider"],
        cwd=interpreters.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "[micropython-board]" in done.stdout


def test_what_it_wrote_is_there_for_the_next_one(pico, flash, tmp_path):
    mpremote(pico, "exec", "with open('/note', 'w') as file: file.write('kept')")
    again = tmp_path / "flash"
    again.write_bytes(flash.read_bytes())
    with EmulatedPico(Path(FIRMWARE), again) as other:
        assert mpremote(other, "exec", "print(open('/note').read())") == "kept\n"
