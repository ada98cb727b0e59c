"""What a model takes on a board, whether that is there, and what would make it fit."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from burnpack.dtype import FLOAT, kind
from burnpack.tensor import Tensor
from burnrt.kernels.plain.memory import weights
from burnstore.boards.fit import heap as costs
from burnstore.boards.fit.heap import Heap
from burnstore.io.container import Container

# How a forward pass is run: as it is written, whichever way; by its plan; or written so that each call is a
# statement of its own.
WAYS = ("any", "planned", "apart")

_WRITTEN = {
    "planned": "that is planned: `model.plan(shape)`",
    "apart": "with one call a statement: nested calls keep each other's answers",
}

_GOLDEN = "selftest."  # tensors of the self-test are not loaded


@dataclass(frozen=True)
class Sizes:
    """Bytes of flash: of the model's file, of the metadata in it, of the runtime's files.

    bytecode, native: of the .mpy files with bytecode, and with native code.
    """

    blob: int
    metadata: int
    bytecode: int
    native: int = 0

    @property
    def runtime(self) -> int:
        """Bytes of the runtime's files."""
        return self.bytecode + self.native


@dataclass(frozen=True)
class Capacity:
    """What a board has for a model, in bytes. block: the most that its heap gives in one piece."""

    flash: int
    heap: int
    block: int


@dataclass(frozen=True)
class Layer:
    """A layer that makes a value of this shape: the heap in use then, besides that of the loaded model.

    least: where each value is let go after the last layer that takes it, as where each call is a statement of
    its own. most: where none is let go before the pass is over, as by calls within calls. block: the largest
    piece that the layer makes.
    """

    path: str
    kind: str
    shape: tuple[int, ...]
    least: int
    most: int
    block: int


@dataclass(frozen=True)
class Loaded:
    """A loaded model on the heap, its container aside, and the largest piece of that."""

    heap: int
    block: int = 0


@dataclass(frozen=True)
class Running:
    """What a model takes of the heap.

    flash, file: when it is loaded on either storage. layers: in the order in which they run. peak: the most
    besides while it runs, however its forward pass is written, None where that is not known. block: the
    largest piece of that. arena: bytes of its plan's, where there can be one. planned: the most besides while
    it runs by a plan. unknown: why the pass can't be foretold.
    """

    flash: Loaded
    file: Loaded
    layers: list[Layer] = field(default_factory=list)
    peak: int | None = None
    block: int = 0
    arena: int | None = None
    planned: int | None = None
    unknown: str | None = None

    @property
    def least(self) -> int | None:
        """The most besides where each value is let go as soon as it can be; None where that is not known."""
        return max((layer.least for layer in self.layers), default=None)


@dataclass(frozen=True)
class Storage:
    """Where the weights are: "flash", where they are read in place, or "file", from which they are loaded.

    flash: the blob's bytes and the runtime's. code: heap of the runtime, not frozen. load: of the loaded
    model besides. peak: of a forward pass besides, None where it is not known. block: the largest piece.
    way: the pass that `peak` and `block` are of, one of `WAYS`.
    """

    name: str
    flash: int
    code: int
    load: int
    peak: int | None
    block: int
    fits: bool
    advice: list[str] = field(default_factory=list)
    way: str = "any"

    @property
    def heap(self) -> int:
        """The most heap in use at a time, as far as it is known."""
        return self.code + self.load + (self.peak or 0)


@dataclass(frozen=True)
class Report:
    """The figures of a model on a board with this capacity.

    layers, arena, planned, unknown: as in `Running`. unread: the tensors, with their dtypes, that no kernel
    of a board reads.
    """

    capacity: Capacity
    sizes: Sizes
    storages: list[Storage]
    layers: list[Layer]
    arena: int | None
    unread: list[str]
    planned: int | None = None
    unknown: str | None = None

    @property
    def fits(self) -> bool:
        """Whether there is a storage on which the model fits, and kernels for it."""
        return any(storage.fits for storage in self.storages) and not self.unread


def report(
    reader: Container,
    sizes: Sizes,
    running: Running,
    capacity: Capacity,
    heap: Heap,
    unread: Iterable[str] = (),
) -> Report:
    """Return the figures."""
    storages = [_best_storage(name, reader, sizes, running, capacity, heap) for name in ("flash", "file")]
    facts = (list(unread), running.planned, running.unknown)
    return Report(capacity, sizes, storages, running.layers, running.arena, *facts)


def unread(reader: Container) -> list[str]:
    """Return the tensors of a float model that no kernel of a board reads, as "name (dtype)"."""
    found = [tensor for tensor in own_tensors(reader) if kind(tensor.dtype) == FLOAT]
    return [f"{tensor.name} ({tensor.dtype})" for tensor in found if weights(b"", tensor.dtype, 0) is None]


def own_tensors(reader: Container) -> list[Tensor]:
    """Return the tensors that are loaded."""
    return [tensor for tensor in reader if not tensor.name.startswith(_GOLDEN)]


def _best_storage(
    name: str, reader: Container, sizes: Sizes, running: Running, capacity: Capacity, heap: Heap
) -> Storage:
    """Return a storage with the first of the `WAYS` to run the model that fits, or what takes least."""
    ways = {"any": running}
    if running.planned is not None and running.arena is not None:
        ways["planned"] = replace(running, peak=running.planned, block=heap.rounded(running.arena))
    if running.layers:
        ways["apart"] = replace(running, peak=running.least)
    found = [_storage(name, way, reader, sizes, each, capacity, heap) for way, each in ways.items()]
    return next((storage for storage in found if storage.fits), min(found, key=lambda storage: storage.heap))


def _storage(
    name: str, way: str, reader: Container, sizes: Sizes, running: Running, capacity: Capacity, heap: Heap
) -> Storage:
    loaded = {"flash": running.flash, "file": running.file}[name]
    flash = sizes.blob + sizes.runtime
    code = costs.of_code(heap, sizes.bytecode, sizes.native)
    load = loaded.heap + costs.of_index(heap, len(reader), sizes.metadata, name == "file")
    block = max(running.block, loaded.block)
    storage = Storage(name, flash, code, load, running.peak, block, True, way=way)
    advice = list(_advice(storage, own_tensors(reader), running, capacity))
    return replace(storage, fits=not advice, advice=advice)


def _advice(storage: Storage, own: list[Tensor], running: Running, capacity: Capacity) -> Iterable[str]:
    """Yield what is missing and what would help; nothing where the model fits."""
    if storage.flash > capacity.flash:
        yield from _of_flash(storage.flash - capacity.flash, own)
    if storage.heap > capacity.heap:
        yield f"{storage.heap - capacity.heap:,} bytes of heap are missing"
        yield f"a frozen runtime (`burnstore freeze`) leaves most of its {storage.code:,} bytes in flash"
    if storage.heap <= capacity.heap and storage.block <= capacity.block:
        return
    if storage.name == "file":
        weights = sum(tensor.nbytes for tensor in own)
        yield f"in flash (`burnstore freeze`, or a ROM partition) {weights:,} bytes of weights take no heap"
    if storage.block > capacity.block:
        yield f"the largest piece has {storage.block:,} bytes, and the heap gives {capacity.block:,} at most"
    yield from _of_running(storage, running, capacity)


def _of_flash(missing: int, own: list[Tensor]) -> Iterable[str]:
    halved = sum(tensor.nbytes for tensor in own if tensor.dtype == "F32") // 2
    yield f"{missing:,} bytes of flash are missing"
    if halved:
        yield f"`burnstore convert --half` saves up to {halved:,} bytes of the weights"
        yield f"`burnstore quantize` saves about {halved // 2 * 3:,} bytes of them"


def _of_running(storage: Storage, running: Running, capacity: Capacity) -> Iterable[str]:
    if not running.layers:
        return
    yield "`burnstore quantize` makes a model that takes less, where its layers run in integers"
    most = max(running.layers, key=lambda layer: layer.least)
    if storage.code + storage.load < capacity.heap:  # or no input is small enough
        yield f"the most is needed at {most.path or most.kind}: a smaller input helps"
    if storage.way in _WRITTEN:
        yield f"this is what a pass takes {_WRITTEN[storage.way]}"
