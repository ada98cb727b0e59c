"""A forward pass, followed without numbers: which values are alive when a layer makes its output."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from typing import Any, TypeAlias

from burnpack.dtype import count
from burnpack.module import Module, walk
from burnrt import kernels
from burnrt.nn.recurrent import State
from burnrt.trace import Graph, Traced, trace
from burnrt.trace import Step as Call
from burnrt.value import Value
from burnstore.boards.fit.heap import Bound, modules_of
from burnstore.models.running import check_count, told_of

_Buffer: TypeAlias = "array[float]"

FLOAT = 4  # bytes of a number in a value on every board


@dataclass(frozen=True)
class Step:
    """A layer that makes a value.

    shape: of the value. least: bytes of each buffer that is there while the layer works, where each value is
    let go after the last layer that takes it. most: the same where none is let go before the pass is over.
    size: bytes of the largest that it makes. bound: what its kernels are called with.
    """

    path: str
    kind: str
    shape: tuple[int, ...]
    least: tuple[int, ...]
    most: tuple[int, ...]
    size: int
    bound: Bound


@dataclass(frozen=True)
class Pass:
    """A forward pass. kept: bytes of each buffer that its plan keeps besides the arena."""

    steps: list[Step]
    kept: tuple[int, ...]

    @property
    def bound(self) -> Bound:
        """What the kernels of all layers are called with."""
        return Bound(*map(sum, zip(*(astuple(step.bound) for step in self.steps), strict=True)))


def follow(model: Module, *shapes: Sequence[int]) -> Pass:
    """Follow the loaded model on inputs of these shapes and return what is in memory, step by step.

    Raises `Unsupported` where the pass can't be followed, as it reads numbers, and `BurnpackError` where the
    model does not take the inputs.
    """
    check_count(model, len(shapes))
    with told_of(model), _kernels_of_a_board():
        graph = trace(model, *map(tuple, shapes))
        return Pass(list(_steps(graph)), tuple(_bytes(_kept_by_plan(graph))))


def _steps(graph: Graph) -> Iterator[Step]:
    sizes = [size * FLOAT for size in graph.sizes]
    births, deaths = _lives(graph)
    endless = [len(graph.steps)] * len(sizes)
    kept: list[_Buffer] = []  # by layers that were at work before
    for time, call in enumerate(graph.steps):
        bound, buffers = _bound(call, frozenset())
        besides = _bytes([*kept, *buffers])
        least = (*_alive(time, sizes, births, deaths), *besides)
        most = (*_alive(time, sizes, births, endless), *besides)
        made = max([sizes[value.number] for value in call.outputs] + _bytes(buffers))
        yield Step(call.name, type(call.layer).__name__, call.output.shape, least, most, made, bound)
        kept += _buffers([vars(module) for _, module in modules_of(call.layer)])


def _lives(graph: Graph) -> tuple[list[int], list[int]]:
    """Return in which step each value is made, and in which it is needed last. Callers keep inputs."""
    births, deaths = [0] * len(graph.sizes), [len(graph.steps)] * len(graph.sizes)
    made = set()
    for time, call in enumerate(graph.steps):
        for value in call.outputs:
            births[value.number] = deaths[value.number] = time
            made.add(value.number)
        for value in call.inputs:
            if value.number in made:
                deaths[value.number] = time
    for value in graph.outputs:
        deaths[value.number] = len(graph.steps)
    return births, deaths


def _alive(time: int, sizes: list[int], births: list[int], deaths: list[int]) -> list[int]:
    """Return the sizes of the values that are there in this step."""
    lives = zip(sizes, births, deaths, strict=True)
    return [size for size, birth, death in lives if birth <= time <= death]


def _kept_by_plan(graph: Graph) -> list[_Buffer]:
    """Return the buffers that a plan's calls work in, besides its arena."""
    unread = frozenset(graph.unread())
    return [buffer for call in graph.steps for buffer in _bound(call, unread)[1]]


def _bound(call: Call, unread: frozenset[int]) -> tuple[Bound, list[_Buffer]]:
    """Return what a layer's kernels are called with, and the buffers among it, its values aside.

    unread: the values that nobody needs.
    """
    values = [None if each.number in unread else _value(each) for each in (*call.inputs, *call.outputs)]
    own = {id(value.data) for value in values if value is not None}
    bind: Callable[..., list[tuple[Any, tuple[Any, ...]]]] = call.layer.bind
    calls = bind(*values)
    arguments = [each for _, given in calls for each in given]
    bound = Bound(len(calls), sum(1 for _ in walk(call.layer)), _states(arguments))
    return bound, [buffer for buffer in _buffers(arguments) if id(buffer) not in own]


def _states(item: object) -> int:
    """Return how many states of recurrent layers there are among arguments."""
    if isinstance(item, list | tuple):
        return sum(map(_states, item))
    return int(isinstance(item, State))


def _value(traced: Traced) -> Value:
    return Value(kernels.buffer(count(traced.shape)), traced.shape)


def _buffers(item: object) -> Iterator[_Buffer]:
    """Yield the buffers of numbers that something holds, whichever way; parameters are none."""
    if isinstance(item, array):
        yield item
    elif isinstance(item, memoryview):
        yield from _buffers(item.obj)
    elif isinstance(item, Value | State):
        yield from _buffers(vars(item))
    elif isinstance(item, list | tuple | dict):
        for part in item.values() if isinstance(item, dict) else item:
            yield from _buffers(part)


def _bytes(buffers: Iterable[_Buffer]) -> list[int]:
    """Return the size of each of these buffers; of one that is there twice, once."""
    return [len(buffer) * FLOAT for buffer in {id(buffer): buffer for buffer in buffers}.values()]


@contextmanager
def _kernels_of_a_board() -> Iterator[None]:
    """Let buffers be arrays, as on a board, and parameters be none."""
    kernels.use("plain")
    try:
        yield
    finally:
        kernels.use()
