"""Bringing a model into flash: what a firmware build takes each way, and the heap that each storage takes.

Of a build, the step that grows with the model is measured: compiling what `burnstore freeze` wrote, a C
source with this machine's compiler or a Python literal with mpy-cross. The freezing tool, which takes the
literal on, is in MicroPython's own tree and not measured. The heap is that of a 64-bit MicroPython; a blob of
the storage "module" lies in it, in place of flash, and is not counted.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from burnpack.errors import Unsupported
from burnpack.tensor import Tensor
from burnstore.boards.images import c_module
from burnstore.boards.images.frozen import LITERAL_MOST
from burnstore.boards.images.romfs_source import top_of
from burnstore.boards.images.romfs_writer import write_image
from burnstore.boards.runtime import cross
from burnstore.io.files import Buffer, replace
from burnstore.pipeline.writing import save_burnpack
from tools import interpreters
from tools.bench import Row, Skipped, at_most
from tools.bench.timing import best

ROOT = interpreters.ROOT
MIRROR = ROOT / "tests" / "host" / "boards" / "micropython_mirror"  # in place of its headers
SCRIPT = Path(__file__).resolve().parent / "board" / "storages.py"
MODEL = ROOT / "examples" / "mnist" / "mnist_conv_bn.bpk"
SOURCE, CLASS = ROOT / "examples" / "mnist", "MnistConvBn"
HEAP = "16M"

SIZE = 1 << 20  # bytes of the weights that are compiled
LITERAL_SIZES = (LITERAL_MOST // 4, LITERAL_MOST)  # of a whole file
HEADER_ROOM = 1 << 10  # bytes of a file that are not its weights, rounded up
ROUNDS = 3
INCLUDED_SECONDS = 1.0
IN_PLACE_BYTES = 6 << 10  # what a loaded model of 18 tensors may take where its weights lie in flash

_QSTRS = [f"-DMP_QSTR_{name}={number}" for number, name in enumerate(("__name__", "DATA", "net"), 1)]
_WORDS = ["-std=gnu99", "-O2", "-c", *_QSTRS, "-I", str(MIRROR)]


def run() -> list[Row]:
    rows: list[Row] = []
    reasons = []
    for measure in (_compiling, _literals, _heaps):
        try:
            rows += measure()
        except Skipped as reason:
            reasons.append(str(reason))
    if not rows:
        raise Skipped("; ".join(reasons))
    return rows


def _compiling() -> list[Row]:
    """Return how long compiling the C module takes in each of its forms."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise Skipped("no C compiler")
    with tempfile.TemporaryDirectory() as folder:
        blob = memoryview(_blob(Path(folder), SIZE))
        included = _compile_time(compiler, Path(folder) / "included", c_module.files("net", blob))
        array = _compile_time(compiler, Path(folder) / "array", c_module.portable_files("net", blob))
    what = "compile a C module of 1 MB, %s"
    return [
        at_most(what % "included", included, "s", INCLUDED_SECONDS, "C array", array),
        Row(what % "as a C array", array, "s"),
    ]


def _compile_time(compiler: str, home: Path, files: Iterable[tuple[str, Iterable[Buffer]]]) -> float:
    home.mkdir()
    for name, content in files:
        replace(home / name, content, True)
    words = [compiler, *_WORDS, "-I", str(home), str(home / "net.c"), "-o", str(home / "net.o")]
    return best(partial(subprocess.run, words, check=True, capture_output=True), ROUNDS)


def _literals() -> list[Row]:
    """Return how long mpy-cross takes for a frozen module, up to the most that `burnstore freeze` writes."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for size in LITERAL_SIZES:
            blob = _blob(Path(folder), size - HEADER_ROOM)
            source = Path(folder) / "net.py"
            source.write_bytes(b"DATA = %r\n" % blob)
            try:
                seconds = best(partial(cross.compiled, source, "net.py"), ROUNDS)
            except Unsupported as reason:
                raise Skipped(str(reason)) from None
            rows.append(Row("mpy-cross, a literal of %d KB" % (size >> 10), seconds, "s"))
    return rows


def _heaps() -> list[Row]:
    """Return what finding and loading a model of 1 MB takes of MicroPython's heap on each storage."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder) / "image.romfs"
        replace(image, write_image(top_of([MODEL], None)), True)
        for storage, title in (("module", "firmware"), ("rom", "ROMFS"), ("file", "file")):
            figures = _measured(storage, image)
            rows.append(Row("blob.find (%s)" % title, figures["find"], "B"))
            loaded, what = figures["loaded"], "load a model of 1 MB (%s)" % title
            rows.append(
                Row(what, loaded, "B") if storage == "file" else at_most(what, loaded, "B", IN_PLACE_BYTES)
            )
    return rows


def _measured(storage: str, image: Path) -> dict[str, int]:
    arguments = [str(SOURCE), CLASS, storage, str(MODEL), str(image)]
    try:
        done = interpreters.run("unix", SCRIPT, arguments, heap=HEAP, timeout=120)
    except interpreters.Missing as reason:
        raise Skipped(str(reason)) from None
    if done.returncode:
        raise RuntimeError(done.stdout.decode() + done.stderr.decode())
    return {
        label: int(figure) for label, figure in (line.split() for line in done.stdout.decode().splitlines())
    }


def _blob(folder: Path, size: int) -> bytes:
    """Return a .bpk with weights of `size` bytes, a multiple of 256."""
    path = folder / "made.bpk"
    weight = Tensor("weight", "U8", (size,), bytes(range(256)) * (size // 256))
    save_burnpack(path, [weight], overwrite=True)
    return path.read_bytes()
