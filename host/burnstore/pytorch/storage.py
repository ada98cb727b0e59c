"""Storages: the runs of elements that tensors are views of."""

import re
from collections.abc import Callable, Iterator

from burnpack.dtype import ROWS
from burnpack.errors import LimitExceeded, Malformed, Unsupported, printable
from burnstore.pytorch.objects import Global, Refused

# The storage classes of every release, and the dtype of their elements.
DTYPES = {
    "DoubleStorage": "F64",
    "FloatStorage": "F32",
    "HalfStorage": "F16",
    "BFloat16Storage": "BF16",
    "LongStorage": "I64",
    "IntStorage": "I32",
    "ShortStorage": "I16",
    "CharStorage": "I8",
    "ByteStorage": "U8",
    "BoolStorage": "Bool",
    "ComplexFloatStorage": "C64",
    "ComplexDoubleStorage": "C128",
    "UntypedStorage": "U8",  # its length is in bytes; the tensor brings the dtype
    "QInt8Storage": "QInt8",
    "QUInt8Storage": "QUInt8",
    "QInt32Storage": "QInt32",
    "QUInt4x2Storage": "QUInt4x2",
    "QUInt2x4Storage": "QUInt2x4",
}
# Bytes of an element. Two F4 share a byte, which PyTorch calls one element.
SIZES = {name: max(1, bits // 8) for name, bits, _, _ in ROWS}
QUANTIZED = {"QInt8": 1, "QUInt8": 1, "QInt32": 4, "QUInt4x2": 1, "QUInt2x4": 1}
SIZES_STORED = SIZES | QUANTIZED
COUNT_MOST = (1 << 63) - 1  # PyTorch counts in signed 64-bit integers

# What pickle protocol 0 makes of a persistent id: Python's own way to print the tuple.
_PRINTED = re.compile(r"\('storage', <class '([\w.]+)\.(\w+)'>, '([^']*)', '[^']*', (\d{1,19})(, None)?\)")


class Source:
    """What hands out the bytes of its records. Those of a kind of container derive from this."""

    def read(self, record: "Record", start: int, end: int) -> memoryview:
        """Return the record's bytes from `start` to `end`."""
        raise NotImplementedError

    def pieces(self, record: "Record", start: int, end: int) -> Iterator[memoryview | bytes]:
        """Yield the same bytes in buffers, one after the other."""
        yield self.read(record, start, end)


class Record:
    """A run of bytes in a file.

    start: in bytes, from the file's start; None where the bytes are not in the file as they are.
    size: in bytes, once they are expanded.
    again: whether the bytes are asked for more than once, or not in their order: see `deflated`.
    """

    __slots__ = ("again", "name", "size", "source", "start")

    def __init__(self, name: str, start: int | None, size: int, source: Source) -> None:
        self.name = name
        self.start = start
        self.size = size
        self.source = source
        self.again = False

    def read(self, start: int, end: int) -> memoryview:
        """Return the bytes from `start` to `end`: a slice of the file, or made for this call."""
        return self.source.read(self, start, end)

    def pieces(self, start: int, end: int) -> Iterator[memoryview | bytes]:
        """Yield the same bytes in buffers, one after the other."""
        return self.source.pieces(self, start, end)

    def view(self) -> memoryview:
        """Return all bytes, likewise."""
        return self.source.read(self, 0, self.size)


class Storage:
    """A run of elements, as the pickle describes it.

    key: its name in the container.
    nbytes: its length by the pickle, which `record`, once it is found, must have.
    base, start: for a part of another storage, that one and where the part starts in it, in bytes.
    """

    __slots__ = ("base", "dtype", "key", "nbytes", "record", "start")

    def __init__(
        self, key: str, dtype: str, nbytes: int, base: "Storage | None" = None, start: int = 0
    ) -> None:
        self.base = base
        self.start = start
        self.key = key
        self.dtype = dtype
        self.nbytes = nbytes
        self.record: Record | None = None


Finder = Callable[[str], Record]


class Storages:
    """The storages of one container, by key.

    find: returns the record of a key; raises what is wrong with it.
    """

    def __init__(self, find: Finder, most: int) -> None:
        self._find = find
        self._most = most
        self.known: dict[str, Storage] = {}

    def load(self, persistent_id: object, folder: str = "") -> Storage | Refused:
        """Return the storage that a persistent id describes; its record is not looked for yet.

        folder: what goes before its key, for a container with several sets of storages.
        """
        fields = parse_printed(persistent_id) if type(persistent_id) is str else persistent_id
        if type(fields) is not tuple or len(fields) != 5 or text(fields[0]) != "storage":
            raise Malformed("a persistent id is no storage")
        _, storage_class, key, _, count = fields
        if is_unknown(storage_class):
            return Refused(f"a tensor of {printable(storage_class.path)}")
        storage = describe(storage_class, key, count)
        storage.key = folder + storage.key
        return self.add(storage)

    def add(self, storage: Storage) -> Storage:
        """Return the storage known under this one's key, which must be the same."""
        known = self.known.setdefault(storage.key, storage)
        if known is storage:
            self._check_count()
        elif known.nbytes != storage.nbytes or (known.nbytes and known.dtype != storage.dtype):
            raise Malformed(
                "two descriptions of one storage",
                f"storage {storage.key}",
                expected=f"{known.nbytes} bytes of {known.dtype}",
                found=f"{storage.nbytes} bytes of {storage.dtype}",
            )
        return known if known.nbytes else storage  # an empty one may be seen under several dtypes

    def _check_count(self) -> None:
        if len(self.known) > self._most:
            raise LimitExceeded("too many storages", expected=f"at most {self._most}", found=len(self.known))

    def locate(self, storage: Storage) -> Record:
        """Return the storage's record, whose length must be what the pickle says."""
        if storage.record is None:
            if storage.base is not None:
                storage.record = _part(storage, self.locate(storage.base))
                return storage.record
            record = self._find(storage.key)
            if record.size != storage.nbytes:
                raise Malformed(
                    "the record has another length than the pickle says",
                    f"record {record.name}",
                    expected=f"{storage.nbytes} bytes",
                    found=f"{record.size} bytes",
                )
            storage.record = record
        return storage.record

    def locate_all(self) -> int:
        """Check the records of all storages, those that no tensor uses included; return their bytes."""
        return sum(self.locate(storage).size for storage in self.known.values())


def _part(storage: Storage, whole: Record) -> Record:
    """Return the record of a part of another storage."""
    if storage.start + storage.nbytes > whole.size or whole.start is None:
        raise Malformed(
            "a part of a storage reaches beyond it",
            f"record {whole.name}",
            expected=f"at most {whole.size} bytes",
            found=f"{storage.nbytes} bytes from {storage.start}",
        )
    return Record(whole.name, whole.start + storage.start, storage.nbytes, whole.source)


class Slice(Source):
    """The source of one record: bytes that the file does not hold as they are."""

    def __init__(self, view: memoryview) -> None:
        self._view = view

    def read(self, record: Record, start: int, end: int) -> memoryview:
        """Return bytes of the record."""
        return self._view[start:end]


class Plain(Source):
    """The source of records that are in a buffer as they are."""

    def __init__(self, view: memoryview) -> None:
        self._view = view

    def read(self, record: Record, start: int, end: int) -> memoryview:
        """Return bytes of the record, a slice of the buffer."""
        assert record.start is not None
        return self._view[record.start + start : record.start + end]


def is_unknown(storage_class: object) -> bool:
    """Tell whether a class is one of PyTorch's storages, of elements that are not known here."""
    if type(storage_class) is not Global or storage_class.name in DTYPES:
        return False
    return storage_class.module.startswith("torch") and storage_class.name.endswith("Storage")


def describe(storage_class: object, key: object, count: object) -> Storage:
    """Return the storage of `count` elements that a persistent id describes."""
    dtype = DTYPES.get(storage_class.name) if type(storage_class) is Global else None
    if dtype is None or not storage_class.module.startswith("torch"):  # type: ignore[attr-defined]
        found = storage_class.path if type(storage_class) is Global else type(storage_class).__name__
        raise Unsupported(
            "a persistent id names no storage class", expected="torch.FloatStorage, ...", found=found
        )
    if type(count) is not int or not 0 <= count <= COUNT_MOST:
        raise Malformed("a storage has no valid number of elements", found=type(count).__name__)
    name = text(key)
    if name is None:
        raise Malformed("a storage's key is no text", found=type(key).__name__)
    return Storage(name, dtype, count * SIZES_STORED[dtype])


def shown(value: object) -> str:
    """Return what a message may say of a value from a pickle: printing one can take forever."""
    return str(value) if type(value) is int and value.bit_length() <= 64 else type(value).__name__


def text(value: object) -> str | None:
    """Return a text, which old files may hold as bytes; None for what is neither."""
    if type(value) is bytes:
        return value.decode("utf-8", "replace")
    return value if type(value) is str else None


def parse_printed(persistent_id: str) -> tuple[object, ...]:
    """Return the fields of a persistent id that protocol 0 has turned into text."""
    found = _PRINTED.fullmatch(persistent_id)
    if found is None:
        raise Malformed("a persistent id is no storage", found=persistent_id)
    module, name, key, count, part = found.groups()
    fields = ("storage", Global(module, name, None), key, "", int(count))
    return fields if part is None else (*fields, None)
