"""What a model takes on a board, whether that is there, and what would make it fit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from burnpack.module import Module
from burnpack.tensor import Tensor
from burnstore.container import Container
from burnstore.fit import heap as costs
from burnstore.fit.forward import Step
from burnstore.fit.heap import Heap

_GOLDEN = "selftest."  # tensors of the self-test are not loaded


@dataclass(frozen=True)
class Room:
    """What a board has for a model, in bytes. block: the most that its heap gives in one piece."""

    flash: int
    heap: int
    block: int


@dataclass(frozen=True)
class Layer:
    """A layer that makes a value: the heap in use then, besides that of the loaded model, and its output."""

    path: str
    kind: str
    shape: tuple[int, ...]
    heap: int
    block: int


@dataclass(frozen=True)
class Road:
    """A road for the weights: "flash", where they are read in place, or "file", from which they are loaded.

    flash: the blob's bytes and the runtime's. code: heap of the runtime, not frozen. load: of the loaded
    model besides. peak: of a forward pass besides, None where it is not known. block: the largest piece.
    """

    name: str
    flash: int
    code: int
    load: int
    peak: int | None
    block: int
    fits: bool
    advice: list[str] = field(default_factory=list)

    @property
    def heap(self) -> int:
        """The most heap in use at a time, as far as it is known."""
        return self.code + self.load + (self.peak or 0)


@dataclass(frozen=True)
class Report:
    """The figures of a model on a board with this room. layers: in the order in which they run."""

    room: Room
    blob: int
    runtime: int
    roads: list[Road]
    layers: list[Layer]

    @property
    def fits(self) -> bool:
        """Whether there is a road on which the model fits."""
        return any(road.fits for road in self.roads)


def report(
    reader: Container,
    size: int,
    metadata: int,
    runtime: int,
    model: Module | None,
    steps: Sequence[Step],
    room: Room,
    heap: Heap,
) -> Report:
    """Return the figures. size, metadata, runtime: bytes of the .bpk, of its metadata, of the runtime.

    model, steps: the model's, where its class and an input are known.
    """
    layers = [
        Layer(step.path, step.kind, step.shape, costs.of_values(heap, step.live), heap.rounded(step.size))
        for step in steps
    ]
    roads = [
        _road(name, reader, size, metadata, runtime, model, layers, room, heap) for name in ("flash", "file")
    ]
    return Report(room, size, runtime, roads, layers)


def _road(
    name: str,
    reader: Container,
    size: int,
    metadata: int,
    runtime: int,
    model: Module | None,
    layers: list[Layer],
    room: Room,
    heap: Heap,
) -> Road:
    own = [tensor for tensor in reader if not tensor.name.startswith(_GOLDEN)]
    in_file = name == "file"
    flash, code = size + runtime, round(runtime * heap.code)
    load = _of_model(heap, own, model)
    load += costs.of_index(heap, len(reader), metadata, in_file) + costs.of_parameters(heap, own, in_file)
    peak = max((layer.heap for layer in layers), default=None)
    block = max(
        [layer.block for layer in layers] + [heap.rounded(item.nbytes) for item in own if in_file] + [0]
    )
    used = code + load + (peak or 0)
    fits = flash <= room.flash and used <= room.heap and block <= room.block
    advice = [] if fits else list(_advice(name, own, flash, code, used, block, layers, room))
    return Road(name, flash, code, load, peak, block, fits, advice)


def _of_model(heap: Heap, own: list[Tensor], model: Module | None) -> int:
    if model is not None:
        return costs.of_model(heap, model)
    modules = {tensor.name.rpartition(".")[0] for tensor in own}
    return len(own) * heap.param + len(modules) * heap.module


def _advice(
    name: str,
    own: list[Tensor],
    flash: int,
    code: int,
    used: int,
    block: int,
    layers: list[Layer],
    room: Room,
) -> Iterable[str]:
    """Yield what would help, each with what it is about."""
    halved = sum(tensor.nbytes for tensor in own if tensor.dtype == "F32") // 2
    if flash > room.flash:
        yield f"{flash - room.flash:,} bytes of flash are missing"
        if halved:
            yield f"`burnstore convert --half` saves up to {halved:,} bytes of the weights"
    if used > room.heap:
        yield f"{used - room.heap:,} bytes of heap are missing"
        yield f"a frozen runtime (`burnstore freeze`) leaves most of its {code:,} bytes in flash"
    if name == "file" and (used > room.heap or block > room.block):
        weights = sum(tensor.nbytes for tensor in own)
        yield f"in flash (`burnstore freeze`, or a ROM partition) {weights:,} bytes of weights take no heap"
    if block > room.block:
        yield f"the largest piece has {block:,} bytes, and the heap gives {room.block:,} at most"
    if layers and (used > room.heap or block > room.block):
        most = max(layers, key=lambda layer: layer.heap)
        yield (
            f"the most is alive at {most.path or most.kind}: a smaller input helps, "
            "and one call a statement: nested calls keep each other's answers"
        )
