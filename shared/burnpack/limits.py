"""How much a reader believes: limits that are checked before anything is allocated."""

import sys

from burnpack.compat import ON_BOARD

_KIB = 1024
_MIB = 1024 * _KIB
_GIB = 1024 * _MIB
_NARROW = sys.maxsize < 1 << 32

# MicroPython keeps a view's offset in one byte less than a machine word: 16 Mi bytes on 32 bits.
VIEW_REACH = 1 << 24 if ON_BOARD and _NARROW else sys.maxsize


class Limits:
    """What a container may claim at most, checked before anything is allocated.

    metadata: bytes of the header (Burnpack's CBOR, SafeTensors' JSON): 100 MiB, on a board 256 KiB.
    tensors: how many there may be: 100,000, on a board 4,096.
    depth: how deep values may be nested: 128, on a board 16.
    tensor: bytes of one tensor: 10 GiB, on 32 bits 2 GiB.
    file: bytes of the container: 500 GiB, on 32 bits 2 GiB.
    expansion: bytes that all tensors may have beyond those of the file that they repeat: 256 MiB.

    These are the limits where an argument is None. What is over one raises `LimitExceeded`.
    """

    metadata: int
    tensors: int
    depth: int
    tensor: int
    file: int
    expansion: int

    def __init__(
        self,
        metadata: int | None = None,
        tensors: int | None = None,
        depth: int | None = None,
        tensor: int | None = None,
        file: int | None = None,
        expansion: int | None = None,
    ) -> None:
        self.metadata = METADATA if metadata is None else metadata
        self.tensors = TENSORS if tensors is None else tensors
        self.depth = DEPTH if depth is None else depth
        self.tensor = TENSOR if tensor is None else tensor
        self.file = FILE if file is None else file
        self.expansion = EXPANSION if expansion is None else expansion


# As Burn's reader sets them on a computer; what a board's memory can hold there.
METADATA = 256 * _KIB if ON_BOARD else 100 * _MIB
TENSORS = 4096 if ON_BOARD else 100_000
DEPTH = 16 if ON_BOARD else 128
TENSOR = 2 * _GIB if _NARROW else 10 * _GIB
FILE = 2 * _GIB if _NARROW else 500 * _GIB
EXPANSION = 256 * _MIB
