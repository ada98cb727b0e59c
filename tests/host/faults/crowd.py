"""Several processes save to one target at once, and this one looks at it all the while.

    crowd.py KIND TARGET SAVERS SAVES [--once]

Prints "looked N" and, for each saver, how often it saved and how often it was refused. With --once each saver
may not overwrite.
"""

import os
import sys

from burnpack.errors import NotFound, SaveFailed
from kit import faulty

kind, target, savers, saves = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
overwrite = "--once" not in sys.argv


def save_often(version):
    """Save; return the exit code: how many of the saves were refused."""
    refused = 0
    for _ in range(saves):
        try:
            faulty.model(version).save_into(faulty.store(kind, target).overwrite(overwrite))
        except SaveFailed:
            refused += 1
    return refused


def fork(version):
    child = os.fork()
    if child == 0:
        code = 255
        try:
            code = save_often(version)
        finally:
            os._exit(code)
    return child


def look():
    """Return whether there was a model, which must be whole."""
    try:
        faulty.version_of(faulty.store(kind, target))
    except (FileNotFoundError, NotFound):
        return False  # not saved yet; or, of several files, replaced between the index and the first of them
    return True


children = [fork(version) for version in range(1, savers + 1)]
codes, looked = [], 0
while children:
    looked += look()
    child, status = os.waitpid(-1, os.WNOHANG)
    if child:
        children.remove(child)
        codes.append(os.waitstatus_to_exitcode(status))
print("looked", looked)
for code in codes:
    print(saves - code, code)
