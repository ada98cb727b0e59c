"""Examples' models, their bundles, and what MicroPython says that they take of its heap."""

from functools import cache

import pytest

from burnpack.reader import Reader
from burnstore.boards.fit.memory import runtime_of
from burnstore.boards.runtime.bundle import bundle
from burnstore.programs.uses import uses_of
from tools import interpreters, performance

SCRIPTS = interpreters.ROOT / "tools" / "bench" / "board"
SUBJECTS = {subject.module.rpartition(":")[2]: subject for subject in performance.SUBJECTS}


@cache
def quantized(name):
    """Return the file of an example's network in integers."""
    return performance.quantized_model(SUBJECTS[name]).to_bytes()


def laid_out(folder, data, processor=None):
    """Put a model and its runtime, bytecode or for a processor, into a folder; return what the latter is."""
    made = bundle([uses_of(Reader.from_static(data))], processor)
    (folder / "burnrt.mpy").write_bytes(made.compiled())
    (folder / "net.bpk").write_bytes(data)
    return runtime_of(made)


def heap_of(interpreter, folder, heap="4M", runs=True):
    """Return {name: bytes} of what a model takes of the heap; None where that is too small."""
    words = [str(folder), str(folder / "net.bpk"), *([] if runs else ["idle"])]
    try:
        done = interpreters.run(interpreter, SCRIPTS / "program_heap.py", words, heap=heap)
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    if done.returncode:
        assert b"MemoryError" in done.stderr + done.stdout, done.stderr.decode()
        return None
    return {name: int(size) for name, size in map(str.split, done.stdout.decode().splitlines())}
