"""Saves a model as a user without rights, and prints what came of it: `save_once.py KIND TARGET`."""

import os
import sys
import tempfile
from pathlib import Path

from burnpack.errors import BurnpackError
from kit import faulty

NOBODY = 65534


def save(kind, target):
    faulty.model(2).save_into(faulty.store(kind, target).overwrite(True))


with tempfile.TemporaryDirectory() as folder:
    save(sys.argv[1], Path(folder) / Path(sys.argv[2]).name)  # imports what later can't be read any more
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
try:
    save(sys.argv[1], sys.argv[2])
except BurnpackError as error:
    print(f"{type(error).__name__}: {error}")
else:
    print("saved")
