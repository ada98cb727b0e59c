"""Runs plain tests on MicroPython and reports each as one line.

A report is a line of its own that begins with `MARK`, then JSON: [test, outcome, text]. The outcomes are
"started", then one of "passed", "skipped" (text: the reason), "failed" (text: the traceback). The test
is "" for the import of the file.
"""

import io
import json
import sys

from kit.support import Skipped

MARK = "\x1e"

_loaded = []


def load(folder, name):
    """Import the test file `name` from `folder`."""
    sys.path.insert(0, folder)
    _attempt("", lambda: _loaded.append(__import__(name)))


def run(name):
    """Run one test of the loaded file."""
    if _loaded:
        _attempt(name, lambda: getattr(_loaded[0], name)())


def _attempt(name, action):
    _report(name, "started", "")
    try:
        action()
    except Skipped as reason:
        _report(name, "skipped", str(reason))
    except (Exception, SystemExit) as error:  # a test that exits has failed, and the next one still runs
        _report(name, "failed", _traceback(error))
    else:
        _report(name, "passed", "")


def _report(name, outcome, text):
    print("\n%s%s" % (MARK, json.dumps([name, outcome, text])))


def _traceback(error):
    text = io.StringIO()
    sys.print_exception(error, text)
    return text.getvalue()
