"""Tensors of a checkpoint: whose bytes come in pieces, that are quantized, or that can't be read."""

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from burnpack.errors import BurnpackError, InvalidTensor
from burnpack.tensor import Tensor

Buffer = bytes | bytearray | memoryview


class PieceTensor(Tensor):
    """A tensor whose bytes come in pieces, so that a large one can be written in little memory."""

    def __init__(self, *fields: Any, pieces: Callable[[], Iterator[Buffer]]) -> None:
        super().__init__(*fields)
        self._fields = fields
        self._pieces = pieces

    def pieces(self) -> Iterator[Buffer]:
        """Yield the bytes in buffers, one after the other."""
        done = 0
        for piece in self._pieces():
            done += len(piece)
            yield piece
            del piece  # so that the next one is not made beside it
        if done != self.nbytes:
            raise InvalidTensor("wrong number of bytes", self.name, expected=self.nbytes, found=done)

    def renamed(self, name: str) -> "PieceTensor":
        """Return the same tensor under another name, its bytes still unread."""
        return PieceTensor(name, *self._fields[1:], pieces=self._pieces)


class IntegerTensor(Tensor):
    """A tensor that PyTorch has quantized, in floats.

    scales: a function that returns what `quantized.scales_of` does.
    """

    def __init__(self, *fields: Any, scales: Callable[[], Any]) -> None:
        super().__init__(*fields)
        self._fields = fields
        self.scales = scales

    def renamed(self, name: str) -> "IntegerTensor":
        """Return the same tensor under another name."""
        return IntegerTensor(name, *self._fields[1:], scales=self.scales)


class UnreadTensor(Tensor):
    """A tensor that is there and can't be read: it has a name, and all else that is asked of it raises why.

    error: what is raised.
    """

    def __init__(self, name: str, error: BurnpackError) -> None:
        self.name = name
        self.error = error
        self.param_id = None

    def _refuse(self) -> NoReturn:
        raise self.error

    @property
    def dtype(self) -> NoReturn:  # type: ignore[override]
        """Raise."""
        self._refuse()

    @property
    def shape(self) -> NoReturn:  # type: ignore[override]
        """Raise."""
        self._refuse()

    @property
    def nbytes(self) -> NoReturn:  # type: ignore[override]
        """Raise."""
        self._refuse()

    def data(self) -> NoReturn:
        """Raise."""
        self._refuse()

    def readinto(self, buffer: bytearray | memoryview) -> NoReturn:
        """Raise."""
        self._refuse()

    def renamed(self, name: str) -> "UnreadTensor":
        """Return the same under another name."""
        return UnreadTensor(name, self.error)

    def __repr__(self) -> str:
        return f"UnreadTensor({self.name!r}, {self.error.what!r})"
