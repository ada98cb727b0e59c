"""What the readers of all containers share: where the bytes are, and how a tensor is taken from them."""

if False:  # for type checkers
    from collections.abc import Callable, Iterator
    from typing import Self

    from _typeshed import ReadableBuffer

    from burnpack.limits import Limits
    from burnpack.types import AnyIndex, Buffer, File, Scalar, Writable


try:
    from uctypes import addressof
except ImportError:  # CPython, whose views reach everywhere
    addressof = None

from burnpack.compat import rising
from burnpack.errors import BurnpackError, LimitExceeded, NotFound, Truncated
from burnpack.limits import VIEW_REACH
from burnpack.tensor import Tensor


class Memory:
    """Bytes in memory: in flash, on the heap or in a mapped file. name: what errors call them, or None."""

    size: int

    in_memory = True

    def __init__(self, buffer: "ReadableBuffer", name: str | None = None) -> None:
        self._view = memoryview(buffer)
        self._name = name
        self.size = len(self._view)
        last = min(self.size, VIEW_REACH) - 1
        if last > 0 and not _reaches(self._view, last):
            raise self._unreachable(None, None, None)

    def take(self, start: int, size: int, item: str | None = None) -> memoryview:
        """Return a view of `size` bytes from `start`. Nothing is copied. item: what they are, for errors."""
        # A view that ends at the reach would have slices that begin behind it.
        if start + size >= VIEW_REACH:
            raise self._unreachable(item, start, start + size)
        return self._view[start : start + size]

    def fill(self, start: int, buffer: "Writable", item: str | None = None) -> None:
        """Copy the bytes from `start` on into `buffer`, as many as it holds."""
        buffer[:] = self.take(start, len(buffer), item)

    def _unreachable(self, item: str | None, start: int | None, end: int | None) -> "LimitExceeded":
        what = "out of a view's reach on this processor"
        return LimitExceeded(what, item, self._name, start, "an end before %d" % VIEW_REACH, end)


def _reaches(view: memoryview, offset: int) -> bool:
    """Return whether a slice from `offset` is what it should be.

    MicroPython adds the offset to the one that `view` has in its own buffer, and lets the sum wrap round.
    """
    return addressof is None or addressof(view[offset:]) == addressof(view) + offset


class Stream:
    """Bytes in a seekable binary file, which the caller opened and closes."""

    size: int

    in_memory = False

    def __init__(self, file: "File", name: str | None = None) -> None:
        self._file = file
        self._name = name
        self.size = file.seek(0, 2)

    def take(self, start: int, size: int, item: str | None = None) -> bytearray:
        """Return a new buffer with `size` bytes from `start`. item: what they are, for errors."""
        try:
            buffer = bytearray(size)
        except (MemoryError, OverflowError):
            raise LimitExceeded("more bytes than there is memory for", item, self._name, start, None, size)
        self.fill(start, buffer, item)
        return buffer

    def fill(self, start: int, buffer: "Writable", item: str | None = None) -> None:
        """Read the bytes from `start` on into `buffer`, as many as it holds."""
        self._file.seek(start)
        size = len(buffer)
        done = 0
        while done < size:
            got = self._file.readinto(memoryview(buffer)[done:] if done else buffer)
            if not got:
                raise Truncated("the file ends early", item, self._name, start, size, done)
            done += got


class Container:
    """An opened container: a list of tensors by name, whose bytes stay where they are.

    `len`, `in` and iteration go by tensors; iteration yields `Tensor`s in the order in which their bytes lie.

    source: what errors call the container, such as a path, or None.
    index, name: what `from_bytes`, `from_static` and `from_stream` make of it, and the same as source.

    A format's reader derives from this, names its `format`, and says in `_open(source, limits)` how an index
    is made from the bytes. An index has

    - `len(index)`: the number of tensors,
    - `name(i)`: the name of the i-th,
    - `find(name)`: its number, or -1,
    - `entry(i)`: its (name, dtype, shape, start, end, param_id), with `start` and `end` in bytes
      from the container's start,
    - `metadata()`: a list of (key, value) texts in the order of the file,
    - `scalars()`: a list of (name, (kind, value)) in the order of the file.
    """

    format: str
    source: str | None
    _open: "Callable[[Memory | Stream, Limits | None], AnyIndex]"

    def __init__(self, source: "Memory | Stream", index: "AnyIndex", name: str | None = None) -> None:
        self._source = source
        self._index = index
        self.source = name

    @classmethod
    def from_bytes(
        cls, data: "ReadableBuffer", limits: "Limits | None" = None, source: str | None = None
    ) -> "Self":
        """Open a container held in bytes.

        data: the bytes. A buffer that can change is copied first; `bytes` are not.
        limits: a `Limits`; None: this interpreter's defaults.
        source: what errors call the container, such as a path.
        """
        return cls.from_static(data if isinstance(data, bytes) else bytes(data), limits, source)

    @classmethod
    def from_static(
        cls, buffer: "ReadableBuffer", limits: "Limits | None" = None, source: str | None = None
    ) -> "Self":
        """Open a container in place.

        buffer: sliced, kept alive and never copied. It must not change while the reader, or anything read
            through it, is in use.
        limits: a `Limits`; None: this interpreter's defaults.
        source: what errors call the container, such as a path.
        """
        return cls._opened(Memory(buffer, source), limits, source)

    @classmethod
    def from_stream(cls, file: "File", limits: "Limits | None" = None, source: str | None = None) -> "Self":
        """Open a container in a binary file: only its header is read.

        file: seekable. The caller keeps it open while tensors are read. `Tensor.readinto` fills the caller's
            buffer; `Tensor.data` makes one for each call.
        limits: a `Limits`; None: this interpreter's defaults.
        source: what errors call the container, such as a path.
        """
        return cls._opened(Stream(file, source), limits, source)

    @classmethod
    def _opened(cls, source: "Memory | Stream", limits: "Limits | None", name: str | None) -> "Self":
        try:
            return cls(source, cls._open(source, limits), name)
        except BurnpackError as error:
            raise error.within(name)
        except (MemoryError, OverflowError):
            raise LimitExceeded("the index takes more memory than there is", None, name)

    @property
    def in_memory(self) -> bool:
        """Whether the bytes are in memory, so that tensors are used where they lie."""
        return self._source.in_memory

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, name: str) -> bool:
        return self._index.find(name) >= 0

    def __iter__(self) -> "Iterator[Tensor]":
        """Yield the tensors in the order of their data."""
        for number in self._data_order():
            yield self._tensor(number)

    def names(self) -> list[str]:
        """Return the names of all tensors, in the order of the file's index."""
        return [self._index.name(number) for number in range(len(self._index))]

    def tensor(self, name: str) -> "Tensor":
        """Return the tensor called `name`; raises `NotFound`."""
        return self._tensor(self._find(name))

    def view(self, name: str) -> "Buffer":
        """Return the bytes of the tensor called `name`, and nothing around them.

        From memory this is one slice, the cheapest thing to keep on a board.
        """
        entry = self._index.entry(self._find(name))
        return self._source.take(entry[3], entry[4] - entry[3], name)

    def stretch(self, first: str, last: str) -> "Buffer":
        """Return the bytes from where the tensor `first` begins to where the tensor `last` ends."""
        start, end = self.span(first)[0], self.span(last)[1]
        return self._source.take(start, max(0, end - start), first)

    def span(self, name: str) -> tuple[int, int]:
        """Return where the tensor's bytes are: (start, end), from the container's start."""
        return self._index.entry(self._find(name))[3:5]

    def metadata(self) -> list[tuple[str, str]]:
        """Return the file's metadata as a list of (key, value) texts."""
        return self._index.metadata()

    def scalars(self) -> "list[tuple[str, Scalar]]":
        """Return the file's scalars as a list of (name, (kind, value)), kind as Burn names it."""
        return self._index.scalars()

    def _find(self, name: str) -> int:
        number = self._index.find(name)
        if number < 0:
            raise NotFound("no tensor of this name", name, self.source)
        return number

    def _tensor(self, number: int) -> "Tensor":
        name, dtype, shape, start, end, param_id = self._index.entry(number)
        source = self._source

        def data() -> "Buffer":
            return source.take(start, end - start, name)

        def fill(buffer: "Writable") -> None:
            source.fill(start, buffer, name)

        return Tensor(name, dtype, shape, data, param_id, end - start, fill)

    def _data_order(self) -> list[int]:
        spans = []
        for number in range(len(self._index)):
            entry = self._index.entry(number)
            spans.append((entry[3], entry[4], number))
        return [span[2] for span in rising(spans)]
