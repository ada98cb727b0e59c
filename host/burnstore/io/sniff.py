"""Which format a file has, told by its content: a name's ending says little."""

import os
import re
import struct
from typing import cast

from burnpack.errors import BurnpackError, UnknownFormat
from burnstore.io.files import MappedFile, PathLike
from burnstore.io.foreign import ARCHIVES, OTHER_ARCHIVES, check_archive, check_foreign, check_rest, refused
from burnstore.pytorch.archive import read_directory
from burnstore.pytorch.viewfile import ViewFile

BURNPACK = "burnpack"
SAFETENSORS = "safetensors"
PYTORCH_ZIP = "pytorch-zip"
TORCHSCRIPT = "torchscript"
EXPORTED = "exported"
PYTORCH_LEGACY = "pytorch-legacy"
PYTORCH_TAR = "pytorch-tar"
PICKLE = "pickle"
SHARD_INDEX = "shard-index"

SAFETENSORS_HEADER_MOST = 100_000_000  # bytes, as the reference has it
DIRECTORY_MOST = 16 << 20  # bytes of a zip's directory that are looked at
TEXT = 4096  # bytes that are looked at to tell text from bytes
INDEX = 1 << 20  # bytes of JSON within which an index of shards shows that it is one

# The first pickle of a legacy file: the number 0x1950a86a20f9469cfc6c.
_LEGACY = re.compile(
    rb"(?:\x80[\x02-\x05])?(?:\x95.{8})?(?:\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19|L119547037146038801333356L?\n)\.",
    re.DOTALL,
)
# How pickles start: with their protocol; in protocol 0, with a container or a class, as lines of text; in
# protocol 1, with a container or a class, and bytes.
_PICKLE = re.compile(rb"\x80[\x00-\x05]")
_PICKLE_LINES = re.compile(rb"\((?:[dlt](?:p\d+)?\n|i[\w.]+\n\w+\n)|c[A-Za-z_][\w.]*\n\w+\n")
_PICKLE_1 = re.compile(rb"[\]})(]")
# What the last part of an entry's name shows a zip archive to be.
_ZIPS = (
    ("archive_format", EXPORTED),
    ("serialized_exported_program.json", EXPORTED),
    ("constants.pkl", TORCHSCRIPT),
    ("data.pkl", PYTORCH_ZIP),
    ("byteorder", PYTORCH_ZIP),
    (".format_version", PYTORCH_ZIP),
)
_TAR_MEMBERS = ("sys_info", "pickle", "tensors", "storages")


def sniff(source: PathLike | bytes | bytearray | memoryview) -> str:
    """Return the format of a file, given by its path or its bytes: one of the constants above.

    Of bytes, the first few kilobytes do for all but zip and tar archives. A file that is cut short has
    the format of what is left: its reader says what is missing. Raises `UnknownFormat`, which says what
    the file is instead, where that can be told.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return sniff_view(memoryview(source))
    with MappedFile(source) as file:
        try:
            return sniff_view(file.view)
        except UnknownFormat as error:
            raise error.within(os.fspath(source)) from None


def check_burnpack(view: memoryview, source: str) -> None:
    """Raise `UnknownFormat` for the bytes of anything but a Burnpack. source: what errors call it."""
    try:
        kind = sniff_view(view)
    except UnknownFormat as error:
        raise error.within(source) from None
    if kind != BURNPACK:
        what = "not a Burnpack (`burnstore convert` makes one)"
        raise UnknownFormat(what, source=source, expected=BURNPACK, found=kind)


def sniff_view(view: memoryview) -> str:
    """Return the format of the bytes; see `sniff`."""
    head = bytes(view[:TEXT])
    if head.startswith(b"NRUB"):
        return BURNPACK
    if is_zip(head):
        return _sniff_zip(view)
    if _is_tar(head):
        return _sniff_tar(view)
    if _LEGACY.match(head):
        return PYTORCH_LEGACY
    if _is_safetensors(head):  # its first bytes, a size, may be those of anything
        return SAFETENSORS
    check_foreign(view, head)
    if _PICKLE.match(head) or _PICKLE_LINES.match(head) or (_PICKLE_1.match(head) and not _is_text(head)):
        return PICKLE
    if _is_json(head) and b'"weight_map"' in bytes(view[:INDEX]):
        return SHARD_INDEX
    check_rest(head)
    raise UnknownFormat(
        _text_kind(head) or "no format that is known here", found=f"{head[:16].hex(' ')} at its start"
    )


def _is_safetensors(head: bytes) -> bool:
    if len(head) < 9:
        return False
    (size,) = struct.unpack_from("<Q", head)
    return bool(size <= SAFETENSORS_HEADER_MOST and head[8:9] == b"{")


def _is_json(head: bytes) -> bool:
    stripped = head.lstrip()
    return stripped[:1] in (b"{", b"[") and _is_text(head)


def _is_text(head: bytes) -> bool:
    try:
        text = head[: TEXT - 4].decode("utf-8") if len(head) == TEXT else head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < TEXT - 8:
            return False
        text = head[: error.start].decode("utf-8")
    return all(letter.isprintable() or letter.isspace() for letter in text)


def _text_kind(head: bytes) -> str | None:
    if _is_json(head):
        return "JSON text, no checkpoint and no index of one"
    return "plain text, no checkpoint" if _is_text(head) else None


def is_zip(view: bytes | memoryview) -> bool:
    """Tell whether the bytes begin as a zip archive does."""
    return bytes(view[:4]) in (b"PK\x03\x04", b"PK\x05\x06")


def _sniff_zip(view: memoryview) -> str:
    try:
        names = [entry.filename for entry in read_directory(view, DIRECTORY_MOST)[0]]
    except BurnpackError:
        first = _first_name(view)  # cut short: what it begins with must do
        names = [first, "data.pkl"] if "data/" in first else [first]
    return zip_kind(names)


def zip_kind(names: list[str]) -> str:
    """Return the format of a zip archive with entries of these names."""
    endings = {name[name.rfind("/") + 1 :] for name in names}
    check_archive(endings, ARCHIVES)
    for ending, kind in _ZIPS:
        if ending in endings:
            return kind
    check_archive(endings, OTHER_ARCHIVES)
    if any(name.endswith(".npy") for name in names):
        raise refused("NumPy arrays (.npz)", "torch.save them in a dict, or write them with save_burnpack")
    raise UnknownFormat("a zip archive without data.pkl, no checkpoint that is read here")


def _first_name(view: memoryview) -> str:
    size = int.from_bytes(view[26:28], "little")
    return bytes(view[30 : 30 + size]).decode("utf-8", "replace")


def _is_tar(head: bytes) -> bool:
    return head[257:262] == b"ustar" or head[:100].rstrip(b"\0").decode("latin-1") in _TAR_MEMBERS


def _sniff_tar(view: memoryview) -> str:
    import tarfile  # only the oldest files need it

    try:
        with tarfile.open(fileobj=cast("tarfile._Fileobj", ViewFile(view)), mode="r:") as archive:
            names = [archive.next() for _ in _TAR_MEMBERS]
    except (tarfile.TarError, ValueError, EOFError, OSError):
        return PYTORCH_TAR  # its reader says what is damaged
    if any(member is not None and member.name in _TAR_MEMBERS for member in names):
        return PYTORCH_TAR
    raise UnknownFormat("a tar archive without a checkpoint")
