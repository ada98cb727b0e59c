"""Names for what a firmware build takes: an identifier in C and in Python, and nobody else's."""

import keyword
import re

from burnpack.errors import Malformed

LONGEST = 64  # characters; a name becomes a folder's, and part of longer ones in C

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

_C_WORDS = frozenset(
    "asm auto bool break case char const constexpr continue default do double else enum extern false float "
    "for goto if inline int long nullptr register restrict return short signed sizeof static struct switch "
    "thread_local true typedef typeof union unsigned void volatile while".split()
)

# Modules that a port of MicroPython has built in, what runs on a board by its name, and what else is in
# the folder that is written.
_TAKEN = frozenset(
    "alif array asyncio binascii ble bluetooth board boot btree builtins burnpack burnrt cmath "
    "collections cryptolib deflate dht ds18x20 edge errno esp esp32 espnow ffi flashbdev framebuf gc "
    "hashlib heapq inisetup io jni js jsffi json lib lwip machine main manifest marshal math microbit "
    "micropython mimxrt mip music neopixel network nrf ntptime onewire openamp os platform psoc pyb "
    "random re renesas requests rp2 samd select socket spiflash ssl stm string struct sys termios time "
    "tls uarray uasyncio ubinascii ubluepy ucollections ucryptolib uctypes uerrno uhashlib uheapq uio "
    "ujson ulab umachine uos upip uplatform urandom ure urequests uselect usocket ussl ustruct usys utime "
    "uwebsocket uzlib vfs weakref webrepl websocket wipy zephyr zlib zsensor".split()
)


def check_name(name: str) -> None:
    """Refuse a name that no C and Python module can have; raises `Malformed`."""
    what = _fault(name)
    if what:
        raise Malformed(f"{what}; choose another with --name", name)


def _fault(name: str) -> str:
    if not _IDENTIFIER.fullmatch(name):
        return "not a name of letters, digits and _ that C and Python take"
    if len(name) > LONGEST:
        return f"a name of more than {LONGEST} letters"
    if keyword.iskeyword(name) or name in _C_WORDS:
        return "a word of the language"
    if name in _TAKEN:
        return "a name that MicroPython, the runtime or the build has for something else"
    if name.startswith("_"):
        return "names with _ in front belong to the interpreter"
    return ""
