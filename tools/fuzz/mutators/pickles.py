"""Changes of pickles: of their operations, one at a time."""

import pickletools
from collections.abc import Sequence
from random import Random

from tools.fuzz.mutators import plain

# What is put between other operations: kinds of values, calls, names of classes that must not be imported.
_PIECES = (
    *(bytes([code]) for code in b"(.012N)]}\x8ftlda\x85\x86\x87esu\x90\x91\x94R\x81\x92boQ\x93\x88\x89"),
    b"K\x05",
    b"J\xff\xff\xff\xff",
    b"J\xff\xff\xff\x7f",
    b"\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f",
    b"\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01",
    b"\x8b\xff\xff\xff\x7f",
    b"G\x7f\xf8\x00\x00\x00\x00\x00\x00",
    b"X\x01\x00\x00\x00a",
    b"\x8c\x01a",
    b"C\x01x",
    b"\x96\x01\x00\x00\x00\x00\x00\x00\x00x",
    b"q\x00",
    b"h\x00",
    b"r\xff\xff\xff\x7f",
    b"j\xff\xff\xff\x7f",
    b"cos\nsystem\n",
    b"cbuiltins\neval\n",
    b"cbuiltins\ngetattr\n",
    b"cbuiltins\nset\n",
    b"ccollections\nOrderedDict\n",
    b"ctorch._utils\n_rebuild_tensor_v2\n",
    b"ctorch._utils\n_rebuild_parameter\n",
    b"ctorch._tensor\n_rebuild_from_type_v2\n",
    b"ctorch\nFloatStorage\n",
    b"ctorch\nQInt8Storage\n",
    b"ctorch\nSize\n",
    b"cnumpy\ndtype\n",
    b"cnumpy._core.multiarray\nscalar\n",
    b"cnumpy._core.multiarray\n_reconstruct\n",
    b"c_codecs\nencode\n",
    b"ccopyreg\n_reconstructor\n",
    b"\x8c\x02os\x8c\x06system\x93",
    b"\x80\x04",
    b"\x95\x10\x00\x00\x00\x00\x00\x00\x00",
)


def changed(data: bytes, rng: Random, others: Sequence[bytes] = ()) -> bytes:
    """Return a pickle, or several end to end and what is behind them, that differs in one operation."""
    operations, rest = split(data)
    if len(operations) < 2 or rng.random() < 0.1:
        return plain.changed(data, rng, others)
    rng.choice(_CHANGES)(operations, rng.randrange(len(operations)), rng, others)
    return b"".join(operations) + rest


def split(data: bytes) -> tuple[list[bytes], bytes]:
    """Return the operations of the pickles that lie end to end, and what is behind the last one."""
    found: list[bytes] = []
    start = 0
    while start < len(data):
        places: list[int] = []
        try:
            places += [place for _, _, place in pickletools.genops(data[start:]) if place is not None]
        except Exception:  # no pickle: pickletools raises much
            break
        end = places[-1] + 1
        found += [data[start + a : start + b] for a, b in zip(places, [*places[1:], end], strict=True)]
        start += end
    return found, data[start:]


def _argument(operations: list[bytes], at: int, rng: Random, others: Sequence[bytes]) -> None:
    operation = operations[at]
    if len(operation) in (2, 3, 5, 9):
        value = int.from_bytes(operation[1:], "little")
        operations[at] = operation[:1] + plain.packed(plain.near(value, rng), len(operation) - 1)
    else:
        operations[at] = operation[:1] + plain.changed(operation[1:], rng)


def _code(operations: list[bytes], at: int, rng: Random, others: Sequence[bytes]) -> None:
    operations[at] = bytes([rng.choice(_CODES)]) + operations[at][1:]


def _drop(operations: list[bytes], at: int, rng: Random, others: Sequence[bytes]) -> None:
    del operations[at : at + rng.choice((1, 1, 1, 2, 5))]


def _repeat(operations: list[bytes], at: int, rng: Random, others: Sequence[bytes]) -> None:
    start = rng.randrange(len(operations))
    operations[at:at] = operations[start : start + rng.choice((1, 1, 3, 20))] * rng.choice((1, 1, 2, 50))


def _swap(operations: list[bytes], at: int, rng: Random, others: Sequence[bytes]) -> None:
    other = rng.randrange(len(operations))
    operations[at], operations[other] = operations[other], operations[at]


def _piece(operations: list[bytes], at: int, rng: Random, others: Sequence[bytes]) -> None:
    operations[at : at + rng.randrange(2)] = [rng.choice(_PIECES)]


def _spliced(operations: list[bytes], at: int, rng: Random, others: Sequence[bytes]) -> None:
    theirs = split(rng.choice(others))[0] if others else []
    if theirs:
        start = rng.randrange(len(theirs))
        operations[at : at + rng.randrange(9)] = theirs[start : start + rng.randint(1, 9)]


_CHANGES = (_argument, _argument, _argument, _code, _drop, _repeat, _swap, _piece, _piece, _spliced)
_CODES = bytes(ord(each.code) for each in pickletools.opcodes)
