"""Saving tensors into files: planned first, then streamed, and put in place whole or not at all."""

from collections.abc import Iterable
from typing import Any

from burnpack.safetensors_writer import Writer as SafetensorsWriter
from burnpack.tensor import Tensor
from burnpack.writer import Writer as BurnpackWriter
from burnstore.files import PathLike, Progress, replace

Texts = Iterable[tuple[str, str]]


def save_burnpack(
    path: PathLike,
    tensors: Iterable[Tensor],
    metadata: Texts = (),
    scalars: Iterable[tuple[str, Any]] = (),
    overwrite: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write a .bpk file, the tensors' data in the order given. See `burnpack.writer` and `files.replace`."""
    replace(path, BurnpackWriter(tensors, metadata, scalars).chunks(), overwrite, progress)


def save_safetensors(
    path: PathLike,
    tensors: Iterable[Tensor],
    metadata: Texts = (),
    overwrite: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write a .safetensors file. See `burnpack.safetensors_writer` and `files.replace`."""
    replace(path, SafetensorsWriter(tensors, metadata).chunks(), overwrite, progress)
