"""Test set-up: each plain test of tests/shared and tests/device runs on CPython and on both MicroPythons."""

import gc
from pathlib import Path

import hypothesis
import pytest

from kit import examples, support
from kit.harness import on_board, portable, spreading

HERE = Path(__file__).parent
PORTABLE = (HERE / "shared", HERE / "device")

# The seed and the example database stay Hypothesis's own.
hypothesis.settings.load_profile(examples.FEW)


def pytest_collect_file(file_path, parent):
    if file_path.parent not in PORTABLE or not file_path.match("test_*.py"):
        return None
    if parent.config.getoption("--board"):
        on_device = file_path.parent == PORTABLE[1]
        return on_board.BoardFile.from_parent(parent, path=file_path) if on_device else None
    return portable.PortableFile.from_parent(parent, path=file_path)


def pytest_collection_finish():
    """Take thousands of tests and modules, which stay, out of the sight of the garbage collector.

    The runtime collects garbage where a board could be short of memory, and would walk through all of them.
    """
    gc.collect()
    gc.freeze()


def pytest_addoption(parser):
    on_board.add_option(parser)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return spreading.scheduler(config, log) if config.getoption("dist") == "loadscope" else None


def _skipping(item):
    """Let pytest skip a test where plain code that it shares with other interpreters says so."""
    try:
        return (yield)
    except support.Skipped as reason:
        pytest.skip(str(reason))


pytest_runtest_setup = pytest.hookimpl(wrapper=True)(_skipping)
pytest_runtest_call = pytest.hookimpl(wrapper=True)(_skipping)
