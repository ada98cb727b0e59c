"""The emulated Pico: firmware laid into its flash, its cable, and what is fetched for it."""

import os
import pty
import struct
import subprocess
import sys
import threading
import tty

import pytest

from tools import interpreters
from tools.emulated_pico import image, parts
from tools.emulated_pico.cable import PIECE, Cable


def block(data=b"\1" * 256, address=image.FLASH_START, flags=image.HAS_FAMILY, family=image.RP2040):
    """Return one block of UF2."""
    fields = (*image.MAGIC, flags, address, len(data), 0, 1, family, data, image.MAGIC_END)
    return struct.pack(image.BLOCK, *fields)


def laid(firmware):
    flash = image.erased()
    image.lay(firmware, flash)
    return flash


def test_a_block_of_a_firmware_is_a_block_of_the_flash_and_the_rest_stays():
    flash = laid(block() + block(b"\2\3", image.FLASH_START + 4096))
    assert flash[:257] == b"\1" * 256 + b"\xff" and flash[4095:4099] == b"\xff\2\3\xff"


def test_what_is_not_for_the_flash_is_passed_over():
    assert laid(block(flags=image.NOT_FOR_FLASH, family=0)) == image.erased()


@pytest.mark.parametrize(
    "firmware,reason",
    (
        (b"", "no whole blocks"),
        (block()[:-1], "no whole blocks"),
        (block() + bytes(512), "no block of UF2 at byte 512"),
        (block(family=0xE48BFF59), "another processor"),
        (block(address=image.FLASH_START - 4), "outside"),
        (block(address=image.FLASH_START + image.FLASH_SIZE - 255), "outside"),
        (block()[:16] + struct.pack("<I", 477) + block()[20:], "no block"),
    ),
)
def test_what_is_no_firmware_for_a_pico_is_refused(firmware, reason):
    with pytest.raises(image.NotFirmware, match=reason):
        laid(firmware)


@pytest.mark.parametrize("content", (b"no firmware", None))
def test_the_command_says_in_one_line_why_it_serves_no_board(tmp_path, content):
    path = tmp_path / "firmware.uf2"
    if content:
        path.write_bytes(content)
    words = [sys.executable, "-m", "tools.emulated_pico", str(path)]
    done = subprocess.run(words, cwd=interpreters.ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "firmware" in done.stderr or "UF2" in done.stderr


def test_a_kept_flash_of_another_size_is_refused_and_left_alone(tmp_path):
    (tmp_path / "firmware.uf2").write_bytes(block())
    (tmp_path / "flash").write_bytes(b"mine")
    words = [sys.executable, "-m", "tools.emulated_pico", str(tmp_path / "firmware.uf2"), "--flash"]
    words.append(str(tmp_path / "flash"))
    done = subprocess.run(words, cwd=interpreters.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "no flash" in done.stderr
    assert (tmp_path / "flash").read_bytes() == b"mine"


def test_the_boot_rom_is_read_out_of_a_source_that_is_not_run():
    source = "raise SystemExit\nBOOTROM_B1 = [%s]" % ", ".join(["0x04030201"] * 4096)
    assert parts.bootrom_in(source) == bytes([1, 2, 3, 4]) * 4096


@pytest.mark.parametrize("source", ("", "BOOTROM_B1 = [1, 2]", "OTHER = 1"))
def test_a_source_without_a_whole_boot_rom_is_an_error(source):
    with pytest.raises(interpreters.Missing, match="no boot ROM"):
        parts.bootrom_in(source)


def test_what_can_not_be_fetched_is_named_with_the_reason(tmp_path, monkeypatch):
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho 'npm error code ENOTFOUND' >&2\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setattr(parts, "RP2040JS", tmp_path / "absent")
    monkeypatch.setattr(interpreters, "beside_python", lambda name: str(npm))
    with pytest.raises(interpreters.Missing, match=r"rp2040js could not be fetched: npm said: .*ENOTFOUND"):
        parts.bring()


@pytest.fixture
def cable():
    """Return a running cable's ends: the port's name, what the board reads, and what it writes to."""
    port, inside = pty.openpty()
    tty.setraw(inside)
    name = os.ttyname(inside)
    os.close(inside)
    os.set_blocking(port, False)
    board_in, to_board = os.pipe()
    from_board, board_out = os.pipe()
    made = Cable(port, to_board, from_board)
    thread = threading.Thread(target=made.carry)
    thread.start()
    yield name, board_in, board_out
    made.cut()
    thread.join()
    made.close()
    for descriptor in (port, board_in, to_board, from_board, board_out):
        os.close(descriptor)


def read_all(descriptor, size):
    """Read until there are `size` bytes."""
    data = b""
    while len(data) < size:
        data += os.read(descriptor, size - len(data))
    return data


def test_a_cable_carries_more_than_either_end_takes_at_once_and_loses_nothing(cable):
    name, board_in, board_out = cable
    content = bytes(range(256)) * (PIECE // 8)
    with open(name, "r+b", buffering=0) as host:
        os.write(host.fileno(), b"hello")
        assert read_all(board_in, 5) == b"hello"
        writer = threading.Thread(target=os.write, args=(board_out, content))
        writer.start()
        assert read_all(host.fileno(), len(content)) == content
        writer.join()


def test_what_a_board_says_while_nobody_listens_is_lost_and_holds_nothing_up(cable):
    name, board_in, board_out = cable
    for _ in range(200):  # far more than a pipe holds
        os.write(board_out, b"x" * 1000)
    with open(name, "r+b", buffering=0) as host:
        os.write(host.fileno(), b"?")
        assert read_all(board_in, 1) == b"?"
        os.write(board_out, b"!")
        while os.read(host.fileno(), 1) != b"!":  # the rest of what was on its way
            pass
