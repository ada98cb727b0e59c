"""Changes of .npy files: of the dict in their header, of its size, or of the numbers."""

import re
from collections.abc import Sequence
from random import Random

from tools.fuzz.mutators import plain

_TOKEN = re.compile(rb"('[^']*'|\d+|[(){},:]|True|False)")
_TOKENS = tuple(
    b"'<f4' '>f8' '|u1' '<f2' '?' '|O' '<c8' '<U3' '|V0' '<M8[s]' '<f16' '' 'descr' 'shape' 'fortran_order'"
    b" True False None 0 1 -1 3L 1.5 99999999999 9223372036854775807 18446744073709551616 () (1,) (0,) [] {}"
    b" ( ) , : [('a','<f4')] b'a' ... not 1e400 0x10 1_0 (1,)*9 f'{1}' # \\".split()
)


def changed(data: bytes, rng: Random, others: Sequence[bytes] = ()) -> bytes:
    """Return a .npy file that differs."""
    width = 2 if data[6:7] == b"\x01" else 4
    start = 8 + width
    size = int.from_bytes(data[8:start], "little")
    header, numbers = data[start : start + size], data[start + size :]
    kind = rng.random()
    if kind < 0.2:
        return plain.changed(data, rng, others)
    if kind < 0.3:
        numbers = plain.changed(numbers, rng, others)
    elif kind < 0.4:
        header = plain.changed(header, rng, others)
    else:
        header = _tokens(header, rng)
    version = rng.choice((b"\x01\x00", b"\x02\x00", b"\x03\x00")) if kind > 0.95 else data[6:8]
    width = 2 if version[:1] == b"\x01" else 4
    return data[:6] + version + plain.packed(len(header), width) + header + numbers


def _tokens(header: bytes, rng: Random) -> bytes:
    parts = _TOKEN.split(header)
    at = rng.randrange(len(parts)) | 1
    if at < len(parts):
        choice = rng.random()
        if choice < 0.7:
            parts[at] = rng.choice(_TOKENS)
        elif choice < 0.85:
            parts[at] = parts[rng.randrange(len(parts)) | 1 if len(parts) > 2 and len(parts) % 2 == 0 else at]
        else:
            del parts[at]
    return b"".join(parts)
