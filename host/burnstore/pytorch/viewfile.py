"""A buffer as a file, for libraries that read files."""

import io

from burnpack.errors import LimitExceeded


class ViewFile(io.RawIOBase):
    """A buffer as a file that can only be read.

    most: bytes that are read at once, at most.
    """

    def __init__(self, view: memoryview, most: int | None = None) -> None:
        self._view = view
        self._most = len(view) if most is None else most
        self._position = 0

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def seekable(self) -> bool:
        """Tell that it can be positioned."""
        return True

    def tell(self) -> int:
        """Return the position, in bytes."""
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a position, like any file."""
        position = offset + (0, self._position, len(self._view))[whence]
        if position < 0:
            raise OSError("a position before the start")
        self._position = position
        return position

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes."""
        rest = max(0, len(self._view) - self._position)
        size = rest if size is None or size < 0 else min(size, rest)
        if size > self._most:
            raise LimitExceeded(
                "too much is read at once", expected=f"at most {self._most} bytes", found=size
            )
        data = bytes(self._view[self._position : self._position + size])
        self._position += size
        return data

    def readinto(self, buffer: object) -> int:
        """Fill the buffer as far as there are bytes."""
        target = memoryview(buffer).cast("B")  # type: ignore[arg-type]
        data = self.read(len(target))
        target[: len(data)] = data
        return len(data)
