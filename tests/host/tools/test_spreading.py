"""Tests that share something costly run on one of several workers."""

import os
import re
import subprocess
import sys

import pytest

from kit import support
from kit.harness import spreading

UNIX, WASM = "[micropython-unix]", "[micropython-wasm]"


@pytest.mark.parametrize(
    ("nodeid", "scope"),
    [
        ("tests/shared/test_utf8.py::test_a" + UNIX, "tests/shared/test_utf8.py" + UNIX),
        ("tests/shared/test_utf8.py::test_a" + WASM, "tests/shared/test_utf8.py" + WASM),
        ("tests/shared/test_utf8.py::test_a", "tests/shared/test_utf8.py::test_a"),
        ("tests/host/docs/test_wheel.py::test_a[burnrt]", "tests/host/docs/test_wheel.py"),
        ("tests/host/cli/test_cli.py::test_a[x]", "tests/host/cli/test_cli.py::test_a"),
    ],
)
def test_tests_stay_together_where_they_share_a_process_or_a_fixture(nodeid, scope):
    assert spreading.scope_of(nodeid) == scope


def test_one_worker_runs_all_tests_of_a_file_on_an_interpreter():
    words = [
        sys.executable,
        "-m",
        "pytest",
        "tests/shared/test_small_float.py",
        "-v",
        "-p",
        "no:cacheprovider",
    ]
    words += ["--numprocesses=2", "--dist=loadscope"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(words, cwd=support.ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.findall(r"^\[(gw\d)\].*\[micropython-(\w+)\]", done.stdout, re.MULTILINE)
    workers = dict(map(reversed, found))
    assert found and all(workers[interpreter] == worker for worker, interpreter in found)
