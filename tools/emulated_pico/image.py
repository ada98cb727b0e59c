"""The flash of a Pico: a firmware in the UF2 format laid into it.

offset  size  field of a block of 512 bytes
0       4     0x0A324655
4       4     0x9E5D5157
8       4     flags: 0x1 not for flash, 0x2000 the family is given
12      4     address of the data
16      4     size of the data
20      8     the block's number, and how many there are
28      4     family: the processor that the data is for
32      476   data
508     4     0x0AB16F30
"""

import struct
from collections.abc import Iterator

BLOCK = "<8I476s I"
BLOCK_SIZE = 512
MAGIC = (0x0A324655, 0x9E5D5157)
MAGIC_END = 0x0AB16F30
NOT_FOR_FLASH = 0x1
HAS_FAMILY = 0x2000
RP2040 = 0xE48BFF56
FLASH_START = 0x10000000
FLASH_SIZE = 2 << 20  # bytes on a Pico
MOST_DATA = 476


class NotFirmware(Exception):
    """A file is no firmware for a Pico; the text says why."""


def erased() -> bytearray:
    """Return a flash that nothing was written to."""
    return bytearray(b"\xff" * FLASH_SIZE)


def lay(firmware: bytes, flash: bytearray) -> None:
    """Write a firmware's blocks into `flash`, whose rest stays. Raises `NotFirmware`."""
    if not firmware or len(firmware) % BLOCK_SIZE:
        raise NotFirmware("%d bytes are no whole blocks of UF2" % len(firmware))
    for offset, data in _blocks(firmware):
        if not 0 <= offset <= len(flash) - len(data):
            raise NotFirmware("a block lies outside a Pico's flash of %d bytes" % len(flash))
        flash[offset : offset + len(data)] = data


def _blocks(firmware: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (offset in the flash, bytes) of each block for it."""
    for start in range(0, len(firmware), BLOCK_SIZE):
        first, second, flags, address, size, _, _, family, data, last = struct.unpack_from(
            BLOCK, firmware, start
        )
        if (first, second) != MAGIC or last != MAGIC_END or size > MOST_DATA:
            raise NotFirmware("no block of UF2 at byte %d" % start)
        if flags & NOT_FOR_FLASH:
            continue
        if flags & HAS_FAMILY and family != RP2040:
            raise NotFirmware("it is for another processor than the RP2040 (family 0x%08X)" % family)
        yield address - FLASH_START, data[:size]
