"""What the tests of faults share: a model, the ways to save it, and a disk that is soon full."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kit import faulty

SUFFIXES = {"burnpack": ".bpk", "safetensors": ".safetensors", "sharded": ".safetensors"}


class Way:
    """One of the ways to save a model: its stores, and what is on the disk after a save."""

    def __init__(self, name, folder):
        self.name = name
        self.folder = folder
        self.target = folder / ("model" + SUFFIXES[name])

    def store(self):
        return faulty.store(self.name, self.target)

    def save(self, version, adapter=None):
        store = self.store().overwrite(True)
        faulty.model(version).save_into(store if adapter is None else store.with_to_adapter(adapter))

    def loaded(self):
        """Return the version of the model that loads from there, which must be whole."""
        return faulty.version_of(self.store())

    def files(self):
        """Return {name: content} of all files there."""
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}


@pytest.fixture(params=SUFFIXES)
def way(request, tmp_path):
    return Way(request.param, tmp_path)


@pytest.fixture
def small_disk(tmp_path):
    """Return a folder on a file system of 2 MB."""
    if os.name != "posix" or os.geteuid() != 0:
        pytest.skip("only root may mount a file system")
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", place], capture_output=True)
    if done.returncode:
        pytest.skip("no file system can be mounted here: " + done.stderr.decode().strip())
    yield place
    subprocess.run(["umount", place], check=True)


@pytest.fixture
def in_a_process():
    """Return a function that runs a script of this folder, and returns the lines it prints."""

    def run(script, *arguments, **options):
        paths = os.pathsep.join(path for path in sys.path if path)
        words = [sys.executable, str(Path(__file__).with_name(script)), *map(str, arguments)]
        done = subprocess.run(
            words, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, **options
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run
