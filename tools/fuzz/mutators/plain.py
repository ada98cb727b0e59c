"""Changes of bytes, whatever they mean."""

from collections.abc import Callable, Sequence
from random import Random

_SMALL = (0, 1, 2, 3, 4, 7, 8, 16, 31, 32, 63, 64, 127, 128, 255, 256, 1023, 4095, 65535, 65536, 1 << 24)
_EDGES = [
    sign * (1 << bits) + more for bits in (31, 32, 53, 63, 64) for sign in (1, -1) for more in (-1, 0, 1)
]
NUMBERS = (*_SMALL, *_EDGES)
_WIDTHS = (1, 2, 4, 8)
_PIECE = 40  # bytes that are taken out or put in at most


def number(rng: Random) -> int:
    """Return a number at which something often goes wrong, or one near it."""
    return rng.choice(NUMBERS) if rng.random() < 0.8 else rng.choice(NUMBERS) + rng.randint(-9, 9)


def near(value: int, rng: Random) -> int:
    """Return another number than `value`, often one that is near."""
    changes: tuple[Callable[[int], int], ...] = (
        lambda n: n + rng.choice((-8, -4, -2, -1, 1, 2, 4, 8)),
        lambda n: n * rng.choice((-1, 2, 3, 256, 1 << 16)),
        lambda n: n // 2,
        lambda n: n ^ 1 << rng.randrange(33),
        lambda n: number(rng),
    )
    return rng.choice(changes)(value)


def changed(data: bytes, rng: Random, others: Sequence[bytes] = ()) -> bytes:
    """Return `data` with one change of its bytes."""
    found = bytearray(data)
    at = rng.randrange(len(found) + 1)
    rng.choice(_CHANGES)(found, at, rng, others)
    return bytes(found)


def packed(value: int, width: int, order: str = "little") -> bytes:
    """Return the bytes of a number, of which what is too much is cut off."""
    return (value & (1 << 8 * width) - 1).to_bytes(width, "big" if order == "big" else "little")


def _bit(found: bytearray, at: int, rng: Random, others: Sequence[bytes]) -> None:
    found[at : at + 1] = bytes([(found[at] if at < len(found) else 0) ^ 1 << rng.randrange(8)])


def _byte(found: bytearray, at: int, rng: Random, others: Sequence[bytes]) -> None:
    found[at : at + 1] = rng.randbytes(1)


def _number(found: bytearray, at: int, rng: Random, others: Sequence[bytes]) -> None:
    width = rng.choice(_WIDTHS)
    order = rng.choice(("little", "big"))
    value = int.from_bytes(found[at : at + width], "big" if order == "big" else "little")
    found[at : at + width] = packed(near(value, rng), width, order)


def _taken_out(found: bytearray, at: int, rng: Random, others: Sequence[bytes]) -> None:
    del found[at : at + rng.randint(1, _PIECE)]


def _put_in(found: bytearray, at: int, rng: Random, others: Sequence[bytes]) -> None:
    found[at:at] = rng.randbytes(rng.randint(1, 9))


def _copied(found: bytearray, at: int, rng: Random, others: Sequence[bytes]) -> None:
    start = rng.randrange(len(found) + 1)
    found[at:at] = found[start : start + rng.randint(1, _PIECE)]


def _spliced(found: bytearray, at: int, rng: Random, others: Sequence[bytes]) -> None:
    if others:
        other = rng.choice(others)
        start = rng.randrange(len(other) + 1)
        size = rng.randint(1, _PIECE)
        found[at : at + size] = other[start : start + size]


def _cut(found: bytearray, at: int, rng: Random, others: Sequence[bytes]) -> None:
    del found[at:]


def _lengthened(found: bytearray, at: int, rng: Random, others: Sequence[bytes]) -> None:
    found += bytes(rng.choice((1, 3, 4, 255, 256, 1000)))


_CHANGES = (_bit, _byte, _byte, _number, _number, _taken_out, _put_in, _copied, _spliced, _cut, _lengthened)
