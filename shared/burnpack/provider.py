"""The bytes of tensors, fetched for a writer."""

from burnpack.errors import BurnpackError, SaveFailed

if False:  # for type checkers
    from collections.abc import Callable, Iterator

    from _typeshed import SupportsWrite

    from burnpack.tensor import Tensor
    from burnpack.types import Buffer


def fetched(tensor: "Tensor") -> "Iterator[Buffer]":
    """Yield the tensor's bytes in buffers; what keeps them away becomes an error that names the tensor."""
    piece: "Buffer | None"
    try:
        for piece in tensor.pieces():
            yield piece
            piece = None  # so that the next one is not made beside it
    except BurnpackError as error:
        raise error if error.item is not None else error.about(tensor.name, error.source)
    except Exception as error:  # whatever a provider does wrong
        raise SaveFailed("its bytes can't be had: %s" % told(error), tensor.name)


def told(error: Exception) -> str:
    """Return of which kind an exception is that is none of ours, and what it says."""
    text = str(error)
    return "%s: %s" % (type(error).__name__, text) if text else type(error).__name__


class Streamed:
    """What writes a container in chunks; a format's writer derives from it and has `size`, `chunks()`."""

    size: int
    chunks: "Callable[[], Iterator[Buffer]]"

    def to_bytes(self) -> bytes:
        """Return the container as `bytes`."""
        container = bytearray(self.size)
        at = 0
        for chunk in self.chunks():
            container[at : at + len(chunk)] = chunk
            at += len(chunk)
        return bytes(container)

    def write_to(self, file: "SupportsWrite[Buffer]") -> None:
        """Write the container to a binary file, which the caller opens and closes.

        Raises `SaveFailed` where the file takes a part of the bytes only, and what `chunks` raises.
        """
        chunk: "Buffer | None"
        for chunk in self.chunks():
            if file.write(chunk) != len(chunk):
                raise SaveFailed("the file took a part of the bytes only")
            chunk = None  # so that the next one is not made beside it
