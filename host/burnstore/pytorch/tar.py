"""The container of PyTorch before 0.1.10: a tar archive of four members.

    sys_info   a pickle with facts about the system that wrote it
    storages   a pickle with their number; for each a pickle (key, location, class), the number of its
               elements in 8 bytes, and the elements; then a pickle with a list of parts of storages,
               (key, key of the whole, offset, number of elements)
    tensors    a pickle with their number; for each a pickle (key, key of the storage, class), the number
               of dimensions in 4 bytes, 4 bytes of nothing, extents, strides, offset, each in 8 bytes
    pickle     the object; a persistent id is the key of a tensor or storage, or (class, path, source)

All numbers are little-endian.
"""

import struct
import tarfile
from typing import cast

from burnpack.errors import BurnpackError, DuplicateName, LimitExceeded, Malformed, Truncated
from burnpack.limits import Limits
from burnstore.pytorch.budget import Budget
from burnstore.pytorch.checkpoint import Checkpoint, facts
from burnstore.pytorch.legacy import Pickles, read_record
from burnstore.pytorch.rebuild import RANK_MOST, TensorView
from burnstore.pytorch.storage import SIZES_STORED, Plain, Record, Storage, Storages, describe, shown
from burnstore.pytorch.viewfile import ViewFile

MEMBERS = ("sys_info", "storages", "tensors", "pickle")
MEMBERS_MOST = 64  # more than anyone packs beside these
HEADER_MOST = 1 << 20  # bytes that are read at once for a member's header
KEY_MOST = 1 << 64  # an address, once
RANK_SIZE = 8  # 4 bytes, and 4 of nothing
NUMBER_SIZE = 8


class TarStorages(Storages):
    """The storages and tensors of a tar container, by the numbers that its pickle knows them under."""

    def __init__(self, view: memoryview, limits: Limits) -> None:
        super().__init__(self._record, limits.tensors)
        self._limits = limits
        self.budget = Budget(limits)
        self._records: dict[str, Record] = {}
        self._objects: dict[int, Storage | TensorView] = {}
        self._source = Plain(view)
        self._view = view

    def load(self, persistent_id: object) -> object:  # type: ignore[override]
        """Return what a persistent id describes: a storage, a tensor, or a class."""
        if type(persistent_id) is tuple and len(persistent_id) == 3:
            return persistent_id[0]
        found = self._objects.get(_number(persistent_id))
        if found is None:
            raise Malformed("the pickle refers to a tensor that the file does not hold")
        return found

    def read_storages(self, start: int, size: int) -> None:
        """Read the member `storages`, which takes `size` bytes from `start`."""
        member = self._view[start : start + size]
        pickles = Pickles(member, self._limits.metadata, self, self.budget)
        for _ in range(_count(pickles.next(), self._limits)):
            key, _, storage_class = _fields(pickles.next(), 3)
            name = str(_number(key))
            storage = describe(storage_class, name, 0)
            element = SIZES_STORED[storage.dtype]
            record = read_record(member, pickles.position(), element, f"storage {name}", self._source)
            pickles.skip(NUMBER_SIZE + record.size)
            self._records[name] = Record(record.name, start + (record.start or 0), record.size, self._source)
            self._keep(key, self.add(Storage(name, storage.dtype, record.size)))
        self._read_parts(pickles.next())

    def _read_parts(self, parts: object) -> None:
        for part in parts if type(parts) is list else ():
            key, whole, offset, count = _fields(part, 4)
            base = self._storage(whole)
            if type(offset) is not int or type(count) is not int or offset < 0 or count < 0:
                raise Malformed("a part of a storage has no valid offset and size", f"storage {base.key}")
            size = SIZES_STORED[base.dtype]
            self._keep(key, Storage(base.key, base.dtype, count * size, base, offset * size))

    def read_tensors(self, start: int, size: int) -> None:
        """Read the member `tensors`, which takes `size` bytes from `start`."""
        member = self._view[start : start + size]
        pickles = Pickles(member, self._limits.metadata, self, self.budget)
        for _ in range(_count(pickles.next(), self._limits)):
            key, storage_key, _ = _fields(pickles.next(), 3)
            storage = self._storage(storage_key)
            numbers = _read_numbers(member, pickles.position())
            pickles.skip(RANK_SIZE + NUMBER_SIZE * len(numbers))
            rank = len(numbers) // 2
            view = TensorView(storage, storage.dtype, numbers[-1], numbers[:rank], numbers[rank:-1])
            self._keep(key, view)

    def _keep(self, key: object, item: Storage | TensorView) -> None:
        number = _number(key)
        if number in self._objects:
            raise DuplicateName("two storages or tensors of one number", str(number))
        self._objects[number] = item

    def _storage(self, key: object) -> Storage:
        storage = self._objects.get(_number(key))
        if type(storage) is not Storage:
            raise Malformed("a tensor's storage is not in the file", f"storage {_number(key)}")
        return storage

    def _record(self, key: str) -> Record:
        return self._records[key]


def load_tar(view: memoryview, limits: Limits) -> Checkpoint:
    """Return what is in a tar container."""
    members = read_members(view)
    storages = TarStorages(view, limits)
    storages.read_storages(*members["storages"])
    storages.read_tensors(*members["tensors"])
    start, size = members["pickle"]
    pickles = Pickles(view[start : start + size], limits.metadata, storages, storages.budget)
    root = pickles.next()
    return Checkpoint(root, storages, False, facts("tar", "little", pickles.protocol))


def read_members(view: memoryview) -> dict[str, tuple[int, int]]:
    """Return where the members start and how long they are, in bytes, by name."""
    try:
        with tarfile.open(
            fileobj=cast("tarfile._Fileobj", ViewFile(view, HEADER_MOST)), mode="r:"
        ) as archive:
            members = [archive.next() for _ in range(MEMBERS_MOST)]
    except BurnpackError:
        raise
    except Exception as error:  # tarfile raises more than TarError over damaged headers
        raise Malformed(f"the tar archive is damaged ({error})") from error
    found: dict[str, tuple[int, int]] = {}
    for member in members:
        if member is None or member.name not in MEMBERS or not member.isreg():
            continue
        if member.name in found:
            raise DuplicateName("the archive has two members of one name", member.name)
        if member.offset_data + member.size > len(view):
            raise Truncated(
                "the file ends in a member", member.name, offset=member.offset_data, expected=member.size
            )
        found[member.name] = member.offset_data, member.size
    for name in MEMBERS[1:]:
        if name not in found:
            raise Malformed("the archive has no such member", name)
    return found


def _count(value: object, limits: Limits) -> int:
    if type(value) is not int or value < 0:
        raise Malformed("a tar container does not say how many tensors it holds")
    if value > limits.tensors:
        raise LimitExceeded("too many tensors", expected=f"at most {limits.tensors}", found=shown(value))
    return value


def _fields(value: object, count: int) -> tuple[object, ...]:
    if type(value) is not tuple or len(value) != count:
        raise Malformed(f"a tensor or storage is described by other than {count} values")
    return value


def _number(key: object) -> int:
    if type(key) is str and len(key) < 24 and key.lstrip("-").isdecimal():
        key = int(key)
    if type(key) is not int or not -KEY_MOST < key < KEY_MOST:
        raise Malformed("a tensor's or storage's key is no number", found=shown(key))
    return key


def _read_numbers(member: memoryview, position: int) -> tuple[int, ...]:
    """Return a tensor's extents, strides and offset, in one row."""
    rank = struct.unpack_from("<i", member, position)[0] if position + RANK_SIZE <= len(member) else 0
    position += RANK_SIZE
    count = 2 * rank + 1
    if not 0 <= rank <= RANK_MOST:
        raise Malformed("a tensor has no valid number of dimensions", offset=position, found=rank)
    if position + NUMBER_SIZE * count > len(member):
        raise Truncated("the file ends in a tensor's description", offset=position)
    return struct.unpack_from(f"<{count}q", member, position)
