"""Writing tensors into files: planned first, then streamed, and put in place whole or not at all."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from burnpack.safetensors_writer import Writer as SafetensorsWriter
from burnpack.tensor import Tensor
from burnpack.version import VERSION
from burnpack.writer import Writer as BurnpackWriter
from burnstore.io.files import PathLike, Progress, replace
from burnstore.io.shards.writer import save_sharded

Texts = Iterable[tuple[str, str]]
Scalars = Iterable[tuple[str, Any]]
Writer = BurnpackWriter | SafetensorsWriter


def own_metadata(kind: str) -> tuple[tuple[str, str], ...]:
    """Return what a file of this format says of itself."""
    return ("format", kind), ("producer", "burnstore"), ("version", VERSION)


def writer_of(kind: str, tensors: Iterable[Tensor], metadata: Texts, scalars: Scalars = ()) -> Writer:
    """Return what writes a file of a format, its layout planned. Raises `BurnpackError`."""
    if kind == "burnpack":
        return BurnpackWriter(tensors, metadata, scalars)
    return SafetensorsWriter(tensors, metadata)


def write(
    path: Path,
    kind: str,
    tensors: list[Tensor],
    metadata: Texts,
    scalars: Scalars = (),
    overwrite: bool = False,
    shard_size: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Write a file, or several of at most `shard_size` bytes of tensors: see `shards.writer`."""
    if shard_size is None:
        replace(path, writer_of(kind, tensors, metadata, scalars).chunks(), overwrite, progress)
    else:
        save_sharded(path, tensors, shard_size, metadata, overwrite, progress)


def save_burnpack(
    path: PathLike,
    tensors: Iterable[Tensor],
    metadata: Texts = (),
    scalars: Scalars = (),
    overwrite: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write a .bpk file, the tensors' data in the order given.

    path: where it is put, whole or not at all.
    tensors: `Tensor`s.
    metadata: (key, value) texts.
    scalars: (name, value), as in `burnpack.Writer`.
    overwrite: whether a file that exists may be replaced.
    progress: a function that is told how many more bytes are written, or None.

    Raises `SaveFailed` where nothing can be written, and what `burnpack.Writer` raises.
    """
    replace(path, writer_of("burnpack", tensors, metadata, scalars).chunks(), overwrite, progress)


def save_safetensors(
    path: PathLike,
    tensors: Iterable[Tensor],
    metadata: Texts = (),
    overwrite: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write a .safetensors file.

    path: where it is put, whole or not at all.
    tensors: `Tensor`s.
    metadata: (key, value) texts.
    overwrite: whether a file that exists may be replaced.
    progress: a function that is told how many more bytes are written, or None.

    Raises `SaveFailed` where nothing can be written, `BurnpackError` for what no such file can hold.
    """
    replace(path, writer_of("safetensors", tensors, metadata).chunks(), overwrite, progress)
