"""A forward pass, watched: which values are alive together when a layer's output is made."""

import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from burnpack.dtype import count
from burnpack.module import Module
from burnrt import tensor, value
from burnrt.selftest import values
from burnrt.value import Value
from burnstore.fit.heap import modules_of
from burnstore.fit.held import Held
from burnstore.running import check_count, told_of

FLOAT = 4  # bytes of a number in a value on every board


@dataclass(frozen=True)
class Step:
    """A layer that makes a value, and perhaps others to work in.

    shape: of the value. live: bytes of each value's numbers alive then, when they were most.
    size: bytes of the largest that was made.
    """

    path: str
    kind: str
    shape: tuple[int, ...]
    live: tuple[int, ...]
    size: int


def steps(model: Module, *shapes: Sequence[int]) -> list[Step]:
    """Run the loaded model once on zeros of these shapes and return what each layer made, in order.

    Counted as alive is what MicroPython can't free at that moment. Raises `BurnpackError` where the
    model does not take the inputs, or answers with anything but values.
    """
    check_count(model, len(shapes))
    watch = _Watch(model)
    given = [tensor(np.zeros(shape, np.float32)) for shape in shapes]
    for each in given:
        watch.add(each)
    with _watching(watch), told_of(model):
        values(model(*given))
    return watch.steps


class _Watch:
    """The values alive, and the layer at work."""

    def __init__(self, model: Module) -> None:
        self.steps: list[Step] = []
        self.held = Held()
        self._paths = {id(module): path for path, module in modules_of(model)}
        self._live: dict[int, int] = {}
        self._made = 0
        self._working: list[tuple[int, Module]] = []  # the number of a call, and whose it is
        self._calls = 0
        self._stepped: int | None = None  # the call that has made the last step

    def add(self, value: Value) -> None:
        """Count a value as long as its numbers live, whoever holds them."""
        self._made += 1
        self._live[self._made] = count(value.shape) * FLOAT
        weakref.finalize(value.data, self._live.pop, self._made)

    def made(self, value: Value) -> None:
        """Note that the layer at work has made its output, or what it needs besides."""
        self.add(value)
        live = tuple(self._live.values())
        call, worker = self._working[-1] if self._working else (0, None)
        if self._stepped == call:  # what it works in
            last = self.steps[-1]
            most = max(last.live, live, key=sum)
            self.steps[-1] = replace(last, live=most, size=max(last.size, live[-1]))
        else:
            path = self._paths.get(id(worker), "")
            self.steps.append(Step(path, type(worker).__name__, value.shape, live, live[-1]))
        self._stepped = call

    @contextmanager
    def working(self, layer: Module) -> Iterator[None]:
        """Take what is made within for the layer's."""
        self._calls += 1
        self._working.append((self._calls, layer))
        try:
            yield
        finally:
            self._working.pop()


@contextmanager
def _watching(watch: _Watch) -> Iterator[None]:
    """Let the layers tell the watch what they make."""
    allocate, call = value.allocate, Module.__call__

    def watched_allocate(shape: Sequence[int]) -> Value:
        watch.held.let_go()
        made = allocate(shape)
        watch.made(made)
        return made

    def watched_call(self: Module, *inputs: Any, **named: Any) -> Any:
        with watch.working(self):
            answer = call(self, *inputs, **named)
        values = answer if isinstance(answer, tuple) else (answer,)
        watch.held.hold([value.data for value in values if isinstance(value, Value)])
        return answer

    value.allocate, Module.__call__ = watched_allocate, watched_call  # type: ignore[method-assign]
    try:
        yield
    finally:
        value.allocate, Module.__call__ = allocate, call  # type: ignore[method-assign]
