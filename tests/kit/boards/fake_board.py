"""A board that is not to be believed: it speaks MicroPython's raw REPL, and answers what a test wants."""

import os
import pty
import select
import threading
import tty

BANNER = b"raw REPL; CTRL-B to exit\r\n>"
REBOOT = b"soft reboot\r\n" + BANNER
# What the board of tests says of itself, as `burnstore.boards.link.facts` asks.
FACTS = ("unix", "a board", (1, 25, 0), 0, 100_000, 5000, 1 << 20, -1, [], "/lib", False, "/")


class FakeBoard:
    """A board on a port, in a `with`.

    answers: bytes for each program that is sent, in turn; None for the link to be cut. greeting: what is said
    instead of all, for ever. programs: what it was sent. sent: how many bytes it has said.
    """

    def __init__(self, *answers, greeting=None):
        self.programs = []
        self.sent = 0
        self._heard = b""
        self._ended = threading.Event()
        self._answers = list(answers)
        self._greeting = greeting

    @property
    def port(self):
        return os.ttyname(self._outside)

    def __enter__(self):
        self._inside, self._outside = pty.openpty()
        tty.setraw(self._outside)
        os.set_blocking(self._inside, False)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._ended.set()
        self._thread.join()
        os.close(self._outside)

    def _serve(self):
        try:
            while self._greeting is not None and not self._ended.is_set():
                self._say(self._greeting)
            self._repl()
        except OSError:
            pass  # the link is gone
        finally:
            os.close(self._inside)

    def _repl(self):
        self._until(b"\x01")
        self._say(BANNER)
        self._until(b"\x04")
        self._say(REBOOT)
        self._until(b"\x05A\x01")
        self._say(b"R\x00")  # no raw paste, and so it is not asked for again
        for answer in self._answers:
            self.programs.append(self._until(b"\x04"))
            if answer is None:
                return
            self._say(b"OK")
            self._say(answer)
            self._say(b">")
        self._until(b"\x02")

    def _until(self, ending):
        while ending not in self._heard:
            if self._ended.is_set():
                raise OSError("closed")
            if select.select([self._inside], [], [], 0.1)[0]:
                self._heard += os.read(self._inside, 4096)
        found, _, self._heard = self._heard.partition(ending)
        return found

    def _say(self, data):
        while data and not self._ended.is_set():
            if select.select([], [self._inside], [], 0.1)[1]:
                count = os.write(self._inside, data[:256])
                self.sent += count
                data = data[count:]


def said(value):
    """Return the answer of a board that prints a value."""
    return repr(value).encode() + b"\r\n\x04\x04"


def raised(text):
    """Return the answer of a board that raises an error."""
    return b'\x04Traceback (most recent call last):\r\n  File "<stdin>", line 1\r\n' + text + b"\r\n\x04"


def facts(**other):
    """Return the answer of a board that tells its facts, other ones than usual where they are given."""
    names = (
        "platform machine version mpy heap_free heap_used flash_free rom_size rom_files library has_ulab home"
    )
    return said(tuple(other.get(name, usual) for name, usual in zip(names.split(), FACTS, strict=True)))


def runtime():
    """Return the answer of a board that has a runtime for any model in its firmware."""
    return said(([], False, "", "burnrt.py", ["int8.linear"], [], []))
