"""Collects plain tests once more for each MicroPython: one process a file, one pytest item a test.

The process reports each test when it is done, and each item waits for its own: its duration is the test's.
"""

import ast
import json
import linecache
import re
import tempfile
import threading
from pathlib import Path

import pytest

from kit.harness import portable_runner
from tools import interpreters

HEAP = "16M"
PATIENCE = 600  # seconds until an interpreter that runs one file counts as hung


def names_of_tests(path):
    """Return the names of a file's test functions, in the order of the source."""
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [name for name in names if name.startswith("test_")]


class PortableFile(pytest.File):
    """The tests of one file, on every MicroPython."""

    def collect(self):
        for interpreter in interpreters.NAMES:
            for test in names_of_tests(self.path):
                yield PortableItem.of(self, test, interpreter)

    def outcome(self, interpreter, test):
        """Return one test's (outcome, text). The first call for an interpreter starts all selected tests."""
        if not hasattr(self, "_runs"):
            self._runs = {}
        if interpreter not in self._runs:
            self._runs[interpreter] = Run(interpreter, self.path, self._selected(interpreter))
        return self._runs[interpreter].outcome(test)

    def teardown(self):
        """End what still runs when pytest leaves the file, as after `-x`."""
        for run in self.__dict__.pop("_runs", {}).values():
            run.close()

    def _selected(self, interpreter):
        mine = [item for item in self.session.items if item.parent is self]
        return [item.test for item in mine if item.interpreter == interpreter]


class PortableItem(pytest.Item):
    """One test on one interpreter."""

    @classmethod
    def of(cls, file, test, interpreter):
        item = cls.from_parent(file, name="%s[micropython-%s]" % (test, interpreter))
        item.test = test
        item.interpreter = interpreter
        return item

    def runtest(self):
        outcome, text = self.parent.outcome(self.interpreter, self.test)
        if outcome == "skipped":
            pytest.skip(text)
        if outcome != "passed":
            raise Failed(text)

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, Failed):
            return _readable(str(excinfo.value))
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, None, self.name


class Failed(Exception):
    """A test failed; the text is the interpreter's traceback, or says how the interpreter ended."""


class Run:
    """Some tests of one file in one process of an interpreter, which is read as far as it is asked."""

    def __init__(self, interpreter, path, tests):
        self._reports = {}
        self._output = []
        self._ending = ""
        self._process = None
        self._late = False
        self._scratch = tempfile.TemporaryDirectory()
        script = Path(self._scratch.name) / "driver.py"
        script.write_text(driver(path.parent, path.stem, tests), encoding="utf-8")
        try:
            self._process = interpreters.start(interpreter, script, heap=HEAP, mounts=[path])
        except interpreters.Missing as reason:
            self._reports[""] = ("skipped", "MicroPython %s: %s" % (interpreter, reason))
            self._scratch.cleanup()
            return
        self._timer = threading.Timer(PATIENCE, self._stop)
        self._timer.daemon = True
        self._timer.start()

    def outcome(self, test):
        while self._process and self._reports.get(test, ("started",))[0] == "started":
            self._read_line()
        return outcome_of((self._reports, self._ending), test)

    def is_running(self):
        return self._process is not None and self._process.poll() is None

    def close(self):
        """End the process, if it still runs."""
        if self._process:
            self._process.kill()
            self._end()

    def _read_line(self):
        line = self._process.stdout.readline().decode(errors="replace")
        if not line:
            self._end()
        elif line.startswith(portable_runner.MARK):
            self._reports.update(reports(line))
        else:
            self._output.append(line)

    def _end(self):
        self._timer.cancel()
        code = self._process.wait()
        self._process.stdout.close()
        self._process = None
        said = "Its exit code was %d. It said:\n%s" % (code, "".join(self._output)[-4000:])
        self._ending = "It was stopped after %d seconds." % PATIENCE if self._late else said
        self._scratch.cleanup()

    def _stop(self):
        self._late = True
        self._process.kill()


def outcome_of(run, test):
    """Return (outcome, text) of a test, from (reports, ending) of a run. Without a report it has failed."""
    reports, ending = run
    imported = reports.get("", ("started", ""))
    outcome, text = reports.get(test, imported)
    if outcome == "started":
        return "failed", "MicroPython ended while it ran this. " + ending
    if test not in reports and outcome == "passed":
        return "failed", "MicroPython did not get to this test. " + ending
    return outcome, text


def driver(folder, stem, names):
    """Return the script that runs these tests of a file, with garbage collected between them everywhere."""
    steps = ["runner.load(%r, %r)" % (folder.as_posix(), stem)]
    steps += ["runner.run(%r)" % name for name in names]
    return "import gc\nfrom kit.harness import portable_runner as runner\n" + "".join(
        step + "\ngc.collect()\n" for step in steps
    )


def reports(output):
    """Return the last report of each test: {test: (outcome, text)}."""
    results = {}
    for line in output.split("\n"):
        if line.startswith(portable_runner.MARK):
            name, outcome, text = json.loads(line[len(portable_runner.MARK) :])
            results[name] = (outcome, text)
    return results


def _readable(traceback):
    """Return a traceback for people: the error first, with source lines, without our own frames."""

    def frame(found):
        if found[1].endswith("portable_runner.py"):
            return ""
        source = linecache.getline(found[1], int(found[2])).strip()
        return found[0] + ("    %s\n" % source if source else "")

    text = re.sub(r' *File "([^"]+)", line (\d+).*\n', frame, traceback.rstrip() + "\n")
    return "%s\n\n%s" % (text.rstrip().rsplit("\n", 1)[-1], text)
