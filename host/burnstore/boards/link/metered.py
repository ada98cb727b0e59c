"""A serial port that gives no more than was allowed: mpremote believes that a board falls silent some day."""

import time
from typing import Any

from burnpack.errors import SaveFailed


class Meter:
    """What a port may still give: so many bytes, until a time. Raises `SaveFailed` for more."""

    def __init__(self, port: str) -> None:
        self._port = port
        self.allow(0, 0)

    def allow(self, size: int, seconds: float) -> None:
        """Allow `size` bytes within so many seconds from now."""
        self._left = size
        self._end = time.monotonic() + seconds

    def count(self, size: int) -> None:
        """Count bytes that have been read."""
        self._left -= size
        if self._left < 0:
            raise SaveFailed("the board says more than it was asked", source=self._port)
        if time.monotonic() > self._end:
            raise SaveFailed("the board comes to no end", source=self._port)


def metered(serial: Any) -> Meter:
    """Let a pyserial port count what is read of it; return the meter, which allows nothing yet."""
    meter, read = Meter(str(serial.port)), serial.read

    def counted(size: int = 1) -> bytes:
        data: bytes = read(size)
        meter.count(len(data))
        return data

    serial.read = counted
    return meter
