"""A bare pickle, made by `pickle.dump` of tensors: each storage is a legacy file of its own, as bytes."""

from burnpack.errors import LimitExceeded, Malformed
from burnpack.limits import Limits
from burnstore.pytorch.budget import Budget
from burnstore.pytorch.checkpoint import Checkpoint, facts
from burnstore.pytorch.legacy import LegacyStorages, Pickles, read_stream
from burnstore.pytorch.storage import Record, Slice, Storage, Storages


class BareStorages(Storages):
    """The storages in a bare pickle. They have no keys, so they are numbered."""

    def __init__(self, limits: Limits, budget: Budget) -> None:
        super().__init__(self._record, limits.tensors)
        self._limits = limits
        self._budget = budget
        self._records: dict[str, Record] = {}
        self._read: dict[int, tuple[bytes, Storage]] = {}

    def load(self, persistent_id: object, folder: str = "") -> Storage:
        """Refuse: a bare pickle has nothing to refer to."""
        raise Malformed("a bare pickle refers to storages that it does not hold")

    def unpack(self, arguments: tuple[object, ...]) -> object:
        """torch.storage._load_from_bytes(data): the storage in a legacy file."""
        data = arguments[0] if arguments else None
        if type(data) is not bytes:
            raise Malformed("a packed storage is no bytes", "the pickle", found=type(data).__name__)
        known = self._read.get(id(data))
        if known is None:  # the same bytes may be meant again and again
            known = self._read[id(data)] = data, self._unpack(data)
        return known[1]

    def _unpack(self, data: bytes) -> Storage:
        inner = LegacyStorages(self._limits)
        storage, _ = read_stream(memoryview(data), self._limits, inner, self._budget)
        if type(storage) is not Storage:
            raise Malformed("a packed storage is no storage", "the pickle", found=type(storage).__name__)
        key = str(len(self._records))
        inside = inner.locate(storage)
        self._records[key] = Record(f"storage {key}", None, inside.size, Slice(inside.view()))
        return self.add(Storage(key, storage.dtype, storage.nbytes))

    def _record(self, key: str) -> Record:
        return self._records[key]


def load_pickle(view: memoryview, limits: Limits) -> Checkpoint:
    """Return what is in a bare pickle."""
    most = limits.tensor  # its bytes are those of tensors, and what they cost is in proportion
    if len(view) > most:
        raise LimitExceeded("the pickle is too large", expected=f"at most {most} bytes", found=len(view))
    budget = Budget(limits)
    storages = BareStorages(limits, budget)
    names = {("torch.storage", "_load_from_bytes"): storages.unpack}
    pickles = Pickles(view, most, storages, budget, names)
    root = pickles.next()
    if pickles.position() != len(view):
        end = pickles.position()
        raise Malformed(
            "there is something behind the pickle", offset=end, expected=end, found=f"{len(view)} bytes"
        )
    return Checkpoint(root, storages, False, facts("pickle", "little", pickles.protocol))
