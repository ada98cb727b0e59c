"""Running `burnstore freeze`, and what it wrote."""

import contextlib
import io
import os
import subprocess
import sys

import pytest

from burnstore import cli
from tools import interpreters

PATHS = os.pathsep.join(str(interpreters.ROOT / folder) for folder in ("shared", "host", "device"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": PATHS}


def run(*words, cwd="."):
    """Call the command in this process, in a folder; return what a process of its own would leave."""
    out, err = io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO())
    with contextlib.chdir(cwd), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        path = sys.path[:]  # which a model's module may change
        try:
            with pytest.raises(SystemExit) as ended:
                cli.main([str(word) for word in words])
        finally:
            sys.path[:] = path
        said = [stream.seek(0) or stream.read() for stream in (out, err)]
    return subprocess.CompletedProcess(words, ended.value.code, *said)


def frozen_at(model, *words):
    """Return the folder that `burnstore freeze` wrote."""
    folder = model.parent / "firmware"
    done = run("freeze", model, "-o", folder, *words)
    assert done.returncode == 0, done.stderr
    return folder


def manifest_files(folder):
    """Return the files that a manifest names, by running it with functions of our own."""
    found = []

    def package(name, base_path=".", files=()):
        found.extend("%s/%s/%s" % (base_path, name, file) for file in files)

    def module(path, opt=None):
        found.append(path)

    space = {"package": package, "module": module}
    exec((folder / "manifest.py").read_text(encoding="utf-8"), space)
    return found


def frozen_runs(folder, program):
    """Run a program on MicroPython with what is in the folder and nothing else; return what it prints."""
    try:
        interpreter = interpreters.find("unix")
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    script = folder.parent / "program.py"
    script.write_text(program, encoding="utf-8")
    path = os.pathsep.join(map(str, (folder, folder / "lib")))
    command = interpreter.command(script, [], 1 << 21, [])
    environment = {**os.environ, "MICROPYPATH": path}
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
