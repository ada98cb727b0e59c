"""The .mpy files of the project's own sources."""

from pathlib import Path

from burnstore.boards.runtime import cross
from burnstore.boards.runtime.kernel_sets import processors
from burnstore.boards.runtime.modules import module_in

ROOT = Path(__file__).resolve().parent.parent


def compiled(path: Path) -> bytes:
    """Return the .mpy of a source file; raises `BurnpackError` with the compiler's words.

    Kernels in native code are compiled for the first of the processors that run them. The file is named
    within it as a board would know it: "burnpack/reader.py".
    """
    name = _name_on_board(path)
    found = processors(module_in(name))
    return cross.compiled(path, name, found[0] if found else None)


def _name_on_board(path: Path) -> str:
    for folder in ("shared", "device"):
        if path.is_relative_to(ROOT / folder):
            return path.relative_to(ROOT / folder).as_posix()
    return path.name
