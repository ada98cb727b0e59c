"""What things take of MicroPython's heap, by the size of its machine word.

The figures follow from MicroPython's structures and were fitted to gc.mem_alloc() of the 64-bit and the
32-bit build; tests measure them again.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from burnpack.module import Module, Param, walk
from burnpack.tensor import Tensor


@dataclass(frozen=True)
class Heap:
    """The costs on one kind of interpreter, in bytes.

    block: what the heap is given out in. code, native: for each byte of .mpy, of bytecode or of native code,
    with every module imported. param, module: a parameter and a module of a model. view: a slice of memory,
    or the head of a buffer.
    number: an integer that is too large for a word. index, entry: an opened container, and each tensor in it.
    stream: more for one that is a file. value: what flows between layers, besides its numbers. running: what
    the code of a forward pass keeps.
    quantized, step: a quantized model, and each step in it. plan, planned_step: the same of its plan.
    float_plan, float_step: the plan of a model in floats, and each layer in it.
    call, parameter, state: what a layer's kernels are called with, see `Bound`.
    """

    block: int
    code: float
    native: float
    param: int
    module: int
    view: int
    number: int
    number_from: int
    index: int
    entry: int
    stream: int
    value: int
    running: int
    quantized: int
    step: int
    plan: int
    planned_step: int
    float_plan: int
    float_step: int
    call: int
    parameter: int
    state: int

    def rounded(self, size: int) -> int:
        """Return what `size` bytes in one piece take."""
        return -(-size // self.block) * self.block


@dataclass(frozen=True)
class Bound:
    """What the kernels of a layer are called with: in how many calls, how many parameters and states.

    states: of recurrent layers, one for each row and direction.
    """

    calls: int
    parameters: int
    states: int


WORD_64 = Heap(
    block=32,
    code=2.45,
    native=0.15,  # the machine code itself lies elsewhere
    param=160,
    module=60,
    view=32,
    number=64,
    number_from=1 << 62,
    index=640,
    entry=8,
    stream=64,
    value=96,
    running=440,
    quantized=672,
    step=136,
    plan=320,
    planned_step=76,
    float_plan=590,
    float_step=180,
    call=200,
    parameter=85,
    state=820,
)
WORD_32 = Heap(
    block=16,
    code=1.66,
    native=1.2,
    param=88,
    module=32,
    view=16,
    number=32,
    number_from=1 << 30,
    index=384,
    entry=6,
    stream=64,
    value=48,
    running=220,
    quantized=336,
    step=68,
    plan=320,
    planned_step=38,
    float_plan=555,
    float_step=95,
    call=100,
    parameter=40,
    state=550,
)


def of_code(heap: Heap, bytecode: int, native: int) -> int:
    """Return what the imported runtime takes, by the bytes of its .mpy files."""
    return round(bytecode * heap.code + native * heap.native)


def of_model(heap: Heap, model: Module) -> int:
    """Return what a model takes before anything is loaded into it."""
    params = sum(1 for _ in walk(model))
    return params * heap.param + len(list(modules_of(model))) * heap.module


def of_index(heap: Heap, count: int, metadata: int, in_file: bool) -> int:
    """Return what an opened container with `count` tensors takes; from a file, its metadata are copied."""
    copied = heap.stream + heap.rounded(metadata) if in_file else 0
    return heap.index + count * heap.entry + copied


def of_parameters(heap: Heap, tensors: Iterable[Tensor], in_file: bool) -> int:
    """Return what the loaded parameters take: a view each, or, from a file, their bytes."""
    total = 0
    for tensor in tensors:
        total += heap.view
        if in_file:
            total += heap.rounded(tensor.nbytes)
        if tensor.param_id is not None and tensor.param_id >= heap.number_from:
            total += heap.number
    return total


def of_values(heap: Heap, sizes: Iterable[int], bound: Bound) -> int:
    """Return what values whose numbers take these bytes take, while a layer of a forward pass runs."""
    values = sum(heap.value + heap.rounded(size) for size in sizes)
    return heap.running + of_bound(heap, bound) + values


def of_bound(heap: Heap, bound: Bound) -> int:
    """Return what it takes to call kernels with it."""
    return bound.calls * heap.call + bound.parameters * heap.parameter + bound.states * heap.state


def of_plan(heap: Heap, steps: int, arena: int) -> int:
    """Return what the plan of a model in floats takes, with its arena."""
    return heap.float_plan + steps * heap.float_step + heap.rounded(arena)


def modules_of(model: Module) -> Iterable[tuple[str, Module]]:
    """Yield (path, module) of a model and of all that is in it, those without parameters included."""
    pending: list[tuple[str, object]] = [("", model)]
    seen: set[int] = set()
    while pending:
        path, item = pending.pop()
        if id(item) in seen or isinstance(item, Param):
            continue
        if isinstance(item, Module):
            seen.add(id(item))
            yield path, item
            inner = [*item.children(), *vars(item).items()]  # what is private has no other name
        elif isinstance(item, list | tuple):
            inner = [(str(place), part) for place, part in enumerate(item)]
        else:
            continue
        pending += [(f"{path}.{name}" if path else name, part) for name, part in reversed(inner)]
