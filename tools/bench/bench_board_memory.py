"""Heap of MicroPython that importing the reader, opening a file, taking a view and loading a model keep."""

import tempfile
from pathlib import Path

from tools import check_imports, interpreters, mpy
from tools.bench import Row, Skipped, at_most

SCRIPTS = Path(__file__).resolve().parent / "board"
FILE = interpreters.ROOT / "examples" / "mnist" / "mnist_conv_bn.bpk"
HEAP = "4M"

OPEN_BYTES, OPEN_BYTES_PER_TENSOR = 1024, 100
VIEW_BYTES = 64
LOAD_BYTES = 6 * 1024


def run() -> list[Row]:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        _compile_into(Path(folder))
        for name in _present():
            for form, path in (("source", "-"), (".mpy", folder)):
                where = "%s, %s" % (name, form)
                rows += _rows(where, _measured("memory.py", name, path))
                rows += _load_rows(where, _measured("load.py", name, path))
    return rows


def _present() -> list[str]:
    """Return the names of the interpreters that this machine has; raises `Skipped` where there is none."""
    names, reasons = [], []
    for name in interpreters.NAMES:
        try:
            names.append(interpreters.find(name).name)
        except interpreters.Missing as reason:
            reasons.append(str(reason))
    if not names:
        raise Skipped("; ".join(reasons))
    return names


def _compile_into(folder: Path) -> None:
    """Write the .mpy of every module of burnpack to `folder`."""
    for module, path in check_imports.modules():
        if module.startswith("burnpack"):
            target = folder / path.relative_to(interpreters.ROOT / "shared").with_suffix(".mpy")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(mpy.compiled(path))


def _measured(script: str, name: str, path: str) -> dict[str, int]:
    done = interpreters.run(name, SCRIPTS / script, [str(FILE), path], heap=HEAP, timeout=120)
    if done.returncode:
        raise RuntimeError(done.stdout.decode() + done.stderr.decode())
    return {
        label: int(figure) for label, figure in (line.split() for line in done.stdout.decode().splitlines())
    }


def _rows(where: str, measured: dict[str, int]) -> list[Row]:
    tensors = measured["tensors"]
    most = OPEN_BYTES + OPEN_BYTES_PER_TENSOR * tensors
    return [
        Row("import burnpack.reader (%s)" % where, measured["import"], "B"),
        at_most("open %d tensors (%s)" % (tensors, where), measured["open"], "B", most),
        at_most("view of one tensor (%s)" % where, measured["view"], "B", VIEW_BYTES),
    ]


def _load_rows(where: str, measured: dict[str, int]) -> list[Row]:
    what = "load_from of %d tensors" % measured["tensors"]
    return [
        at_most("%s (%s)" % (what, where), measured["load"], "B", LOAD_BYTES),
        Row("of that, with the model (%s)" % where, measured["model"], "B"),
        Row("%s, garbage included (%s)" % (what, where), measured["passing"], "B"),
    ]
