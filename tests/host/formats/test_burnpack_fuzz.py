"""Thousands of damaged files: nothing but the package's own errors comes out, whoever reads."""

import io
import random
from pathlib import Path

import pytest

from burnpack.errors import BurnpackError
from burnpack.limits import Limits
from burnpack.reader import Reader
from burnpack.writer import Writer
from burnstore.io.fast_index import FastReader
from kit import support
from kit.formats import burnpack_accepted

RUST = Path(support.data("rust"))
OURS = Path(__file__).parents[2] / "vectors" / "burnpack_basic"
FILES = [*sorted(OURS.glob("*.bpk")), *sorted(RUST.glob("*.bpk"))]
MUTATIONS = 150  # of each file

KINDS = ("a byte", "a bit", "put in", "taken out", "copied", "cut", "lengthened", "a number", "the header")
NUMBERS = (
    0,
    1,
    23,
    24,
    255,
    256,
    65535,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    (1 << 63) - 1,
    1 << 63,
    (1 << 64) - 1,
)


@pytest.mark.parametrize("reader_class", [Reader, FastReader])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_only_our_own_errors_come_out_of_damaged_files(path, reader_class):
    data = path.read_bytes()
    rng = random.Random(path.stem)
    for _ in range(MUTATIONS):
        read_all(reader_class, damaged(data, rng))


def test_only_our_own_errors_come_out_of_damaged_hand_made_files():
    rng = random.Random(7)
    for _, data, _ in burnpack_accepted.accepted():
        for _ in range(20):
            read_all(Reader, damaged(data, rng))


def read_all(reader_class, data):
    """Read all there is, in every way; a BurnpackError is the only one that may come."""
    for opened in (
        lambda: reader_class.from_static(data),
        lambda: reader_class.from_stream(io.BytesIO(data)),
        lambda: reader_class.from_static(data, Limits(metadata=1 << 12, tensors=20, depth=8, tensor=1 << 12)),
    ):
        try:
            reader = opened()
            names = reader.names()
            for tensor in reader:
                assert len(tensor.data()) == tensor.nbytes
                tensor.readinto(bytearray(tensor.nbytes))
            for name in names:
                start, end = reader.span(name)
                assert 0 <= start <= end <= len(data) and name in reader
                assert reader.tensor(name).name == name and len(reader.view(name)) == end - start
            Writer(reader, reader.metadata(), reader.scalars()).to_bytes()
        except BurnpackError as error:
            assert len(str(error).splitlines()) == 1 and str(error).encode()


def damaged(data, rng):
    """Return `data` with one to four kinds of damage, most of it in the front."""
    changed = bytearray(data)
    front = 10 + int.from_bytes(data[6:10], "little")
    for _ in range(rng.randint(1, 4)):
        reach = min(front, len(changed)) if rng.random() < 0.9 else len(changed)
        at = rng.randrange(10, max(reach, 11))
        DAMAGE[rng.choice(KINDS)](changed, at, rng)
    return bytes(changed)


def _number(changed, at, rng):
    number = rng.choice(NUMBERS)
    head = rng.choice((0x00, 0x20, 0x40, 0x60, 0x80, 0xA0, 0xC0)) | 27
    changed[at : at + 1] = bytes([head]) + number.to_bytes(8, "big")


def _header(changed, at, rng):
    changed[rng.randrange(min(10, len(changed)) or 1)] = rng.choice((0, 1, 2, 255, rng.randrange(256)))


def _byte(changed, at, rng):
    changed[at : at + 1] = bytes([rng.randrange(256)])


def _bit(changed, at, rng):
    changed[at : at + 1] = bytes([(changed[at] if at < len(changed) else 0) ^ 1 << rng.randrange(8)])


def _put_in(changed, at, rng):
    changed[at:at] = rng.randbytes(rng.randint(1, 9))


def _taken_out(changed, at, rng):
    del changed[at : at + rng.randint(1, 9)]


def _copied(changed, at, rng):
    start = rng.randrange(len(changed))
    changed[at:at] = changed[start : start + rng.randint(1, 60)]


def _cut(changed, at, rng):
    del changed[rng.randrange(10, max(len(changed), 11)) :]


def _lengthened(changed, at, rng):
    changed += bytes(rng.choice((1, 255, 256, 1000)))


DAMAGE = dict(
    zip(KINDS, (_byte, _bit, _put_in, _taken_out, _copied, _cut, _lengthened, _number, _header), strict=True)
)
