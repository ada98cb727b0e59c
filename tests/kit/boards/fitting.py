"""What MicroPython measures of a model, for tests of `burnstore fit`: see tools/bench/board."""

import pytest

from burnpack.layout import HEADER_SIZE, parse_header
from burnpack.limits import Limits
from burnstore import cli
from burnstore.boards.fit.heap import WORD_32, WORD_64
from burnstore.boards.fit.report import Capacity, Sizes
from burnstore.boards.link import runtime
from burnstore.boards.link.facts import imagined
from tools import interpreters

SCRIPTS = interpreters.ROOT / "tools" / "bench" / "board"
INTERPRETERS = {"unix": WORD_64, "wasm": WORD_32}
TOLERANCE = 0.1
NOISE = 768  # bytes that the collector takes for used, by what is left on the stack
CAPACITY = Capacity(1 << 20, 1 << 18, 1 << 18)


def is_near(found, wanted):
    return abs(found - wanted) <= max(TOLERANCE * wanted, NOISE)


def written_runtime(folder, entries, processor):
    """Write the runtime's files for a processor; return (bytes of bytecode, bytes of native code)."""
    files = runtime.files(imagined(processor), entries)
    for file in files:
        target = folder / file.path.removeprefix("/lib/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)
    native = sum(len(file.data) for file in files if file.is_native)
    return sum(len(file.data) for file in files) - native, native


def sizes_of(path, bytecode, native):
    """Return the sizes of a model's file and of its runtime."""
    metadata = parse_header(path.read_bytes()[:HEADER_SIZE], Limits())[1]
    return Sizes(path.stat().st_size, metadata, bytecode, native)


def said_by(interpreter, script, words):
    """Return the (name, bytes) that a script prints on MicroPython, line by line."""
    words = [str(word) for word in words]
    try:
        done = interpreters.run(interpreter, SCRIPTS / script, words, heap="4M")
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    return [(label, int(figure)) for label, figure in map(str.split, done.stdout.decode().splitlines())]


def run(*words):
    """Run the command; return its exit code."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["fit", *map(str, words)])
    return ended.value.code
