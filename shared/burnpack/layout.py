"""The Burnpack container, and where its parts lie. All integers are little-endian.

    offset  size  field
    0       4     magic, the bytes NRUB (0x4255524E)
    4       2     format version
    6       4     size n of the metadata, in bytes
    10      n     metadata, one CBOR map
    10 + n        zeros up to the next multiple of 256, then tensor data

Each tensor begins on a multiple of 256; zeros lie between; the last is not padded. Burn 0.19 wrote
the same without any zeros: the data right behind the metadata, the tensors end to end.
"""

import struct

from burnpack.compat import const
from burnpack.errors import LimitExceeded, Malformed, Truncated, UnknownFormat, Unsupported

if False:  # for type checkers
    from collections.abc import Callable

    from burnpack.limits import Limits
    from burnpack.types import Buffer, Extent


MAGIC: bytes = b"NRUB"
VERSION = const(1)
HEADER = "<4sHI"  # magic, version, metadata size
HEADER_SIZE = const(10)  # struct.calcsize(HEADER); a test ties the two
ALIGNMENT = const(256)


def parse_header(view: "Buffer", limits: "Limits") -> tuple[int, int]:
    """Return the format version and the size of the metadata, in bytes."""
    if bytes(view[:4]) != MAGIC[: len(view)]:
        raise UnknownFormat("not a Burnpack file", None, None, 0, MAGIC, bytes(view[:4]))
    if len(view) < HEADER_SIZE:
        raise Truncated("the header is cut short", None, None, 0, HEADER_SIZE, len(view))
    _, version, size = struct.unpack_from(HEADER, view, 0)
    if version > VERSION:
        raise Unsupported("a newer format version", None, None, 4, "at most %d" % VERSION, version)
    if size > limits.metadata:
        raise LimitExceeded("the metadata is too large", None, None, 6, "at most %d" % limits.metadata, size)
    return version, size


def check_metadata(metadata_size: int, file_size: int) -> None:
    """Refuse a file that ends before its metadata does."""
    if HEADER_SIZE + metadata_size > file_size:
        raise Truncated("the metadata is cut short", None, None, 6, HEADER_SIZE + metadata_size, file_size)


def header(metadata_size: int) -> bytes:
    """Return the header of a container whose metadata takes `metadata_size` bytes."""
    return struct.pack(HEADER, MAGIC, VERSION, metadata_size)


def aligned(offset: int) -> int:
    """Return the first multiple of the alignment at or after `offset`."""
    return -(-offset // ALIGNMENT) * ALIGNMENT


def data_start(
    index: "Extent", metadata_size: int, file_size: int, padding_is_zero: "Callable[[int, int], bool]"
) -> tuple[int, bool]:
    """Return where the data section starts, and whether it is packed as Burn 0.19 did.

    index: has `end` (the largest end of a tensor), `claimed` (the sum of their sizes), `aligned`
        (whether each start is a multiple of the alignment) and `version` (the text that its writer
        left in the metadata, or None).
    padding_is_zero: a function (start, end) that tells whether the file holds only zeros there.
    Raises where the file is not exactly as long as one of the two layouts makes it.
    """
    packed = HEADER_SIZE + metadata_size
    start = aligned(packed)
    whole = start + index.end
    end_to_end = index.claimed == index.end
    if file_size == whole:
        # Bytes behind a packed file can make it as long as one of today's.
        if end_to_end and not padding_is_zero(packed, start):
            raise Malformed("something else than zeros before the data", None, None, packed)
        return start, False
    # So says its release, or what today's writers never do.
    old = end_to_end and (not index.aligned or (index.version or "").startswith("0.19"))
    if old:
        whole = packed + index.end
    if file_size == packed + index.end and end_to_end:
        # A file of today that lost as many bytes as it has padding would look the same.
        if old or not padding_is_zero(packed, min(start, file_size)):
            return packed, True
    if file_size < whole:
        raise Truncated("the file is cut short", None, None, None, whole, file_size)
    raise Malformed("bytes after the last tensor", None, None, None, whole, file_size)
