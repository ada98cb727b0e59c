"""Opening a checkpoint of any format, recognised by what is in it.

What reads a format is imported when there is a file of it: that saves most of a command's time.
"""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from burnpack.errors import BurnpackError, NotFound, UnknownFormat
from burnpack.limits import Limits
from burnpack.tensor import Tensor
from burnstore.io.container import Container
from burnstore.io.files import MappedFile, PathLike
from burnstore.io.sniff import (
    BURNPACK,
    PYTORCH_ZIP,
    SAFETENSORS,
    SHARD_INDEX,
    check_burnpack,
    is_zip,
    sniff_view,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


def open_model(path: PathLike, limits: Limits | None = None) -> "OpenedFile":
    """Open a PyTorch, SafeTensors or Burnpack file, whatever its name. Only its header is read.

    path: the file's, or that of the index of a sharded checkpoint, which opens all its files as one.
    limits: how much is believed of what the file claims: a `Limits`.

    Raises `BurnpackError` for what is in the file, `OSError` for what the operating system refuses.
    """
    return OpenedFile(path, limits)


def open_burnpack(path: PathLike) -> "OpenedFile":
    """Open a Burnpack; raises `UnknownFormat` for a file of another format."""
    with MappedFile(path) as mapped:
        check_burnpack(mapped.view, str(path))
    return OpenedFile(path)


class OpenedFile:
    """A checkpoint in a mapped file; use it in a `with`, or call `close`.

    path, limits: as in `open_model`.
    reader: its container. Tensors, and arrays of them, are views of the map; those that are still held when
        the file is closed keep the map alive.
    """

    def __init__(self, path: PathLike, limits: Limits | None = None) -> None:
        if not isinstance(limits, Limits | None):  # such as the mode of Python's open
            raise TypeError(f"limits are a burnstore.Limits, not {limits!r}")
        self.path = str(path)
        self._maps = [MappedFile(path)]
        try:
            self.reader: Container = self._open(limits)
        except BaseException:
            self.close()
            raise
        self.forget()  # around each place that was looked at, the system has mapped 64 KB

    def _open(self, limits: Limits | None) -> Container:
        view = self._maps[0].view
        kind = _sniffed(view, self.path)
        return self._open_shards(limits) if kind == SHARD_INDEX else _open(kind, view, self.path, limits)

    def _open_shards(self, limits: Limits | None) -> Container:
        from burnstore.io.shards.index import parse_index
        from burnstore.io.shards.reader import ShardedReader

        try:
            index = parse_index(self._maps[0].view, limits)
            readers = [self._open_shard(file, limits) for file in index.files()]
            return ShardedReader(index, readers, self.path, limits)
        except BurnpackError as error:
            raise error.within(self.path) from error.__cause__

    def _open_shard(self, file: str, limits: Limits | None) -> Container:
        path = Path(self.path).parent / file  # where the index's name is, though that may be a symlink
        try:
            self._maps.append(MappedFile(path))
        except FileNotFoundError:
            raise NotFound("the index names a file that is missing", file) from None
        return open_view(self._maps[-1].view, str(path), limits)

    @property
    def view(self) -> memoryview:
        """The bytes of the file; of a sharded checkpoint those of its index."""
        return self._maps[0].view

    def __repr__(self) -> str:
        return f"OpenedFile({self.path!r}, {self.reader.format}, {len(self.reader)} tensors)"

    def __len__(self) -> int:
        return len(self.reader)

    def __contains__(self, name: str) -> bool:
        return name in self.reader

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self.reader)

    def __getitem__(self, name: str) -> "NDArray[Any]":
        return self.array(name)

    def names(self) -> list[str]:
        """Return the names of all tensors."""
        return self.reader.names()

    def keys(self) -> list[str]:
        """Return the names of all tensors."""
        return self.reader.names()

    def metadata(self) -> dict[str, str]:
        """Return the texts that the file says of itself."""
        return dict(self.reader.metadata())

    def tensor(self, name: str) -> Tensor:
        """Return the tensor called `name`; raises `NotFound`."""
        return self.reader.tensor(name)

    def array(self, name: str) -> "NDArray[Any]":
        """Return the tensor called `name` as a read-only array. Raises `NotFound`.

        It is as `array_from_tensor` makes it.
        """
        from burnstore.numerics.arrays import array_from_tensor

        return array_from_tensor(self.reader.tensor(name))

    def left_out(self) -> list[tuple[str, str]]:
        """Return (path, reason) of what is like a tensor and is not read, such as a sparse tensor."""
        left_out = getattr(self.reader, "left_out", None)
        return left_out() if left_out is not None else []

    def paths(self) -> list[str]:
        """Return the paths of all files that are open: several where there is an index of shards."""
        return [mapped.path for mapped in self._maps]

    def views(self) -> list[memoryview]:
        """Return the bytes of these files."""
        return [mapped.view for mapped in self._maps]

    def forget(self) -> None:
        """Give back the memory of what was read so far."""
        for mapped in self._maps:
            mapped.forget()

    def check_whole(self) -> None:
        """Raise `Truncated` where a file is shorter by now than when it was opened."""
        for mapped in self._maps:
            mapped.check_whole()

    def close(self) -> None:
        """Close the file."""
        for mapped in self._maps:
            mapped.close()

    def __enter__(self) -> "OpenedFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()


def open_view(view: memoryview, source: str | None = None, limits: Limits | None = None) -> Container:
    """Open a checkpoint held in memory, which is sliced and never copied. source: what errors call it."""
    kind = _sniffed(view, source)
    if kind == SHARD_INDEX:
        raise UnknownFormat("an index of files, where a checkpoint was expected", source=source)
    return _open(kind, view, source, limits)


def _open(kind: str, view: memoryview, source: str | None, limits: Limits | None) -> Container:
    return _OPENERS.get(kind, _open_pytorch)(view, source, limits)


def _open_burnpack(view: memoryview, source: str | None, limits: Limits | None) -> Container:
    from burnstore.io.fast_index import FastReader

    return FastReader.from_static(view, limits, source)


def _open_safetensors(view: memoryview, source: str | None, limits: Limits | None) -> Container:
    from burnstore.io.fast_header import FastReader

    return FastReader.from_static(view, limits, source)


def _open_pytorch(view: memoryview, source: str | None, limits: Limits | None) -> Container:
    from burnstore.pytorch.reader import PytorchReader

    return PytorchReader.from_buffer(view, source, limits)


_OPENERS = {BURNPACK: _open_burnpack, SAFETENSORS: _open_safetensors}


def _sniffed(view: memoryview, source: str | None) -> str:
    if is_zip(view):
        return PYTORCH_ZIP  # or another archive: the reader looks into its directory, once
    try:
        return sniff_view(view)
    except UnknownFormat as error:
        raise error.within(source) from None
