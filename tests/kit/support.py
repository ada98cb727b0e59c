"""What plain tests share. It runs on CPython and on MicroPython.

A test calls these inside its function, never while its file is imported.
"""

import os
import sys

APART = 1 if sys.implementation.name == "cpython" else 5  # MicroPythons take ten times as long, and more
ROOT = __file__.replace("\\", "/").rsplit("/", 3)[0]


class Skipped(Exception):
    """The test cannot run here; the text says why."""


def raises(error_class, function, *arguments):
    """Call `function` and return the error of `error_class` that it must raise. Other errors pass through."""
    try:
        result = function(*arguments)
    except error_class as error:
        return error
    raise AssertionError("%s was not raised; got %r" % (error_class.__name__, result))


def skip(reason):
    """End the test here: it counts as skipped."""
    raise Skipped(reason)


def some(count):
    """Return the numbers below `count`: all of them on CPython, each fifth and the last on MicroPython."""
    return [number for number in range(count) if number % APART == 0 or number == count - 1]


def path(name):
    """Return the path of a file, given relative to the repository's root."""
    return ROOT + "/" + name


def data(name):
    """Return the path of a file that another program wrote, given relative to tests/data."""
    return ROOT + "/tests/data/" + name


def exists(name):
    """Tell whether there is a file or folder at this path."""
    try:
        os.stat(name)
    except OSError:
        return False
    return True


def read(name):
    """Return the bytes of the file at this path."""
    with open(name, "rb") as file:
        return file.read()
