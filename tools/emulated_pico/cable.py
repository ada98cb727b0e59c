"""A cable between two ends: the pseudo-terminal that a host opens, and the pipes of an emulated board."""

import os
import select

PIECE = 4096  # bytes taken from one end before the other has taken them; a pipe that is ready takes as many
UNHEARD = 20  # milliseconds between two looks whether somebody has opened the port


class Cable:
    """Copies bytes both ways. As with a real board, what is said while nobody has the port open is lost."""

    def __init__(self, port: int, to_board: int, from_board: int) -> None:
        self._port, self._to_board, self._from_board = port, to_board, from_board
        self._wake_reader, self._wake = os.pipe()
        self._up, self._down = b"", b""  # on the way to the host, and to the board
        self._is_open = True

    def carry(self) -> None:
        """Copy until `cut` is called or the board has ended."""
        while self._step(self._ready()):
            pass

    def cut(self) -> None:
        """End `carry`, from another thread."""
        os.write(self._wake, b"x")

    def close(self) -> None:
        """Give back what the cable has opened itself."""
        os.close(self._wake)
        os.close(self._wake_reader)

    def _ready(self) -> dict[int, int]:
        """Wait until something can be copied; return {descriptor: what is possible there}."""
        poll = select.poll()
        poll.register(self._wake_reader, select.POLLIN)
        if not self._up:
            poll.register(self._from_board, select.POLLIN)
        if self._down:
            poll.register(self._to_board, select.POLLOUT)
        if self._is_open:
            reading, writing = select.POLLIN * (not self._down), select.POLLOUT * bool(self._up)
            poll.register(self._port, reading | writing)
        ready = dict(poll.poll(None if self._is_open else UNHEARD))
        self._is_open = not ready.get(self._port, 0) & select.POLLHUP
        return ready

    def _step(self, ready: dict[int, int]) -> bool:
        """Copy what is ready; return False at the end."""
        if self._wake_reader in ready:
            return False
        if self._to_board in ready:
            self._down = self._down[os.write(self._to_board, self._down) :]
        if self._from_board in ready:
            self._up = os.read(self._from_board, PIECE)
            if not self._up:
                return False
        if ready.get(self._port, 0) & select.POLLIN:
            self._down = os.read(self._port, PIECE)
        if not self._is_open:
            self._up = b""
        elif ready.get(self._port, 0) & select.POLLOUT:
            self._up = self._up[os.write(self._port, self._up) :]
        return True
