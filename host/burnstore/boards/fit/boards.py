"""What boards with their stock firmware have left for a model. `--flash` and `--ram` stand for any other."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Board:
    """A board. Sizes are in bytes.

    processor: as mpy-cross calls it. flash: of the file system. heap: what gc.mem_free() says soon after the
    start. block: the most that the heap gives in one piece. sources: where the figures are from. rom: of the
    ROM partition that the stock firmware has.
    """

    name: str
    title: str
    processor: str
    flash: int
    heap: int
    block: int
    sources: str
    rom: int = 0


BLOCK_FLASH = 4096  # bytes that files take whole multiples of

_PICO_HEAP = 229_648
_PICO_SRAM, _PICO2_SRAM = 264 << 10, 520 << 10

BOARDS = (
    Board(
        "pico",
        "Raspberry Pi Pico",
        "armv6m",
        1408 << 10,
        _PICO_HEAP,
        _PICO_HEAP,
        "flash: MicroPython's ports/rp2/boards/RPI_PICO/mpconfigboard.h; heap: free after the start of "
        "MicroPython 1.29 in an emulated RP2040; 1.28 has 12 KB more",
    ),
    Board(
        "pico2",
        "Raspberry Pi Pico 2",
        "armv7emsp",
        1408 << 10,
        _PICO2_SRAM - (_PICO_SRAM - _PICO_HEAP),
        _PICO2_SRAM - (_PICO_SRAM - _PICO_HEAP),
        "flash: MicroPython's ports/rp2/mpconfigport.h, of 4 MB; heap: derived, 520 KB of memory less what a "
        "Pico's firmware takes of its 264 KB",
    ),
    Board(
        "esp32",
        "ESP32, 4 MB of flash, no PSRAM",
        "xtensawin",
        0x0F0000,
        111_936,
        111_936 // 2,
        "flash: the smallest `vfs` that MicroPython's ports/esp32/partitions-4MiB.csv had; heap: pull "
        "request 13219 of MicroPython, after it has grown once, which leaves two halves",
    ),
    Board(
        "esp32s3",
        "ESP32-S3, 8 MB of flash, no PSRAM",
        "xtensawin",
        0x600000,
        62_432 + 188_352,
        188_352,
        "flash: os.statvfs() of a stock 8 MB build; heap: pull request 12141 of MicroPython, free and "
        "largest new part",
    ),
    Board(
        "esp32c3",
        "ESP32-C3, 4 MB of flash",
        "rv32imc",
        0x200000,
        52_608 + 139_264,
        139_264,
        "flash: what partitions-4MiBplus.csv in MicroPython's ports/esp32 leaves of 4 MB; heap: printed by a "
        "LOLIN C3 Mini in MicroPython's issue 14293, free and largest new part",
    ),
    Board(
        "nrf52840",
        "nRF52840, as on the Seeed XIAO",
        "armv7emsp",
        256 << 10,
        128 << 10,
        128 << 10,
        "flash: FS_SIZE in MicroPython's ports/nrf/boards/SEEED_XIAO_NRF52/mpconfigboard.mk; heap: not "
        "measured, the least that boards/nrf52840_1M_256k.ld there links with",
    ),
    Board(
        "stm32f4",
        "STM32F405, as on the pyboard",
        "armv7emsp",
        112 << 10,
        100 << 10,
        100 << 10,
        "flash: MicroPython's ports/stm32/boards/stm32f405.ld; heap: estimated, the 112 KB that the same "
        "file has for it and for static data, less 12 KB of those",
    ),
)


def names() -> list[str]:
    """Return the names of all boards."""
    return [board.name for board in BOARDS]


def find(name: str) -> Board:
    """Return the board of this name; raises `KeyError`."""
    return {board.name: board for board in BOARDS}[name]
