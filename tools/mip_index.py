"""An index of packages, as files that any web server serves: burnpack, and burnrt in parts.

    python -m tools.mip_index DIR
    mpremote mip install --index http://SERVER/DIR burnrt-conv burnrt-dense

What is written, below DIR:

    package/K/NAME/V.json   the files of a package and the packages it needs; K is "py" for sources, or the
                            version of .mpy files; V is "latest" or a version. Native code stays a source,
                            which each board compiles for its own processor
    file/ab/abcdef...       a file, by the beginning of its SHA-256
    index.json              what packages there are
"""

import argparse
import json
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from burnpack.version import VERSION
from burnstore.boards.runtime import modules as runtime
from burnstore.boards.runtime.cross import compiled
from burnstore.boards.runtime.kernel_sets import processors
from tools.mip_packages import PARTS, own_modules

HASH_DIGITS = 16  # of 64; mip compares as many as there are

_Content = Callable[[str], tuple[str, bytes]]  # from a module to its file's name and bytes


def _source(module: str) -> tuple[str, bytes]:
    return runtime.file_name(module), runtime.modules()[module].read_bytes()


def _compiled(module: str) -> tuple[str, bytes]:
    if processors(module):  # mip asks for a version of .mpy files, and not for a processor
        return _source(module)
    name = runtime.file_name(module)
    return name.removesuffix(".py") + ".mpy", compiled(runtime.modules()[module], name)


KINDS: dict[str, _Content] = {"py": _source, "6": _compiled}


def write_index(folder: Path) -> None:
    """Write the whole index into a folder, which is made if need be."""
    for kind, content in KINDS.items():
        for name in PARTS:
            about = _package(folder, name, content)
            for version in (VERSION, "latest"):
                _write(folder / "package" / kind / name / f"{version}.json", json.dumps(about).encode())
    packages = [
        {
            "name": name,
            "version": VERSION,
            "description": part.description,
            "license": "MIT OR Apache-2.0",
            "versions": {kind: [VERSION] for kind in KINDS},
        }
        for name, part in PARTS.items()
    ]
    _write(folder / "index.json", json.dumps({"v": 2, "packages": packages}).encode())


def _package(folder: Path, name: str, content: _Content) -> dict[str, object]:
    hashes = []
    for module in own_modules(name):
        path, data = content(module)
        digest = sha256(data).hexdigest()[:HASH_DIGITS]
        _write(folder / "file" / digest[:2] / digest, data)
        hashes.append([path, digest])
    deps = [[part, VERSION] for part in PARTS[name].parts]
    return {"v": 1, "version": VERSION, "hashes": hashes, "deps": deps}


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def main() -> int:
    parser = argparse.ArgumentParser(description="Write an index of packages for mip.")
    parser.add_argument("folder", type=Path)
    write_index(parser.parse_args().folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
