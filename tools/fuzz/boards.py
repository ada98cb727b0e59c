"""What MicroPython says of many inputs, given to one process."""

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools import interpreters
from tools.fuzz import guard

HEAP = "32M"
PATIENCE = 300  # seconds until a process that takes many inputs counts as one that hangs; a watchdog
_BOARD = Path(__file__).parent / "board"
SHORT = "short of memory"  # which says nothing of the input
_MARK = "\x1e"  # begins a line that tells of an input; what else is printed is no verdict

# Garbage goes between inputs: the WebAssembly build collects at such lines only. An input's number comes
# before its verdict, so that one that ends or stops the process is known.
_HEAD = """import gc, sys
sys.path.insert(0, %r)
import verdicts
file = open(%r, "rb")
def take(number, start, size, run):
    file.seek(start)
    data = file.read(size)
    print(%r, number)
    try:
        print(%r, number, verdicts.verdict(%r, data, run))
    except Exception as error:
        print(%r, number, "wrong", type(error).__name__, repr(str(error)))
"""


class Ended(Exception):
    """The interpreter ended or hung at an input: `number` says at which one."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(text)
        self.number = number


def verdicts_of(interpreter: str, reader: str, inputs: Sequence[tuple[bytes, bool]]) -> list[str]:
    """Return what an interpreter says of each input. reader: as `board/verdicts.py` calls it.

    inputs: bytes, and whether a program is run. Raises `Ended`, and `interpreters.Missing`.
    """
    with tempfile.TemporaryDirectory() as folder:
        data, script = Path(folder) / "inputs.bin", Path(folder) / "take.py"
        data.write_bytes(b"".join(each for each, _ in inputs))
        script.write_text(_script(data, reader, inputs))
        try:
            mounts = [data, _BOARD]
            with guard.unlimited():
                done = interpreters.run(interpreter, script, (), HEAP, mounts, timeout=PATIENCE)
            output, ending = done.stdout, done.stderr.decode(errors="replace")[-500:] or f"{done.returncode}"
        except subprocess.TimeoutExpired as error:
            output, ending = error.stdout or b"", "it hangs"
    return _told(output.decode(errors="replace"), len(inputs), ending)


def _script(data: Path, reader: str, inputs: Sequence[tuple[bytes, bool]]) -> str:
    parts = [_HEAD % (str(_BOARD), str(data), _MARK, _MARK, reader, _MARK)]
    at = 0
    for number, (each, run) in enumerate(inputs):
        parts.append("take(%d, %d, %d, %r)\ngc.collect()\n" % (number, at, len(each), run))
        at += len(each)
    return "".join(parts)


def _told(output: str, count: int, ending: str) -> list[str]:
    found: dict[int, str] = {}
    started = 0
    for line in output.split("\n"):
        if line.startswith(_MARK):
            number, _, verdict = line[2:].partition(" ")
            started = int(number)
            if verdict:
                found[started] = verdict.rstrip("\r")
    if len(found) < count:
        raise Ended(started, ending)
    return [found[number] for number in range(count)]
