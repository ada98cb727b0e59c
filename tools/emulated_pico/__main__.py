"""Serves an emulated Raspberry Pi Pico on a port.

    python -m tools.emulated_pico FIRMWARE.uf2 [--flash FILE]

prints the name of a port, which mpremote, `burnstore deploy` and `pytest tests/device --board PORT` take for
a board, and serves it until Ctrl-C. docs/boards.md says what can be measured there.
"""

import argparse
import contextlib
import sys
from pathlib import Path

from tools.emulated_pico.board import EmulatedPico
from tools.emulated_pico.image import NotFirmware
from tools.interpreters import Missing


def main() -> int:
    parser = argparse.ArgumentParser(description="Serve an emulated Pico on a port, until Ctrl-C.")
    parser.add_argument("firmware", type=Path, help="a .uf2 of MicroPython for the RPI_PICO")
    parser.add_argument("--flash", type=Path, help="a file that keeps the flash, file system included")
    given = parser.parse_args()
    try:
        with EmulatedPico(given.firmware, given.flash) as board, contextlib.suppress(KeyboardInterrupt):
            print(board.port, flush=True)
            return board.wait()
    except (Missing, NotFirmware, RuntimeError, OSError) as error:
        print("emulated_pico: %s" % error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
