"""Runs the plain tests of tests/device on a board: `pytest tests/device --board PORT`.

The board imports everything through mpremote's mount of the repository: nothing is written to its flash.
"""

from pathlib import PurePosixPath

from kit.harness import portable

FOLDERS = ("shared", "device", "tests")


def add_option(parser):
    """Let pytest know `--board`."""
    what = "run tests/device on CPython and on this board, and on no other MicroPython"
    parser.addoption("--board", metavar="PORT", help=what)


class BoardFile(portable.PortableFile):
    """The tests of one file, on a board."""

    def collect(self):
        for test in portable.names_of_tests(self.path):
            yield portable.PortableItem.of(self, test, "board")

    def outcome(self, interpreter, test):
        if not hasattr(self, "_reports"):
            self._reports = _run(self.config.getoption("--board"), self.path, self._selected("board"))
        return portable.outcome_of(self._reports, test)


def _run(port, path, tests):
    """Return what `portable.outcome_of` needs: the tests' reports, and how the run ended."""
    from mpremote.transport import TransportError  # other runs do without it
    from mpremote.transport_serial import SerialTransport

    root = path.parents[2]
    paths = ["/remote/" + folder for folder in FOLDERS]
    here = PurePosixPath("/remote") / path.relative_to(root).parent
    driver = "import sys\nsys.path[:0] = %r\n%s" % (paths, portable.driver(here, path.stem, tests))
    board = SerialTransport(port)
    said = bytearray()
    try:
        board.enter_raw_repl()
        board.mount_local(str(root))
        board.exec_raw_no_follow(driver)
        _, error = board.follow(portable.PATIENCE, said.extend)
        board.exec("import os\nos.chdir('/')\nos.umount('/remote')")
        ending = error.decode(errors="replace")
    except TransportError as error:
        ending = "The link failed: %s" % error
    finally:
        board.close()
    output = said.decode(errors="replace").replace("\r\n", "\n")
    return portable.reports(output), ending or output[-2000:]
