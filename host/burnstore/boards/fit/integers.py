"""What a quantized model takes while it runs."""

from collections.abc import Iterator

from burnpack.reader import Reader
from burnrt import int8
from burnrt.allocation import WORD
from burnstore.boards.fit.heap import Heap
from burnstore.boards.fit.report import Loaded, Running


def running(heap: Heap, reader: Reader) -> Running:
    """Return what a model made by `burnstore quantize` takes; raises `BurnpackError` for a wrong one."""
    model = int8.Model(reader)
    steps = len(model.steps)
    arena = model.plan().size
    pieces = [heap.rounded(size) for size in _read(model, reader)]
    in_flash = heap.quantized + steps * heap.step + len(pieces) * heap.view
    in_file = in_flash + sum(pieces) + len(pieces) * heap.view
    plan = heap.plan + steps * heap.planned_step + heap.rounded(arena)
    return Running(Loaded(in_flash), Loaded(in_file, max(pieces)), [], plan, heap.rounded(arena), arena)


def _read(model: int8.Model, reader: Reader) -> Iterator[int]:
    """Yield the bytes of each buffer that is made where the file is not in memory."""
    yield reader.tensor("int8.program").nbytes
    for _, weight, constants, words in model.steps:
        if weight is not words:
            yield len(weight)
        if constants is not words:
            yield len(constants) * WORD
