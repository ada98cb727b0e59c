"""Writing a model as several SafeTensors files: the old model or the new one, never a part of each.

The new files get names that no file has, so that the old index keeps leading to the old ones. Once all
of them are on the disk, the index is put in place, as a whole: that is the moment at which the new model
is there. What the old index led to is deleted after that: who has opened it reads on, who is about to is told
of a missing file and finds the new model on the next try. A failure before that moment leaves the old
model, and none of the new files; a kill leaves files that no index names, which are safe to delete.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from burnpack.errors import BurnpackError, SaveFailed
from burnpack.safetensors_writer import Writer
from burnpack.tensor import Tensor
from burnstore.io.files import Buffer, PathLike, Progress, check_target, replace
from burnstore.io.shards.index import index_text, parse_index
from burnstore.io.shards.plan import grouped, index_path, is_shard_of, shard_names

Texts = Iterable[tuple[str, str]]
Watched = Callable[[Iterator[Buffer]], Iterator[Buffer]]


def save_sharded(
    path: PathLike,
    tensors: Iterable[Tensor],
    most: int,
    metadata: Texts = (),
    overwrite: bool = False,
    progress: Progress | None = None,
    watched: Watched = iter,
) -> list[Path]:
    """Write tensors into files of at most `most` bytes of tensors each; return the paths that were written.

    path: what the model is called, such as model.safetensors. That is the file if one does; else its
    files are model-00001-of-00002.safetensors and so on, and model.safetensors.index.json beside them.
    A tensor of more than `most` bytes has a file of its own. Where the index is a symlink, the file that it
    leads to is replaced, and the others lie beside the link, where a reader looks for them. watched: gives
    the chunks of a file on to be written, and may look at the source before each. Raises `BurnpackError`.
    """
    target, texts = Path(path), list(metadata)
    for existing in (target, index_path(target)):
        check_target(existing, overwrite, str(existing))
    groups = grouped(tensors, most)
    writers = [Writer(group, texts) for group in groups]
    old = _files_of(target)
    if len(writers) == 1:
        replace(target, watched(writers[0].chunks()), overwrite, progress)
        written = [target]
    else:
        names = shard_names(target, len(groups))
        text = _index_of(names, groups, writers)
        like = next(iter(old), None)
        written = _Files(target, like, watched).write(names, writers, text, overwrite, progress)
    _delete_old([file for file in old if file not in written])
    return written


class _Files:
    """The new files of a model. like: the file whose permission bits they get, if any. watched: as above."""

    def __init__(self, target: Path, like: Path | None, watched: Watched) -> None:
        self._target = target
        self._like = like
        self._watched = watched
        self._written: list[Path] = []

    def write(
        self,
        names: Sequence[str],
        writers: Sequence[Writer],
        index_text: bytes,
        overwrite: bool,
        progress: Progress | None,
    ) -> list[Path]:
        """Write all files, the index last; return the paths."""
        index = index_path(self._target)
        try:
            for name, writer in zip(names, writers, strict=True):
                self._write_one(self._target.with_name(name), writer, progress)
            replace(index, [index_text], overwrite, None, self._like)
        except BaseException:
            if not _holds(index, index_text):
                self._take_back()
            raise
        return [index, *self._written]

    def _write_one(self, path: Path, writer: Writer, progress: Progress | None) -> None:
        self._written.append(path)  # a signal may come as soon as it is there
        try:
            replace(path, self._watched(writer.chunks()), False, progress, self._like)
        except BurnpackError:
            self._written.pop()  # it is not there, or another process has made it
            raise

    def _take_back(self) -> None:
        for path in self._written:
            with suppress(OSError):  # the failure that led here is what is told
                path.unlink()


def _index_of(names: Sequence[str], groups: Sequence[Sequence[Tensor]], writers: Sequence[Writer]) -> bytes:
    places = [(tensor.name, name) for name, group in zip(names, groups, strict=True) for tensor in group]
    return index_text(places, sum(map(_data_size, writers)))


def _data_size(writer: Writer) -> int:
    front: Buffer = next(iter(writer.chunks()))
    return writer.size - len(front)


def _files_of(target: Path) -> list[Path]:
    """Return the files of the model that is at `target` now: what a save of another one leaves over."""
    index = index_path(target)
    try:
        named = parse_index(memoryview(index.read_bytes())).files()
    except (OSError, BurnpackError):
        named = []
    shards = [target.with_name(name) for name in named if is_shard_of(target, name)]
    return [*([target] if target.exists() else []), *([index] if named else []), *shards]


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False


def _delete_old(paths: Iterable[Path]) -> None:
    for path in paths:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            what = f"can't delete what a new save has replaced: {error.strerror}"
            raise SaveFailed(what, source=str(path)) from error
