"""Spreads the tests over pytest-xdist's workers: what shares something costly runs on one of them."""

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
ON_MICROPYTHON = re.compile(r"\[micropython-\w+\]$")
SHARED_FIXTURE = re.compile(r"""scope=["'](module|session)["']""")


def scope_of(nodeid):
    """Return the name of what a test stays together with.

    That are the tests of a file on the same MicroPython, which run in one process; the tests of a file whose
    fixtures are made once; and else those of one function, which often look at the same things.
    """
    file = nodeid.partition("::")[0]
    interpreter = ON_MICROPYTHON.search(nodeid)
    if interpreter:
        return file + interpreter[0]
    return file if _makes_things_once(file) else nodeid.partition("[")[0]


@cache
def _makes_things_once(file):
    return SHARED_FIXTURE.search((ROOT / file).read_text(encoding="utf-8")) is not None


def scheduler(config, log):
    """Return the scheduler of xdist that hands out tests by `scope_of`."""
    from xdist.scheduler import LoadScopeScheduling  # runs in one process do without it

    class Spreading(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return scope_of(nodeid)

    return Spreading(config, log)
