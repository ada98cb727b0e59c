"""Writing a digest with a file: found when the file is written, as every tensor is read for it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from burnpack.errors import Unsupported
from burnpack.tensor import Tensor
from burnstore.comparing.digest import (
    KEY,
    UNKNOWN,
    Content,
    Pairs,
    check_digest,
    said,
    with_digest,
    without_digest,
)
from burnstore.io.container import Container
from burnstore.io.files import Buffer
from burnstore.pipeline.writing import Writer, writer_of

Scalars = Iterable[tuple[str, Any]]


def is_to_seal(reader: Container, is_asked: bool, in_several: bool = False) -> bool:
    """Tell whether what is made of a file gets a digest: where it is asked for, and where the file has one.

    in_several: whether several files are written, which then have none. Raises `InvalidTensor` for a source
    whose digest does not hold, `Unsupported` where a digest is asked for that can't be.
    """
    if is_asked and in_several:
        raise Unsupported("a digest is of one file, and shard_size asks for several")
    check_digest(reader)
    return (is_asked or said(reader.metadata()) is not None) and not in_several


def to_seal(metadata: Iterable[tuple[str, str]], is_to_seal: bool = True) -> Pairs:
    """Return metadata with a digest that is not known yet, of the same length; or without any."""
    kept = without_digest(metadata)
    return (*kept, (KEY, UNKNOWN)) if is_to_seal else kept


def sealing(
    kind: str, tensors: list[Tensor], metadata: Pairs, scalars: Scalars
) -> tuple[Writer, Callable[[], Iterator[Buffer]]]:
    """Return what writes a file of a format, and a function that gives its bytes, with the digest in them.

    metadata: of `to_seal`. Until the function is called, nothing is read.
    """
    planned = writer_of(kind, tensors, metadata, scalars)
    if (KEY, UNKNOWN) not in metadata:
        return planned, planned.chunks

    def chunks() -> Iterator[Buffer]:
        sealed = with_digest(kind, Content(tensors, metadata, scalars))
        yield from writer_of(kind, tensors, sealed, scalars).chunks()

    return planned, chunks
