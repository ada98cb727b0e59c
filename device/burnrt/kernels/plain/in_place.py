"""Little-endian floats as a sequence, read where they lie.

Nothing is copied, and no address has to be aligned. Who asks for a sequence keeps the bytes alive.
"""

import struct
import sys

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Numbers


try:
    import uctypes

    _TYPES = {"f": uctypes.FLOAT32, "d": uctypes.FLOAT64}

    def in_place(data: "Buffer", code: str, count: int) -> "Numbers":
        """Return the `count` floats in `data`, of struct's `code`."""
        layout = {"floats": (uctypes.ARRAY | 0, count | _TYPES[code])}
        # A layout with a byte order is read byte by byte: safe at any address, which a native one is not.
        return uctypes.struct(uctypes.addressof(data), layout, uctypes.LITTLE_ENDIAN).floats  # type: ignore[no-any-return]

except ImportError:

    def in_place(data: "Buffer", code: str, count: int) -> "Numbers":
        """Return the `count` floats in `data`, of struct's `code`."""
        view = memoryview(data)
        if sys.byteorder == "little" and hasattr(view, "cast"):
            return view.cast(code)  # type: ignore[call-overload, no-any-return] # f or d
        return Unpacked(data, code)


class Unpacked:
    """A sequence of floats for interpreters that can't lay one over bytes."""

    def __init__(self, data: "Buffer", code: str) -> None:
        self._data = data
        self._format = "<" + code
        self._size = struct.calcsize(self._format)

    def __getitem__(self, index: int) -> float:
        return struct.unpack_from(self._format, self._data, index * self._size)[0]  # type: ignore[no-any-return]
