"""A running emulated Pico: node with the machine in it, and a pseudo-terminal for its USB."""

import contextlib
import os
import pty
import select
import subprocess
import tempfile
import threading
import tty
from pathlib import Path
from types import TracebackType

from tools import interpreters
from tools.emulated_pico import image, parts
from tools.emulated_pico.cable import Cable

PATIENCE = 300  # seconds for a firmware to open its port, on a busy machine


class EmulatedPico:
    """A Pico with a firmware, on a port, from `start()` to `stop()`, or as long as a `with` lasts.

    firmware: a .uf2 for the RP2040. flash: a file that keeps the whole flash; without it, nothing is kept.
    As on a real board, what it says while nobody has opened its port is lost.
    """

    def __init__(self, firmware: Path, flash: Path | None = None) -> None:
        self._file = flash
        self._content = image.erased()
        if flash and flash.exists():
            self._content = bytearray(flash.read_bytes())
            if len(self._content) != image.FLASH_SIZE:
                raise image.NotFirmware("%s is no flash of %d bytes" % (flash, image.FLASH_SIZE))
        image.lay(firmware.read_bytes(), self._content)

    def start(self) -> "EmulatedPico":
        """Put the board under power and wait for its port. Raises `interpreters.Missing`, `RuntimeError`."""
        parts.bring()
        self._power_on()
        assert self._machine.stdin and self._machine.stdout
        self._host, inside = pty.openpty()
        tty.setraw(inside)
        self.port = os.ttyname(inside)
        os.close(inside)
        os.set_blocking(self._host, False)
        self._cable = Cable(self._host, self._machine.stdin.fileno(), self._machine.stdout.fileno())
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        """Take the power away."""
        self._cable.cut()
        self._thread.join()
        self._power_off()
        self._cable.close()

    def wait(self) -> int:
        """Wait until the board stops by itself; return its exit code."""
        return self._machine.wait()

    def __enter__(self) -> "EmulatedPico":
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _power_on(self) -> None:
        told, tell = os.pipe()
        words = [interpreters.node(), str(parts.HERE / "machine.mjs"), str(parts.BOOTROM)]
        with open(self._file, "w+b") if self._file else tempfile.TemporaryFile() as flash:
            flash.write(self._content)
            flash.flush()
            self._machine = subprocess.Popen(
                [*words, str(flash.fileno()), str(tell)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=[flash.fileno(), tell],
                start_new_session=True,  # Ctrl-C is for the tool, which then stops the board
            )
        os.close(tell)
        is_told = select.select([told], [], [], PATIENCE)[0] and os.read(told, 100)
        os.close(told)
        if not is_told:
            self._power_off()
            raise RuntimeError("the firmware opened no serial port")

    def _power_off(self) -> None:
        self._machine.kill()
        with self._machine:  # waits for it, and closes the pipes
            pass

    def _serve(self) -> None:
        """Copy bytes until the board stops; then the host sees that it is gone. Runs in a thread."""
        with contextlib.suppress(OSError):
            self._cable.carry()
        os.close(self._host)
