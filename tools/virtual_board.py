"""A board that is not there: a real MicroPython behind pseudo-terminals, which mpremote takes for a board.

    python -m tools.virtual_board [--folder FOLDER] [--heap 2M] [--rom 256K]

prints the name of a port and serves it until Ctrl-C. The board's file system is a folder and nothing else
of this machine; its ROM partition keeps its bytes over a soft reset, as flash does; the heap is
larger by as much. A soft reset, and all else that ends the interpreter, starts a new one.
"""

import argparse
import contextlib
import os
import pty
import select
import subprocess
import tempfile
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from tools import interpreters

ROM_SIZE = 256 << 10  # bytes
ROM_WRITE = 4  # the fewest bytes that the partition takes at once
_TABLES = 64  # bytes of the heap for each of the tables that say what is free
PATIENCE = 300  # seconds for an interpreter to start or to stop, on a busy machine
PROMPT = b">>> "
RAW = b"raw REPL; CTRL-B to exit\r\n"
FRIENDLY = b'Type "help()" for more information.\r\n'

# Runs before the prompt: makes the folder the whole file system, and puts the ROM partition beside it.
_BOOT = """\
# Within a function: a board's programs share the names that are outside.
def boot():
    import os, sys, vfs
    if %(size)d:
        rom = bytearray(%(size)d)  # the first of the heap, which was made larger by as much
        rom_file = open(%(rom)r, "r+b")
        rom_file.readinto(rom)
    machine, files = vfs.VfsPosix(), vfs.VfsPosix(%(folder)r)
    def on_machine(path):
        return %(folder)r + path if path.startswith("/") else path
    class Folder:
        def __getattr__(self, name):
            return getattr(files, name)
        # One with a root keeps both names in one place, and so renames nothing.
        def rename(self, old, new):
            machine.rename(on_machine(old), on_machine(new))
    vfs.umount("/")
    vfs.mount(Folder(), "/")
    os.chdir("/")
    sys.path[:] = ["", ".frozen", "/lib"]
    class Vfs:
        pass
    if %(size)d:
        def rom_ioctl(request, number=0, *arguments):
            if request == 1:
                return 1
            if number or request not in (2, 3, 4, 5):
                return -22  # EINVAL
            if request == 2:
                return memoryview(rom)
            if request == 5:
                return 0
            start = arguments[0] if len(arguments) > 1 else 0
            size = arguments[-1] if request == 3 else len(arguments[-1])
            if start + size > len(rom):
                return -22
            if request == 3:
                for at in range(start, start + size):
                    rom[at] = 0xFF
            else:
                rom[start:start + size] = arguments[-1]
            rom_file.seek(start)
            rom_file.write(memoryview(rom)[start:start + size])
            rom_file.flush()
            return %(write)d if request == 3 else 0
        for name in dir(vfs):
            if not name.startswith("__"):
                setattr(Vfs, name, staticmethod(getattr(vfs, name)))
        Vfs.rom_ioctl = staticmethod(rom_ioctl)
        try:
            vfs.mount(vfs.VfsRom(memoryview(rom)), "/rom")
            sys.path += ["/rom", "/rom/lib"]
        except OSError:
            pass  # no image in it, or a part of one
        sys.modules["vfs"] = Vfs
boot()
del boot
"""


class VirtualBoard:
    """A board on a port, from `start()` to `stop()`, or as long as a `with` lasts.

    folder: what the board sees as its whole file system; it must exist. scratch: a folder for what the board
    must not see. heap: of the interpreter, as "2M". rom: bytes of its ROM partition, 0 for none.
    """

    def __init__(self, folder: Path, scratch: Path, heap: str = "2M", rom: int = ROM_SIZE) -> None:
        self.folder = folder.resolve()
        self.received = 0  # bytes that the host has sent since it was plugged in
        self.starts = 0  # interpreters started so far
        size = interpreters.heap_bytes(heap) + rom + rom // _TABLES
        self._words = [interpreters.unix_program(), "-X", "heapsize=%d" % size]
        self._boot = scratch.resolve() / "virtual_board_boot.py"
        self._rom = scratch.resolve() / "virtual_board_rom" if rom else None
        if self._rom:
            self._rom.write_bytes(b"\xff" * rom)
        names = {"rom": str(self._rom or ""), "size": rom, "folder": str(self.folder), "write": ROM_WRITE}
        self._boot.write_text(_BOOT % names)
        self._cut_at = -1
        self._at_cut: Callable[[], None] = _nothing
        self._tail = b""
        self._raw = False
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> str:
        """The name of the port that the host opens. It changes with every `plug()`."""
        return os.ttyname(self._port)

    def start(self) -> "VirtualBoard":
        """Put the board under power and plug it in."""
        self._power_on()
        self.plug()
        return self

    def stop(self) -> None:
        """Unplug the board and take its power away."""
        self.unplug()
        self._power_off()

    def plug(self) -> None:
        """Connect a board that was unplugged; one without power starts anew."""
        if self._process.poll() is not None:
            self._power_on()
        self._host, self._port = pty.openpty()
        tty.setraw(self._port)
        self._wake_reader, self._wake = os.pipe()
        self.received, self._cut_at = 0, -1
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Disconnect the board, as often as wanted; its interpreter goes on where it has power."""
        if self._thread is None:
            return
        os.write(self._wake, b"x")
        self._thread.join()
        self._thread = None
        for descriptor in (self._wake, self._wake_reader, self._port):
            os.close(descriptor)

    def cut_after(self, count: int) -> None:
        """Let `count` more of the host's bytes through, then take away the link; the interpreter goes on."""
        self._cut_at, self._at_cut = self.received + count, _nothing

    def fail_after(self, count: int) -> None:
        """Let `count` more of the host's bytes through, then take away link and power."""
        self._cut_at, self._at_cut = self.received + count, self._power_off

    def __enter__(self) -> "VirtualBoard":
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _power_on(self) -> None:
        """Start an interpreter and wait for its prompt; what it says until then is dropped."""
        self._board, inside = pty.openpty()
        tty.setraw(inside)
        words = [*self._words, "-i", str(self._boot)]
        environment = {name: value for name, value in os.environ.items() if name != "MICROPYPATH"}
        self._process = subprocess.Popen(
            words, stdin=inside, stdout=inside, stderr=inside, start_new_session=True, env=environment
        )
        os.close(inside)
        self.starts += 1
        said = b""
        end = time.monotonic() + PATIENCE
        while not said.endswith(PROMPT):
            if time.monotonic() > end or not select.select([self._board], [], [], PATIENCE)[0]:
                raise RuntimeError("MicroPython did not start: %r" % said)
            try:
                said += os.read(self._board, 4096)
            except OSError:  # EIO: it has ended
                raise RuntimeError("MicroPython did not start: %r" % said) from None
        if b"Traceback" in said:
            raise RuntimeError("MicroPython did not start as a board: %r" % said)
        self._tail, self._raw = b"", False

    def _power_off(self) -> None:
        self._process.kill()
        self._process.wait(PATIENCE)
        with contextlib.suppress(OSError):
            os.close(self._board)

    def _serve(self) -> None:
        """Copy bytes both ways until unplugged or cut. Runs in a thread."""
        try:
            while True:
                ready = select.select([self._host, self._board, self._wake_reader], [], [])[0]
                if self._wake_reader in ready:
                    return
                if self._board in ready:
                    self._from_board()
                if self._host in ready and not self._from_host():
                    self._at_cut()
                    return
        finally:
            os.close(self._host)

    def _from_host(self) -> bool:
        """Pass on what the host sent; return False when the link is to be cut."""
        data = os.read(self._host, 4096)
        left = self._cut_at - self.received if self._cut_at >= 0 else len(data) + 1
        self.received += len(data)
        with contextlib.suppress(OSError):  # the interpreter has just ended; a board's bytes are lost as well
            os.write(self._board, data[:left])
        return left > len(data)

    def _from_board(self) -> None:
        """Pass on what the board says; start it again when it has ended."""
        try:
            data = os.read(self._board, 4096)
        except OSError:  # EIO: nobody holds the other end
            self._soft_reset()
            return
        self._tail = (self._tail + data)[-512:]
        places = self._tail.rfind(RAW), self._tail.rfind(FRIENDLY)
        if max(places) >= 0:
            self._raw = places[0] > places[1]
        os.write(self._host, data)

    def _soft_reset(self) -> None:
        raw = self._raw
        self._power_off()
        os.write(self._host, b"MPY: soft reboot\r\n")
        self._power_on()
        if raw:  # a board stays in the mode that it was in
            os.write(self._board, b"\x01")
        else:
            os.write(self._host, FRIENDLY + PROMPT)


def _nothing() -> None:
    """Do nothing, where something could be done."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve a virtual board on a port, until Ctrl-C.")
    parser.add_argument("--folder", type=Path, help="the board's file system; else a temporary folder")
    parser.add_argument("--heap", default="2M", help="such as 256K (default: %(default)s)")
    parser.add_argument("--rom", default="256K", help="size of the ROM partition, 0 for none")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as own:
        folder = given.folder or Path(own)
        with VirtualBoard(folder, Path(scratch), given.heap, interpreters.heap_bytes(given.rom)) as board:
            print(board.port, flush=True)
            with contextlib.suppress(KeyboardInterrupt):
                threading.Event().wait()


if __name__ == "__main__":
    main()
