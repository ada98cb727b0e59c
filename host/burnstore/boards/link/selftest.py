"""The self-test of a model, run on the board."""

import re
from dataclasses import dataclass

from burnpack.errors import LoadFailed, SaveFailed, printable
from burnstore.boards.link.link import Link, about
from burnstore.models.model import class_in_source

_FIRST = "selftest.input.0"

# A file in ROMFS is read where it lies.
_OPEN = """\
import gc
from burnpack.reader import Reader
from burnrt import selftest
gc.collect()
f = open(%(path)r, "rb")
try:
    r = Reader.from_static(memoryview(f))
except TypeError:
    r = Reader.from_stream(f)
"""

# The model's source is run as a module of its own would be.
_LAYERS = """\
n = {"__name__": "model"}
exec(%(source)r, n)
m = n[%(name)r]()
q = m.apply(r)
if q.errors or q.missing:
    q.unused = [t for t in q.unused if not t.startswith("selftest.")]
    raise ValueError("the file does not fill the model: " + str(q))
"""

_INTEGERS = """\
from burnrt import int8
m = int8.Model(r)
"""

_RUN = """\
v = selftest.run(m, r)
f.close()
print((v.cases, str(v.worst), v.passed, str(v)))
"""
_FORM = (int, str, bool, str)
_RUNTIME = ("burnpack", "burnrt")


@dataclass(frozen=True)
class Outcome:
    """The board's verdict: how many cases it ran, how far it was off at most, and a line of text."""

    cases: int
    worst: float
    passed: bool
    text: str


def has_cases(names: list[str]) -> bool:
    """Return whether a file with tensors of these names brings cases along."""
    return _FIRST in names


def run(link: Link, path: str, module: str | None) -> Outcome:
    """Load the model at `path` on the board, run its cases there, and return what came of it.

    module: "FILE:CLASS" on this computer, which the board need not have; None for an integer model. Raises
    `SaveFailed` with the board's error, as where it has no runtime.
    """
    program = (_OPEN + _INTEGERS + _RUN) % {"path": path} if module is None else _of_layers(path, module)
    try:
        with about(path):
            cases, worst, passed, text = link.ask(program, _FORM)
            return Outcome(cases, _number(link, worst), passed, printable(text))
    except SaveFailed as error:
        if "ImportError" not in error.what:
            raise
        raise LoadFailed(f"{error.what} ({_way_to_bring(error.what)})", path, source=link.port) from error


def _way_to_bring(what: str) -> str:
    """Return what brings the module that an ImportError of the board names."""
    found = re.search(r"no module named '([^']*)'", what)
    if found is None or found[1].partition(".")[0] in _RUNTIME:
        return "--runtime brings burnpack and burnrt"
    return "the model's source imports it: mpremote cp brings a file of your own to the board"


def _number(link: Link, text: str) -> float:
    """Return the number that a board writes so; infinity is one that has no literal."""
    try:
        return float(text)
    except ValueError:
        raise link.nonsense(text) from None


def _of_layers(path: str, module: str) -> str:
    """Return the program for a model whose class is in a source."""
    source, name = class_in_source(module)
    return (_OPEN + _LAYERS + _RUN) % {"source": source, "path": path, "name": name}
