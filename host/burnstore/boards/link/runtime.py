"""burnpack, and what is needed of burnrt, onto the board's file system, compiled for it."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath

from burnpack.errors import SaveFailed, Unsupported
from burnpack.version import VERSION
from burnstore.boards.link.facts import Facts
from burnstore.boards.link.link import Link
from burnstore.boards.link.upload import Progress, hashes, make_folders, upload
from burnstore.boards.runtime import modules as runtime
from burnstore.boards.runtime import needs
from burnstore.boards.runtime.cross import MPY_VERSION, compiled

# Said where a board has burnpack from its firmware, and so before all that lies in files.
_LOOK = """\
try:
    import burnpack
    from burnpack.version import VERSION as v
    print((v, getattr(burnpack, "__file__", "")))
except ImportError:
    print(("", ""))
"""

# What a board has for any model: its file may have cases, and be exchanged for another.
_ENTRIES = (*needs.SCALARS, *needs.QUANTIZED, *needs.SELFTEST)


@dataclass(frozen=True)
class BoardFile:
    """A file for the board: its path there, and its bytes."""

    path: str
    data: bytes

    @property
    def is_native(self) -> bool:
        """Whether it is an .mpy with native code: its third byte has the processor, above two other bits."""
        return self.path.endswith(".mpy") and self.data[2] >> 2 != 0


def files(facts: Facts, entries: Iterable[str]) -> list[BoardFile]:
    """Return the files that the board needs, compiled for it, or as sources where it loads no compiled ones.

    entries: what the model takes, as from `contents.entries`.
    """
    if facts.mpy_version not in (0, MPY_VERSION):
        what = "the board loads compiled files of another version: update its firmware, or freeze the runtime"
        raise Unsupported(what, expected=MPY_VERSION, found=facts.mpy_version)
    return [_file(module, facts) for module in runtime.needed([*_ENTRIES, *entries])]


def install(
    link: Link, facts: Facts, entries: Iterable[str], progress: Progress | None = None
) -> tuple[int, int]:
    """Bring the runtime to the board; return (files sent, bytes of all files).

    What is there already, in the firmware or byte for byte in files, is not sent.
    """
    version, place = link.ask(_LOOK, (str, str))
    if version == VERSION and not place.startswith((facts.library, facts.library.lstrip("/"))):
        return 0, 0
    wanted = files(facts, entries)
    found = hashes(link, [file.path for file in wanted])
    missing = [
        file
        for file, state in zip(wanted, found, strict=True)
        if state != (len(file.data), sha256(file.data).hexdigest())
    ]
    room = facts.flash_free
    if sum(len(file.data) for file in missing) > room:
        what = "not enough free flash for the runtime"
        raise SaveFailed(what, source=link.port, expected=sum(len(file.data) for file in missing), found=room)
    make_folders(link, _folders([file.path for file in missing]))
    for file in missing:
        upload(link, file.path, file.data, room, facts.heap_free, progress)
        room -= len(file.data)
    return len(missing), sum(len(file.data) for file in wanted)


def _file(module: str, facts: Facts) -> BoardFile:
    source = runtime.modules()[module]
    name = runtime.file_name(module)
    path = f"{facts.library}/{name}"
    if not facts.mpy_version:
        return BoardFile(path, source.read_bytes())
    return BoardFile(path.removesuffix(".py") + ".mpy", compiled(source, name, facts.architecture))


def _folders(paths: list[str]) -> list[str]:
    parents = {str(parent) for path in paths for parent in PurePosixPath(path).parents}
    return sorted(parents - {"/", "."})
