"""What goes into a ROMFS image: folders and files of this machine, sources compiled for the board."""

from collections.abc import Callable, Sequence
from pathlib import Path

from burnpack.errors import DuplicateName, Malformed
from burnstore.boards.images.romfs_writer import File, Folder
from burnstore.boards.runtime import modules as runtime
from burnstore.boards.runtime.cross import compiled
from burnstore.boards.runtime.kernel_sets import runs_on
from burnstore.io.files import check_readable

_ALIGNMENTS = {".bpk": 256, ".safetensors": 256}  # as tensors lie in a Burnpack
ALIGNMENT = 16
_LEFT_OUT = "__pycache__"
_DEPTH_MOST = 32  # folders in folders; a link that leads back has no end

_Compiler = Callable[[Path, str], bytes | None]  # from a source file and its name to an .mpy, if it has one


def top_of(paths: Sequence[Path], architecture: str | None) -> Folder:
    """Return the top of an image: what is in a single folder, or each of several paths under its own name.

    Sources become .mpy, whose native code is for `architecture`: see `cross.compiled`. Folders called
    __pycache__ are left out, and kernels of burnrt's for other processors. Raises `BurnpackError`, and
    `OSError` for what can't be read.
    """

    def compiler(path: Path, name: str) -> bytes | None:
        if not runs_on(runtime.module_in(name), architecture):
            return None
        return compiled(path, name, architecture)

    if len(paths) == 1 and paths[0].is_dir():
        paths = sorted(paths[0].iterdir())
    return Folder("", _members(paths, "", compiler))


def _members(paths: Sequence[Path], above: str, compiler: _Compiler) -> "list[File | Folder]":
    if above.count("/") > _DEPTH_MOST:
        raise Malformed("folders too deep: does a link lead back?", above)
    found: list[File | Folder] = []
    for path in paths:
        _check_name(path.name, above)
        if not path.is_dir():
            found += _file(path, above, compiler)
        elif path.name != _LEFT_OUT:
            inner = _members(sorted(path.iterdir()), f"{above}{path.name}/", compiler)
            found.append(Folder(path.name, inner))
    _check_unique(found, above)
    return found


def _file(path: Path, above: str, compiler: _Compiler) -> list[File]:
    """Return the file as it goes into the image, alone; nothing where it is not to."""
    check_readable(str(path))
    if path.suffix != ".py":
        return [File(path.name, path.read_bytes(), _ALIGNMENTS.get(path.suffix, ALIGNMENT))]
    data = compiler(path, above + path.name)
    return [] if data is None else [File(path.with_suffix(".mpy").name, data, ALIGNMENT)]


def _check_name(name: str, above: str) -> None:
    if name in ("", ".."):
        raise Malformed("a path without a name of its own, among several", above or ".")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise Malformed("a name that is no text", above + ascii(name)) from None


def _check_unique(found: "Sequence[File | Folder]", above: str) -> None:
    names = set()
    for member in found:
        if member.name in names:
            raise DuplicateName("two files of one name in the image", above + member.name)
        names.add(member.name)
