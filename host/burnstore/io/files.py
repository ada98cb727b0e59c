"""Files: mapped to be read, and replaced as a whole when written."""

import itertools
import mmap
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO
from weakref import WeakKeyDictionary

from burnpack.errors import BurnpackError, SaveFailed, Truncated, UnknownFormat

PathLike = str | os.PathLike[str]
Buffer = bytes | bytearray | memoryview
Identity = tuple[int, int]  # what tells a file from all others, whatever it is called
Progress = Callable[[int], None]  # is told how many more bytes are done

PIECE = 16 << 20  # bytes written between two calls of a `Progress`
SMALL = 64 << 10  # bytes of a chunk that is not written alone: a call of the system takes longer than they do
FORGET_EVERY = 8 << 20  # bytes of a mapped file that may stay in memory before they are given back
_NAME_MOST = 255  # bytes of a file's name, nearly everywhere
# Windows has one bit, of files that are only read: a scratch file that had it could not be removed.
_HAS_PERMISSIONS = os.name != "nt"
_serial = itertools.count()
_MAPPED: WeakKeyDictionary[mmap.mmap, "Identity"] = WeakKeyDictionary()  # the maps that are alive


class MappedFile:
    """A file's bytes, mapped read-only.

    `view` is valid until `close`, which waits for nobody: views of it that are still held keep the
    map alive. The file must not be shortened meanwhile, as for every mapped file: see `check_whole`.
    """

    def __init__(self, path: PathLike) -> None:
        self.path = os.fspath(path)
        check_readable(self.path)
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            self._map = _mapped(file, self.path) if size else None
            if self._map is not None:
                _MAPPED[self._map] = _identity(file.fileno())
        self.view = memoryview(self._map) if self._map is not None else memoryview(b"")

    def forget(self) -> None:
        """Give back the memory of what was read; it is read from the file again when it is used again."""
        if self._map is not None and hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)

    def check_whole(self) -> None:
        """Refuse a file that is shorter by now; what it has lost can't be read, or ends the process."""
        if self._map is not None and (size := self._map.size()) < len(self._map):
            what = "the file became shorter while it was read"
            raise Truncated(what, source=self.path, expected=f"{len(self._map)} bytes", found=f"{size} bytes")

    def close(self) -> None:
        """Close the map, or leave it to the views of it that are still held."""
        try:
            self.view.release()
            if self._map is not None:
                self._map.close()
        except BufferError:
            pass

    def __enter__(self) -> "MappedFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()


def _mapped(file: BinaryIO, path: str) -> mmap.mmap:
    try:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        error.filename = path  # which the system leaves out here
        raise
    except ValueError:
        raise Truncated("the file became empty while it was opened", source=path) from None


def _identity(file: int | Path) -> Identity:
    status = os.stat(file)
    return status.st_dev, status.st_ino


def _is_mapped(path: Path) -> bool:
    identity = _identity(path)
    return any(known == identity and not held.closed for held, known in list(_MAPPED.items()))


def check_readable(path: str) -> None:
    """Refuse what has no end or no bytes of its own: pipes, devices, folders."""
    try:
        mode = os.stat(path).st_mode
    except ValueError:  # a zero byte, or a lone surrogate
        raise UnknownFormat("the path can't be that of a file", source=path) from None
    if stat.S_ISDIR(mode):
        from burnstore.io.folders import folder_error  # few are given one

        raise folder_error(path)
    if not stat.S_ISREG(mode):
        raise UnknownFormat("not a regular file", source=path)


def forget(buffer: Buffer) -> None:
    """Give back the memory of a mapped file, where `buffer` is part of one: see `MappedFile.forget`."""
    source = buffer.obj if isinstance(buffer, memoryview) else None
    if isinstance(source, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        source.madvise(mmap.MADV_DONTNEED)


def replace(
    path: PathLike,
    chunks: Iterable[Buffer],
    overwrite: bool = False,
    progress: Progress | None = None,
    like: Path | None = None,
) -> None:
    """Write a file whole or not at all.

    The chunks go to a scratch file beside the target, which takes the target's place once it is on the
    disk. A failure at any point leaves the target as it was, and no scratch file; only a kill leaves
    one (`<name>.<pid>-<n>.tmp`), which is safe to delete. An existing target keeps its permission bits;
    a new file gets those of `like`, or else the umask's. A symlink is followed: the file that it leads to
    is replaced.

    Raises `SaveFailed` where the target exists and `overwrite` is false, also when another process made it
    meanwhile, and for what the operating system refuses.
    """
    name = os.fspath(path)
    with _told_of(name):
        target = _resolved(name)
        check_target(target, overwrite, name)
        scratch = _written(target, chunks, progress, target if target.exists() else like)
        try:
            _publish(scratch, target, overwrite)
        except BaseException:
            scratch.unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)


def overwrite_in_place(path: PathLike, chunks: Iterable[Buffer], overwrite: bool = False) -> None:
    """Write into a file itself, for where there is no place for a second one beside it.

    The file stays the one that it is, with its owner and its links. A failure leaves it cut short, and it is
    not waited for that the disk has the bytes: `replace` is the safer way. Raises `SaveFailed` as `replace`
    does, and where the file is mapped, as one is that tensors are read from.
    """
    name = os.fspath(path)
    with _told_of(name):
        target = _resolved(name)
        check_target(target, overwrite, name)
        if target.exists() and _is_mapped(target):
            raise SaveFailed(
                "tensors are read from this file: it can be replaced, not overwritten", source=name
            )
        with open(target, "wb" if overwrite else "xb", buffering=0) as file:
            for chunk in _gathered(chunks):
                _write(file, chunk, None)
                del chunk  # so that the next one is not made beside it


@contextmanager
def _told_of(name: str) -> Iterator[None]:
    """Let what goes wrong be a `BurnpackError` that names the file."""
    try:
        yield
    except FileExistsError:
        raise SaveFailed("another process made the file meanwhile", source=name) from None
    except OSError as error:
        raise SaveFailed(f"can't write: {error.strerror or error}", source=name) from error
    except BurnpackError as error:
        raise error.within(name) from error


def replace_all(files: Iterable[tuple[PathLike, Iterable[Buffer]]], overwrite: bool = False) -> None:
    """Write several files, all of them or none; each as `replace` does. Their folders are made.

    Nothing takes its place before all are on the disk, so what a full disk leaves is what was there before.
    Only where the system refuses one of the last renames, or the process is killed among them, do some files
    that are overwritten stay new. Raises `SaveFailed`.
    """
    group = [(os.fspath(path), content) for path, content in files]
    for name, _ in group:
        check_target(Path(name), overwrite, name)  # all of them before anything is written
    with _all_or_none() as undo:
        scratches = [(*_prepared(name, content, undo), name) for name, content in group]
        for scratch, target, name in scratches:
            with _told_of(name):
                is_new = not target.exists()
                _publish(scratch, target, overwrite)
            if is_new:
                undo.append(target.unlink)
    for folder in {target.parent for _, target, _ in scratches}:
        _sync_folder(folder)


@contextmanager
def _all_or_none() -> Iterator[list[Callable[[], None]]]:
    """Give a list for what takes back each thing that was done, and call all of it where one fails."""
    undo: list[Callable[[], None]] = []
    try:
        yield undo
    except BaseException:
        for take_back in reversed(undo):
            with suppress(OSError):  # the failure that led here is what is told
                take_back()
        raise


def _prepared(name: str, content: Iterable[Buffer], undo: list[Callable[[], None]]) -> tuple[Path, Path]:
    """Write a file beside its target; return both."""
    with _told_of(name):
        target = _resolved(name)
        for folder in reversed([target.parent, *target.parent.parents]):
            if not folder.exists():
                folder.mkdir()
                undo.append(folder.rmdir)
        scratch = _written(target, content, None, target)
        undo.append(scratch.unlink)
        return scratch, target


def _resolved(name: str) -> Path:
    """Return the path of the file that is meant, behind all links."""
    try:
        target = Path(os.path.realpath(name))
    except ValueError:  # a zero byte, or a lone surrogate
        raise SaveFailed("the path can't be that of a file", source=name) from None
    if target.is_symlink():
        raise SaveFailed("the link leads to itself", source=name)
    return target


def with_default_suffix(path: Path, suffix: str) -> Path:
    """Return the path with `suffix` appended if it has no extension."""
    return path if path.suffix else with_name_added(path, suffix)


def with_name_added(path: Path, suffix: str) -> Path:
    """Return the path with `suffix` appended to its name; raises `SaveFailed` where it has none."""
    if not path.name or path.name == "..":
        raise SaveFailed("the path names no file", source=str(path))
    return path.with_name(path.name + suffix)


def check_target(target: Path, overwrite: bool, name: str) -> None:
    """Refuse to write over what is no regular file, and over a file unless that was asked for."""
    if target.exists() and not target.is_file():
        raise SaveFailed("not a regular file", source=name)
    if not overwrite and (target.exists() or os.path.lexists(name)):  # a link to nothing is something, too
        raise SaveFailed("the file exists already (the option overwrite replaces it)", source=name)


def _written(target: Path, chunks: Iterable[Buffer], progress: Progress | None, like: Path | None) -> Path:
    """Return a scratch file beside the target, with all chunks, and the permission bits of `like`."""
    scratch, file = _open_scratch(target)
    try:
        with file:
            _keep_permissions(like, scratch)
            for chunk in _gathered(chunks):
                _write(file, chunk, progress)
                del chunk  # so that the next one is not made beside it
            os.fsync(file.fileno())
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
    return scratch


def _open_scratch(target: Path) -> tuple[Path, BinaryIO]:
    """Return a new file beside the target. What an earlier process of the same number left is passed by."""
    while True:
        ending = f".{os.getpid()}-{next(_serial)}.tmp"
        # Cut within a letter, the rest of it is left away: on Windows nothing else would decode it.
        stem = os.fsencode(target.name)[: _NAME_MOST - len(ending)].decode(errors="ignore")
        scratch = target.with_name(stem + ending)
        try:
            return scratch, open(scratch, "xb", buffering=0)
        except FileExistsError:
            continue


def _gathered(chunks: Iterable[Buffer]) -> Iterator[Buffer]:
    """Yield the same bytes, small chunks copied together."""
    small = bytearray()
    for chunk in chunks:
        size = memoryview(chunk).nbytes
        if size < SMALL:
            small += memoryview(chunk).cast("B")
        if small and (size >= SMALL or len(small) >= SMALL):
            yield small
            small = bytearray()
        if size >= SMALL:
            yield chunk
        del chunk  # so that the next one is not made beside it
    if small:
        yield small


def _write(file: BinaryIO, chunk: Buffer, progress: Progress | None) -> None:
    rest = memoryview(chunk).cast("B")
    while rest:
        written = file.write(rest[:PIECE])
        rest = rest[written:]
        if progress is not None:
            progress(written)


def _keep_permissions(like: Path | None, scratch: Path) -> None:
    if like is None or not _HAS_PERMISSIONS:
        return
    try:
        mode = stat.S_IMODE(like.stat().st_mode)
    except FileNotFoundError:
        return
    scratch.chmod(mode)


def _publish(scratch: Path, target: Path, overwrite: bool) -> None:
    if overwrite:
        _replace_open(scratch, target)
        return
    try:
        os.link(scratch, target)  # unlike a rename, never replaces what another process has put there
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if target.exists():
            raise FileExistsError(target) from None
        os.replace(scratch, target)
        return
    scratch.unlink()


def _replace_open(scratch: Path, target: Path) -> None:
    """Put the scratch file in the target's place. Windows refuses that while the target is mapped."""
    try:
        os.replace(scratch, target)
    except PermissionError:
        if target.exists() and _is_mapped(target):
            what = "tensors are read from this file, and this system replaces none that is in use"
            raise SaveFailed(f"{what}: write to another name") from None
        raise


def _sync_folder(folder: Path) -> None:
    if not hasattr(os, "O_DIRECTORY"):
        return
    # The file is in place, so nothing may fail any more: some network file systems refuse this, and so
    # does a folder that may be written to and not read. The file itself is on the disk.
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
