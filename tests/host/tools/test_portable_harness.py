"""The harness that runs plain tests on MicroPython reports what happened there, and nothing else."""

from contextlib import closing
from unittest.mock import Mock

import pytest

from kit.harness import portable
from tools import interpreters

ON_EACH = pytest.mark.parametrize("interpreter", interpreters.NAMES)


HANGING = "def test_a(): pass\ndef test_hang():\n    while True: pass\n"


def run(interpreter, folder, source):
    """Return {test: (outcome, text)} of a test file with this source."""
    with closing(started(interpreter, folder, source)) as outcomes:
        return {name: outcomes.outcome(name) for name in portable.names_of_tests(folder / "test_sample.py")}


def started(interpreter, folder, source):
    """Return the run of a test file with this source."""
    try:
        interpreters.find(interpreter)
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    path = folder / "test_sample.py"
    path.write_text(source)
    return portable.Run(interpreter, path, portable.names_of_tests(path))


@ON_EACH
def test_each_outcome_is_reported(interpreter, tmp_path):
    source = """
from kit import support
def test_that_passes(): print("half a line", end="")
def test_that_fails(): assert 1 == 2, "one is two"
def test_that_skips(): support.skip("for a reason")
def test_that_exits(): raise SystemExit(0)
def test_after_it(): assert support.raises(ValueError, int, "x")
"""
    found = run(interpreter, tmp_path, source)
    assert found["test_that_passes"] == ("passed", "")
    assert found["test_that_fails"][0] == "failed"
    assert "one is two" in found["test_that_fails"][1]
    assert found["test_that_skips"] == ("skipped", "for a reason")
    assert found["test_that_exits"][0] == "failed"
    assert found["test_after_it"] == ("passed", "")


@ON_EACH
def test_a_file_that_does_not_import_fails_in_each_test(interpreter, tmp_path):
    found = run(interpreter, tmp_path, "import dataclasses\ndef test_a(): pass\ndef test_b(): pass\n")
    assert [outcome for outcome, _ in found.values()] == ["failed", "failed"]
    assert "dataclasses" in found["test_b"][1]


def test_a_crash_fails_the_test_it_happened_in_and_those_after(tmp_path):
    source = """
def test_before(): pass
def test_crash(): __import__("os").system("kill -9 $PPID")
def test_after(): pass
"""
    found = run("unix", tmp_path, source)
    assert found["test_before"][0] == "passed"
    assert found["test_crash"][0] == "failed"
    assert found["test_after"][0] == "failed"
    assert "did not get to this test" in found["test_after"][1]


def test_an_outcome_is_told_while_later_tests_still_run(tmp_path):
    outcomes = started("unix", tmp_path, HANGING)
    assert outcomes.outcome("test_a") == ("passed", "")
    assert outcomes.is_running()
    outcomes.close()


def test_a_hanging_interpreter_is_stopped_when_its_time_is_over(tmp_path, monkeypatch):
    alarms = []
    monkeypatch.setattr(portable.threading, "Timer", lambda seconds, stop: alarms.append(stop) or Mock())
    outcomes = started("unix", tmp_path, HANGING)
    assert outcomes.outcome("test_a")[0] == "passed"
    alarms[0]()
    outcome, text = outcomes.outcome("test_hang")
    assert outcome == "failed" and text.endswith("It was stopped after 600 seconds.")


@ON_EACH
def test_garbage_is_collected_between_tests(interpreter, tmp_path):
    source = """
import gc
def waste(): return [bytearray(1000) for _ in range(1000)]
def test_waste(): assert len(waste()) == 1000
def test_free(): assert gc.mem_alloc() < 500000
"""
    assert run(interpreter, tmp_path, source)["test_free"] == ("passed", "")


def test_a_traceback_starts_with_the_error_and_shows_the_source(tmp_path):
    path = tmp_path / "source.py"
    path.write_text("def f():\n    assert 1 == 2\n")
    raw = 'Traceback (...):\n  File "%s", line 2, in f\nAssertionError: no\n' % path.as_posix()
    shown = portable._readable(raw)
    assert shown.startswith("AssertionError: no\n")
    assert "    assert 1 == 2\n" in shown


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("pass", 0),
        ("import sys; sys.exit()", 0),
        ("import sys; sys.exit(3)", 3),
        ("import sys; sys.exit('text')", 1),
        ("raise ValueError('x')", 1),
    ],
)
@ON_EACH
def test_exit_codes_pass_through(interpreter, script, code, tmp_path):
    path = tmp_path / "script.py"
    path.write_text(script)
    try:
        assert interpreters.run(interpreter, path).returncode == code
    except interpreters.Missing as reason:
        pytest.skip(str(reason))


@ON_EACH
def test_arguments_and_their_files_reach_the_script(interpreter, tmp_path):
    path = tmp_path / "script.py"
    path.write_text("import sys\nprint(open(sys.argv[1]).read(), sys.argv[2])\n")
    (tmp_path / "input.txt").write_text("inside")
    try:
        done = interpreters.run(interpreter, path, [str(tmp_path / "input.txt"), "second"])
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    assert done.stdout == b"inside second\n"


def test_heap_sizes_are_read():
    sizes = [interpreters.heap_bytes(text) for text in ("4096", "64K", "2M", "1m")]
    assert sizes == [4096, 65536, 2 << 20, 1 << 20]
