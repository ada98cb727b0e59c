"""The container of PyTorch 0.1.10 to 1.5: five pickles in a row, then the storages.

    the number 0x1950a86a20f9469cfc6c
    the version, 1001
    a dict with facts about the system that wrote it
    the object
    the list of the storages' keys
    for each key, in this order:
        8   the number of elements, little-endian
        …   the elements, little-endian whatever the system was

A persistent id is ('storage', class, key, location, number of elements, part), where part is None or
(its key, offset, number of elements); or ('module', class, path of its source, source).
"""

import io
import struct

from burnpack.errors import LimitExceeded, Malformed, Truncated, Unsupported
from burnpack.limits import Limits
from burnstore.pytorch.budget import Budget
from burnstore.pytorch.checkpoint import Checkpoint, facts
from burnstore.pytorch.storage import (
    SIZES_STORED,
    Plain,
    Record,
    Storage,
    Storages,
    describe,
    parse_printed,
    shown,
    text,
)
from burnstore.pytorch.unpickler import Names, Unpickler
from burnstore.pytorch.viewfile import ViewFile

MAGIC = 0x1950A86A20F9469CFC6C
VERSION = 1001
COUNT = "<q"  # of a storage's elements
COUNT_SIZE = 8


class LegacyStorages(Storages):
    """The storages of a legacy container, whose records are known once its last pickle is read."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(self._record, limits.tensors)
        self.records: dict[str, Record] = {}
        self._parts: dict[str, Storage] = {}

    def load(self, persistent_id: object) -> object:  # type: ignore[override]
        """Return what a persistent id describes: a storage, a part of one, or a class."""
        fields = parse_printed(persistent_id) if type(persistent_id) is str else persistent_id
        if type(fields) is not tuple or not fields:
            raise Malformed("a persistent id is no storage")
        kind = text(fields[0])
        if kind == "module" and len(fields) == 4:
            return fields[1]
        if kind != "storage" or len(fields) != 6:
            raise Malformed("a persistent id is no storage")
        _, storage_class, key, _, count, part = fields
        storage = self.add(describe(storage_class, key, count))
        return storage if part is None else self._part(storage, part)

    def _part(self, whole: Storage, part: object) -> Storage:
        if type(part) is not tuple or len(part) != 3 or text(part[0]) is None:
            raise Malformed("a part of a storage has no key, offset and size", f"storage {whole.key}")
        key, offset, count = part
        if type(offset) is not int or type(count) is not int or offset < 0 or count < 0:
            raise Malformed("a part of a storage has no valid offset and size", f"storage {whole.key}")
        size = SIZES_STORED[whole.dtype]
        storage = Storage(whole.key, whole.dtype, count * size, whole, offset * size)
        known = self._parts.setdefault(text(key) or "", storage)
        if (known.key, known.start, known.nbytes) != (whole.key, storage.start, storage.nbytes):
            raise Malformed("two descriptions of one part of a storage", f"storage {whole.key}")
        return known

    def size_of(self, key: str) -> int:
        """Return the bytes of an element of a storage, which the pickle has described."""
        storage = self.known.get(key)
        if storage is None:
            raise Malformed("the file holds a storage that its pickle does not describe", f"storage {key}")
        return SIZES_STORED[storage.dtype]

    def _record(self, key: str) -> Record:
        record = self.records.get(key)
        if record is None:
            raise Malformed("the file has no such storage", f"storage {key}")
        return record


def load_legacy(view: memoryview, limits: Limits) -> Checkpoint:
    """Return what is in a legacy container."""
    storages = LegacyStorages(limits)
    root, protocol = read_stream(view, limits, storages, Budget(limits))
    known = [*facts("legacy", "little", protocol), ("version", str(VERSION))]
    return Checkpoint(root, storages, False, known)


def read_stream(
    view: memoryview, limits: Limits, storages: LegacyStorages, budget: Budget
) -> tuple[object, int]:
    """Read the pickles and find the storages' records; return the object and its pickle protocol."""
    pickles = Pickles(view, limits.metadata, storages, budget)
    if pickles.next() != MAGIC:
        raise Malformed("no legacy checkpoint: it starts with another number")
    version = pickles.next()
    if type(version) is not int or version != VERSION:
        raise Unsupported("a legacy checkpoint of an unknown version", expected=VERSION, found=shown(version))
    pickles.next()  # facts about the system
    root = pickles.next()
    protocol = pickles.protocol
    _find_records(view, pickles.next(), pickles.position(), storages)
    return root, protocol


class Pickles:
    """Pickles in a row, read one after the other; only in the file's first `most` bytes are there any."""

    def __init__(
        self, view: memoryview, most: int, storages: Storages, budget: Budget, names: Names | None = None
    ) -> None:
        self._file = io.BufferedReader(ViewFile(view[:most]))
        self._size = min(len(view), most)
        self._cut = len(view) > most
        self._load = storages.load
        self._budget = budget
        self._names = names
        self.protocol = 0

    def next(self) -> object:
        """Return the object of the next pickle."""
        unpickler = Unpickler(self._file, self._size, self._load, self._budget, self._names)
        try:
            found: object = unpickler.load()
        except Truncated:
            if not self._cut:
                raise
            raise LimitExceeded("the pickle is too large", expected=f"at most {self._size} bytes") from None
        self.protocol = unpickler.protocol
        return found

    def position(self) -> int:
        """Return where the last pickle ends, in bytes."""
        return self._file.tell()

    def skip(self, size: int) -> None:
        """Go on behind `size` bytes that are no pickle."""
        self._file.seek(size, 1)


def _find_records(view: memoryview, keys: object, position: int, storages: LegacyStorages) -> None:
    if type(keys) is not list:
        raise Malformed("a legacy checkpoint has no list of storages", offset=position)
    source = Plain(view)
    for key in keys:
        name = text(key)
        if name is None or name in storages.records:
            raise Malformed("the list of storages has a strange key", offset=position)
        record = read_record(view, position, storages.size_of(name), f"storage {name}", source)
        storages.records[name] = record
        position += COUNT_SIZE + record.size


def read_record(view: memoryview, position: int, size: int, name: str, source: Plain) -> Record:
    """Return the record of a storage that starts, with the count of its elements, at `position`.

    size: bytes of an element.
    """
    if position + COUNT_SIZE > len(view):
        raise Truncated("the file ends before a storage", f"record {name}", offset=position)
    (count,) = struct.unpack_from(COUNT, view, position)
    nbytes, left = count * size, len(view) - position - COUNT_SIZE
    if count < 0:
        raise Malformed("a storage's size is negative", f"record {name}", offset=position, found=count)
    if nbytes > left:
        raise Truncated(
            "the file ends in a storage",
            f"record {name}",
            offset=position,
            expected=f"{nbytes} bytes",
            found=left,
        )
    return Record(name, position + COUNT_SIZE, count * size, source)
