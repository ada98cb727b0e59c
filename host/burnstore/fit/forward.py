"""A forward pass, watched: which values are alive together when a layer's output is made."""

import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from burnpack.dtype import count
from burnpack.errors import InvalidTensor
from burnpack.module import Module
from burnrt import tensor, value
from burnrt.value import Value
from burnstore.fit.heap import modules_of
from burnstore.fit.held import Held

FLOAT = 4  # bytes of a number in a value on every board


@dataclass(frozen=True)
class Step:
    """A layer that makes a value. live: bytes of each value's numbers alive then, its own the last."""

    path: str
    kind: str
    shape: tuple[int, ...]
    live: tuple[int, ...]

    @property
    def size(self) -> int:
        """The bytes of the layer's output."""
        return self.live[-1]


def steps(model: Module, shape: Sequence[int]) -> list[Step]:
    """Run the loaded model once on zeros of this shape and return what each layer made, in order.

    Counted as alive is what MicroPython can't free at that moment. Raises `BurnpackError` where the
    model does not take the input.
    """
    watch = _Watch(model)
    given = tensor([0.0] * count(shape), shape)
    watch.add(given)
    with _watching(watch):
        answer = model(given)
    if not isinstance(answer, Value):
        raise InvalidTensor("the model's answer is no value", type(model).__name__)
    return watch.steps


class _Watch:
    """The values alive, and the layer at work."""

    def __init__(self, model: Module) -> None:
        self.steps: list[Step] = []
        self.working: list[Module] = []
        self.held = Held()
        self._paths = {id(module): path for path, module in modules_of(model)}
        self._live: dict[int, int] = {}
        self._made = 0

    def add(self, value: Value) -> None:
        """Count a value as long as its numbers live, whoever holds them."""
        self._made += 1
        self._live[self._made] = count(value.shape) * FLOAT
        weakref.finalize(value.data, self._live.pop, self._made)

    def made(self, value: Value) -> None:
        """Note that the layer at work has made its output."""
        self.add(value)
        worker = self.working[-1] if self.working else None
        path = self._paths.get(id(worker), "")
        self.steps.append(Step(path, type(worker).__name__, value.shape, tuple(self._live.values())))


@contextmanager
def _watching(watch: _Watch) -> Iterator[None]:
    """Let the layers tell the watch what they make."""
    allocate, call = value.allocate, Module.__call__

    def watched_allocate(shape: Sequence[int]) -> Value:
        watch.held.let_go()
        made = allocate(shape)
        watch.made(made)
        return made

    def watched_call(self: Module, *inputs: Any) -> Any:
        watch.working.append(self)
        try:
            answer = call(self, *inputs)
        finally:
            watch.working.pop()
        watch.held.hold(getattr(answer, "data", None))
        return answer

    value.allocate, Module.__call__ = watched_allocate, watched_call  # type: ignore[method-assign]
    try:
        yield
    finally:
        value.allocate, Module.__call__ = allocate, call  # type: ignore[method-assign]
