"""burnpack, and what is needed of burnrt, onto the board's file system, compiled for it."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from burnpack.errors import SaveFailed, Unsupported
from burnpack.version import VERSION
from burnstore.board import layers
from burnstore.board.facts import Facts
from burnstore.board.link import Link
from burnstore.board.upload import Progress, hashes, make_folders, upload
from burnstore.firmware import runtime
from burnstore.firmware.cross import compiled

MPY_VERSION = 6  # of the files that mpy-cross makes today

# Said where a board has burnpack from its firmware, and so before all that lies in files.
_LOOK = """\
try:
    import burnpack
    from burnpack.version import VERSION as v
    print((v, getattr(burnpack, "__file__", "")))
except ImportError:
    print(("", ""))
"""

# What these are for is imported inside functions, which nobody sees from outside.
_ENTRIES = (*runtime.LOADING, "burnpack.scalar", "burnpack.scheme", "burnrt.selftest")


@dataclass(frozen=True)
class BoardFile:
    """A file for the board: its path there, and its bytes."""

    path: str
    data: bytes


def files(facts: Facts, model: Path | None = None) -> list[BoardFile]:
    """Return the files that the board needs, compiled for it, or as sources where it loads no compiled ones.

    model: the source that has the model's class; without it, all layers are brought.
    """
    if facts.mpy_version not in (0, MPY_VERSION):
        what = "the board loads compiled files of another version: update its firmware, or freeze the runtime"
        raise Unsupported(what, None, None, None, MPY_VERSION, facts.mpy_version)
    entries = [*_ENTRIES, *(layers.named_in(model) if model else ["burnrt.nn.*", "burnrt.kernels.plain.*"])]
    return [_file(module, facts) for module in runtime.needed(entries)]


def install(
    link: Link, facts: Facts, model: Path | None = None, progress: Progress | None = None
) -> tuple[int, int]:
    """Bring the runtime to the board; return (files sent, bytes of all files).

    What is there already, in the firmware or byte for byte in files, is not sent.
    """
    version, place = link.ask(_LOOK)
    if version == VERSION and not place.startswith((facts.library, facts.library.lstrip("/"))):
        return 0, 0
    wanted = files(facts, model)
    found = hashes(link, [file.path for file in wanted])
    missing = [
        file
        for file, state in zip(wanted, found, strict=True)
        if state != (len(file.data), sha256(file.data).hexdigest())
    ]
    room = facts.flash_free
    if sum(len(file.data) for file in missing) > room:
        what = "no room for the runtime"
        raise SaveFailed(what, None, link.port, None, sum(len(file.data) for file in missing), room)
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
