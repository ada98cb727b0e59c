"""Writes the kernels in inline assembler from their sources; with --check, tells which differ from these.

    python -m tools.asm [--check]

The source tools/asm/int8/thumb_m0/dense.s becomes device/burnrt/kernels/int8/thumb_m0/dense.py.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.asm import program, writer
from tools.asm.source import SourceError

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = ROOT / "tools" / "asm"
KERNELS = ROOT / "device" / "burnrt" / "kernels"


def modules() -> dict[Path, Path]:
    """Return {module: its source} of all kernels that have one."""
    sources = sorted(SOURCES.glob("**/*.s"))
    return {KERNELS / source.relative_to(SOURCES).with_suffix(".py"): source for source in sources}


def text(source: Path) -> str:
    """Return the text of the module that a source describes; raises `SourceError`."""
    return writer.module(program.parts(source), source.relative_to(ROOT).as_posix())


def _stale() -> Iterator[Path]:
    """Yield the modules that are not what their sources say, and those that have lost theirs."""
    known = modules()
    for module, source in known.items():
        if not module.exists() or module.read_text(encoding="utf-8") != text(source):
            yield module
    for module in sorted(KERNELS.glob("**/*.py")):
        if module not in known and module.read_text(encoding="utf-8").startswith(writer.MARK):
            yield module


def _check() -> int:
    wrong = [module.relative_to(KERNELS).as_posix() for module in _stale()]
    if wrong:
        print("not as their sources say; write them with python -m tools.asm: %s" % ", ".join(wrong))
    else:
        print("machine code: %d modules" % len(modules()))
    return 1 if wrong else 0


def _write() -> int:
    for module, source in modules().items():
        module.write_text(text(source), encoding="utf-8", newline="\n")
        print(module.relative_to(KERNELS).as_posix())
    return 0


def main(arguments: Sequence[str]) -> int:
    """Return the exit code for the command's arguments."""
    if list(arguments) not in ([], ["--check"]):
        print(__doc__)
        return 2
    try:
        return _check() if arguments else _write()
    except SourceError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
