"""A named tensor whose bytes are fetched only when asked for.

Every reader gives `Tensor`s, every adapter and filter takes and gives them, every writer takes them.
"""

from burnpack.dtype import nbytes as bytes_of
from burnpack.errors import InvalidTensor

if False:  # for type checkers
    from collections.abc import Iterable, Iterator

    from burnpack.types import Buffer, Data, Dtype, Fill, Shape, Writable


class Tensor:
    """What a container knows of one tensor, and the way to its bytes.

    name: str, unique within a container.
    dtype: a name of `burnpack.dtype`, or a `QFloat`.
    shape: tuple of extents; `()` is one element.
    param_id: Burn's unsigned 64-bit identity of a parameter, or None.
    nbytes: the declared length of the bytes, which `data` holds its provider to.
    data: a buffer of that many bytes, little-endian and row-major, or a function without arguments
        that returns one. A buffer is kept and sliced, never copied; it must not change meanwhile.
    fill: a function that writes the bytes into the buffer it is given, for tensors that are not in
        memory: reading one then needs no buffer but the caller's.
    """

    name: str
    dtype: "Dtype"
    shape: "Shape"
    param_id: int | None
    nbytes: int

    def __init__(
        self,
        name: str,
        dtype: "Dtype",
        shape: "Iterable[int]",
        data: "Data",
        param_id: int | None = None,
        nbytes: int | None = None,
        fill: "Fill | None" = None,
    ) -> None:
        self.name = name
        self.dtype = dtype
        self.shape = tuple(shape)
        self.param_id = param_id
        # None for an unknown dtype, which no writer takes.
        self.nbytes = bytes_of(dtype, self.shape) if nbytes is None else nbytes  # type: ignore[assignment]
        self._data = data
        self._fill = fill

    def data(self) -> "Buffer":
        """Return the bytes as a buffer of `nbytes` bytes.

        It is the container's own memory where that is in memory (valid while the container is open),
        and else made for this call. Raises `InvalidTensor` when the provider has another length.
        """
        found = self._data() if callable(self._data) else self._data
        self._check(len(found))
        return found

    def pieces(self) -> "Iterator[Buffer]":
        """Yield the bytes in buffers, one after the other; together they are as `data` has them."""
        yield self.data()

    def readinto(self, buffer: "Writable") -> None:
        """Fill `buffer`, which must be `nbytes` long, with the bytes."""
        self._check(len(buffer))
        if self._fill is not None:
            self._fill(buffer)
        else:
            buffer[:] = self.data()

    def renamed(self, name: str) -> "Tensor":
        """Return the same tensor under another name, its bytes still unread."""
        return Tensor(name, self.dtype, self.shape, self._data, self.param_id, self.nbytes, self._fill)

    def _check(self, found: int) -> None:
        if found != self.nbytes:
            raise InvalidTensor("wrong number of bytes", self.name, expected=self.nbytes, found=found)

    def __repr__(self) -> str:
        return "Tensor(%r, %s, %r)" % (self.name, self.dtype, self.shape)
