"""Files that are not read here, told by their content: what they are, and the way to one that is read."""

import re
import zlib
from collections.abc import Iterator

from burnpack.errors import UnknownFormat

_RUST = "with Burn 0.21, load it with the recorder that wrote it, and save the model into a BurnpackStore"
_PYTORCH = 'in PyTorch, load it, and torch.save(model.state_dict(), "model.pt")'
_ARRAYS = "read it with its own library, and write its arrays with burnstore.save_burnpack"
_SOURCE = "save the weights where the model was made, in PyTorch with torch.save(model.state_dict(), ...)"
_UNPACK = "unpack it first"

# What a file begins with, what it is then, and the way out.
_SIGNATURES = (
    (
        b"version https://git-lfs",
        "a Git LFS pointer: the file itself was not fetched",
        "'git lfs pull' fetches it",
    ),
    (b"GGUF", "a GGUF model", _SOURCE),
    (b"lmgg", "a GGML model", _SOURCE),
    (b"tjgg", "a GGML model", _SOURCE),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file, such as Keras writes", _ARRAYS),
    (b"\x93NUMPY", "a NumPy array (.npy)", _ARRAYS),
    (b"MATLAB 5.0 MAT-file", "a MATLAB file", _ARRAYS),
    (b"model_checkpoint_path:", "the list of TensorFlow's checkpoints", _ARRAYS),
    (b"BZh", "compressed with bzip2", _UNPACK),
    (b"\xfd7zXZ\x00", "compressed with xz", _UNPACK),
    (b"\x5d\x00\x00\x80\x00\xff\xff\xff\xff", "compressed with LZMA", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "compressed with Zstandard", _UNPACK),
    (b"\x04\x22\x4d\x18", "compressed with LZ4", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _UNPACK),
    (b"Rar!", "a RAR archive", _UNPACK),
    (b"PAR1", "a Parquet table", None),
    (b"ARROW1", "an Arrow table", None),
    (b"SQLite format 3\0", "an SQLite database", None),
    (b"%PDF", "a PDF document", None),
    (b"\x89PNG", "a PNG image", None),
    (b"\xff\xd8\xff", "a JPEG image", None),
    (b"\x7fELF", "a program (ELF)", None),
)
# The same, of four bytes behind the first four, as FlatBuffers have them.
_IDENTIFIERS = (
    (re.compile(rb"TFL\d"), "a TensorFlow Lite model", _SOURCE),
    (re.compile(rb"ET\d\d"), "an ExecuTorch program (.pte)", _SOURCE),
    (re.compile(rb"FT\d\d"), "the data of an ExecuTorch program (.ptd)", _SOURCE),
    (re.compile(rb"ORTM"), "an ONNX Runtime model (.ort)", _SOURCE),
)
# What the last part of an entry's name shows a zip archive to be.
ARCHIVES = (("extern_modules", "a torch.package", _PYTORCH),)
# The same, of archives that a checkpoint of PyTorch could be, too.
OTHER_ARCHIVES = (
    ("model.weights.h5", "a Keras model (.keras)", _ARRAYS),
    ("metadata.json", "a Keras model (.keras)", _ARRAYS),
    ("coremldata.bin", "a Core ML model", _SOURCE),
    ("[Content_Types].xml", "an Office document", None),
)

_RECORD = re.compile(rb"burn\w*::record::[\w:]*?(\w+Recorder)")
# A record's metadata names its types of numbers first, in bincode with their lengths before them.
_RECORD_START = re.compile(
    rb"\x82(?:\xa8metadata|\xa4item)|[\x03-\x06]\0{0,7}(?:b?f(?:16|32|64)|flex32)[\x02-\x04]\0{0,7}[iu]\d"
)
_MESSAGE_PACK = re.compile(rb"(?:[\x81-\x8f]|\xde..|\xdf....)[\xa1-\xbf\xd9][\w .-]", re.DOTALL)
_TABLE_END = b"\x57\xfb\x80\x8b\x24\x75\x47\xdb"  # of TensorFlow's index, which is a table of LevelDB
_MARKUP = re.compile(rb"\s*<(?:!doctype|html|head|body|\?xml)", re.IGNORECASE)
_GZIP = b"\x1f\x8b"
_PEEK = 4096  # bytes that are unpacked of a packed file
_FIELDS_MOST = 10_000  # of a protocol buffer's message


def refused(what: str, way: str | None) -> UnknownFormat:
    """Return the error that says what a file is, and the way out."""
    return UnknownFormat(f"{what}, no checkpoint that is read here" + (f": {way}" if way else ""))


def check_foreign(view: memoryview, head: bytes) -> None:
    """Raise `UnknownFormat` for a file that is known and not read. head: what `view` begins with."""
    if not head:
        raise UnknownFormat("an empty file")
    what: str | None
    for signature, what, way in _SIGNATURES:
        if head.startswith(signature):
            raise refused(what, way)
    for identifier, what, way in _IDENTIFIERS:
        if identifier.match(head, 4):
            raise refused(what, way)
    if _MARKUP.match(head):
        raise UnknownFormat("an HTML or XML page: the download brought a page instead of the file")
    _check_record(head)
    _check_packed(view)
    _check_pickle(head)
    if what := _message(view):
        raise refused(what, _SOURCE)
    if bytes(view[-len(_TABLE_END) :]) == _TABLE_END:
        raise refused("the index of a TensorFlow checkpoint", _ARRAYS)


def check_rest(head: bytes) -> None:
    """Raise `UnknownFormat` for what only looks like a format when it is no other."""
    if _MESSAGE_PACK.match(head):
        raise refused("MessagePack, such as Flax writes", _ARRAYS)


def check_archive(endings: set[str], table: tuple[tuple[str, str, str | None], ...]) -> None:
    """Raise `UnknownFormat` for a zip archive that a table names. endings: the last parts of its names."""
    for ending, what, way in table:
        if ending in endings:
            raise refused(f"a zip archive of {what}", way)


def _check_record(head: bytes) -> None:
    recorder = _RECORD.search(head)
    if recorder:
        raise refused(f"a record that Burn's {recorder[1].decode()} wrote", _RUST)
    if _RECORD_START.match(head):
        raise refused("a record of one of Burn's recorders (.mpk or .bin)", _RUST)


def _check_packed(view: memoryview) -> None:
    zipped = bytes(view[:2]) == _GZIP
    beginning = _unpacked(view, 31 if zipped else 15)
    if beginning:
        _check_record(beginning)
    if zipped:
        raise refused("compressed with gzip", _UNPACK)
    if beginning:
        raise refused("compressed with zlib, such as joblib writes", _ARRAYS)


def _unpacked(view: memoryview, window: int) -> bytes:
    """Return the first bytes of what was packed, or nothing where nothing was."""
    try:
        return zlib.decompressobj(window).decompress(bytes(view[:_PEEK]), _PEEK)
    except zlib.error:
        return b""


def _check_pickle(head: bytes) -> None:
    if not head.startswith(b"\x80"):
        return
    if b"joblib.numpy_pickle" in head:
        raise refused("a pickle of joblib", "in Python, joblib.load it, and torch.save its arrays in a dict")
    if b"torch.distributed.checkpoint.metadata" in head:
        raise refused("the index of a distributed checkpoint", DISTRIBUTED)


DISTRIBUTED = (
    "python -m torch.distributed.checkpoint.format_utils dcp_to_torch FOLDER model.pt makes one file"
)


def _message(view: memoryview) -> str | None:
    """Return what model the bytes are if they are a message of protocol buffers, told by its fields."""
    if view[0] != 0x08:  # the version, which all of them have first
        return None
    found = set(_fields(view))
    if max(found, default=0) >= 200:
        return "a Core ML model (.mlmodel)"
    if found & {7, 8}:  # its graph, and the operators that it uses
        return "an ONNX model"
    if found == {1, 2}:
        return "a TensorFlow SavedModel" if view[1] == 1 else "a Core ML model (.mlmodel)"
    return None


def _fields(view: memoryview) -> Iterator[int]:
    """Yield the numbers of a message's fields, until the end or what is none."""
    at = 0
    for _ in range(_FIELDS_MOST):
        tag, at = _varint(view, at)
        kind = tag & 7
        if tag >> 3 == 0 or kind not in (0, 2):
            return
        size, at = _varint(view, at)
        if at > len(view):
            return
        yield tag >> 3
        at += size if kind == 2 else 0


def _varint(view: memoryview, at: int) -> tuple[int, int]:
    """Return a number and where it ends: 0, and behind the end, where there is none."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(view):
            break
        value |= (view[at] & 0x7F) << shift
        at += 1
        if view[at - 1] < 0x80:
            return value, at
    return 0, len(view) + 1
