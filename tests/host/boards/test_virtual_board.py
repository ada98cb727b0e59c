"""mpremote, which knows real boards, takes the virtual one for a board."""

import os
import shutil
import subprocess
import sys

import pytest
from mpremote.transport_serial import SerialTransport
from serial import SerialException

from tools import interpreters


def mpremote(board, *words, code=0):
    """Run mpremote on the board and return what it says."""
    command = [sys.executable, "-m", "mpremote", "connect", board.port, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_code_runs_and_its_output_comes_back(board):
    assert mpremote(board, "exec", "print(6 * 7)") == "42\n"


def test_an_error_on_the_board_is_an_error_here(board):
    assert "ZeroDivisionError" in mpremote(board, "exec", "1 / 0", code=1)


def test_files_go_to_the_board_and_come_back(board, tmp_path):
    content = bytes(range(256)) * 40
    (tmp_path / "there.bin").write_bytes(content)
    mpremote(board, "cp", str(tmp_path / "there.bin"), ":/kept.bin", "+", "mkdir", ":/lib")
    assert (board.folder / "kept.bin").read_bytes() == content
    assert {"kept.bin", "lib/"} <= set(mpremote(board, "ls", ":/").split())
    mpremote(board, "cp", ":/kept.bin", str(tmp_path / "back.bin"))
    assert (tmp_path / "back.bin").read_bytes() == content


def test_the_board_sees_its_own_files_and_none_of_the_machine(board):
    (board.folder / "own").write_text("")
    assert mpremote(board, "exec", "import os; print(os.listdir('/'))").strip() == "['own']"


def test_a_soft_reset_forgets_names_and_keeps_files(board):
    said = mpremote(board, "exec", "left = 1; open('/f', 'w').close()", "+", "soft-reset")
    said += mpremote(board, "resume", "exec", "import os; print('left' in globals(), os.listdir('/'))")
    assert said == "False ['f']\n"


def test_modules_are_found_where_a_board_has_them(board):
    (board.folder / "lib").mkdir()
    (board.folder / "lib" / "helper.py").write_text("print('helps')")
    assert mpremote(board, "exec", "import helper") == "helps\n"


def test_the_rom_partition_takes_an_image_and_keeps_it_over_a_reset(board, tmp_path):
    assert "size 262144 bytes" in mpremote(board, "romfs", "query")
    (tmp_path / "image").mkdir()
    (tmp_path / "image" / "note.txt").write_text("in flash")
    mpremote(board, "romfs", "deploy", str(tmp_path / "image"))
    assert "ROMFS image size" in mpremote(board, "romfs", "query")
    assert mpremote(board, "exec", "print(open('/rom/note.txt').read())") == "in flash\n"


def test_the_rom_partition_takes_nothing_of_a_small_heap(make_board):
    free = "import gc; gc.collect(); print(gc.mem_free())"
    with_rom, without = (make_board(heap="24K", rom=rom) for rom in (256 << 10, 0))
    assert "size 262144 bytes" in mpremote(with_rom, "romfs", "query")
    assert abs(int(mpremote(with_rom, "exec", free)) - int(mpremote(without, "exec", free))) < 4096


def test_a_heap_that_is_too_small_for_a_board_is_an_error(make_board):
    with pytest.raises(RuntimeError, match="did not start"):
        make_board(heap="4K")


def test_a_board_without_a_rom_partition_says_so(make_board):
    assert "ROMFS is not enabled" in mpremote(make_board(rom=0), "romfs", "query")


@pytest.mark.parametrize("how,starts", (("cut_after", 2), ("fail_after", 3)))
@pytest.mark.parametrize("count", (0, 1, 2, 30, 200))
def test_a_board_whose_link_is_cut_can_be_plugged_in_again(board, count, how, starts):
    getattr(board, how)(count)
    with pytest.raises((SerialException, OSError)):
        transport = SerialTransport(board.port)
        try:
            transport.enter_raw_repl(soft_reset=False)
            transport.exec("print(%r)" % ("x" * 300))
        finally:
            transport.serial.close()
    board.unplug()
    board.plug()
    assert mpremote(board, "exec", "print('again')") == "again\n"
    assert board.starts == starts  # at first, where power failed, and by mpremote's soft reset


@pytest.mark.parametrize(
    "name,body,code,said",
    (
        ("right", "assert sys.implementation.name", 0, "passed"),
        ("wrong", "assert sys.maxsize < 0, 'not so'", 1, "not so"),
        ("ending", "sys.exit(3)", 1, "SystemExit"),
    ),
)
def test_pytest_runs_the_tests_of_a_file_on_a_board(board, tmp_path, name, body, code, said):
    for folder in ("shared", "device", "tests/device"):
        (tmp_path / "copy" / folder).mkdir(parents=True)
    here = interpreters.ROOT / "tests"
    shutil.copy(here / "conftest.py", tmp_path / "copy" / "tests")
    shutil.copytree(here / "kit", tmp_path / "copy" / "tests" / "kit")
    test = tmp_path / "copy" / "tests" / "device" / ("test_%s.py" % name)
    test.write_text(
        "import sys\n\n\ndef test_it():\n    if %r in str(sys.implementation):\n        %s\n"
        % ("micropython", body)
    )
    words = [sys.executable, "-m", "pytest", str(test), "--board", board.port, "-p", "no:cacheprovider"]
    paths = os.pathsep.join([str(here.parent), str(tmp_path / "copy" / "tests")])
    done = subprocess.run(
        [*words, "--import-mode=importlib", "-rA"],
        cwd=tmp_path / "copy",
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert "test_it[micropython-board]" in done.stdout and said in done.stdout
    assert list(board.folder.iterdir()) == []


def test_our_own_tests_of_integer_kernels_and_models_run_on_a_board_with_their_vectors(make_board):
    board = make_board(heap="4M")
    files = ["tests/device/test_%s.py" % name for name in ("int8_kernels", "model")]
    words = [sys.executable, "-m", "pytest", *files, "--board", board.port, "-k", "micropython-board", "-rA"]
    done = subprocess.run(
        [*words, "-p", "no:cacheprovider"],
        cwd=interpreters.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    passed = [line for line in done.stdout.splitlines() if line.startswith("PASSED")]
    assert len(passed) > 10 and all("[micropython-board]" in line for line in passed)
    assert list(board.folder.iterdir()) == []
