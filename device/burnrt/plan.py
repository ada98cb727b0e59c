"""A forward pass, planned: one arena for all values, and calls that are ready to be made.

plan = model.plan((1, 1, 28, 28))
print(plan.size)  # bytes of the arena, before there is one
answer = plan(pixels)
"""

from array import array

from burnpack.dtype import count
from burnpack.module import walk
from burnrt import kernels
from burnrt.allocation import WORD, check_arena, claim
from burnrt.arena import place
from burnrt.calls import caller
from burnrt.trace import each, trace
from burnrt.value import Value, flat

if False:  # for type checkers
    from collections.abc import Callable, Sequence
    from typing import Any

    from burnpack.module import Module
    from burnpack.types import Shape
    from burnrt.trace import Graph, Traced


class Plan:
    """What it takes to run a model of floats on inputs of one shape: one arena, and calls that are ready.

    model: the model, whose parameters are loaded.
    shape: the input's, the batch first.
    arena: the caller's own buffer, of floats, as `burnrt.kernels.buffer(size // 4)` or `array("f")` makes
        one; it is kept. Several plans may share it as long as no two are in use.
    size: bytes of the arena.

    Nothing of it is allocated before the plan is used for the first time; then the arena is made and each
    layer is bound to its places in it, with the parameters and the kernels that are there at that moment.
    From then on a run allocates nothing but what kernels and the interpreter's floats take.

    Raises `Unsupported` where the pass can't be followed, `InvalidTensor` for an arena that is too small.
    """

    size: int

    _rows: "list[tuple[str, Shape, Any]]"
    _unbound: "tuple[Graph, list[int | None], Any]"
    _calls: "list[tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...]]] | None"
    _input: "Value"
    _output: "Any"
    _parameters: "list[Any]"

    def __init__(self, model: "Module", shape: "Sequence[int]", arena: "Any" = None) -> None:
        graph = trace(model, shape)
        offsets, total = _places(graph)
        self.size = total * WORD
        self._name = type(model).__name__
        self._rows = [("input", graph.input.shape, offsets[0])]
        self._rows += [
            (step.name, value.shape, offsets[value.number])
            for step in graph.steps
            for value in step.outputs
            if offsets[value.number] is not None
        ]
        self._count = len(graph.steps)
        if arena is not None:
            check_arena(arena, self.size, array("f", [0.0]), self._name)
        self._unbound = (graph, offsets, arena)
        self._calls = self._input = self._output = self._parameters = None  # type: ignore[assignment] # yet

    @property
    def input(self) -> "Value":
        """The `Value` to write the input into, before each run: a run may put other numbers in its place."""
        self.prepare()
        return self._input

    @property
    def output(self) -> "Any":
        """The `Value` that holds the answer after a run, until the next; of several a tuple, as answered."""
        self.prepare()
        return self._output

    def prepare(self) -> None:
        """Allocate the arena and bind the layers, unless that is done.

        Raises `LimitExceeded` where memory does not hold them, and what a layer raises that can't run.
        """
        if self._calls is None:
            bound = claim(self._bound, self.size, self._name)
            self._calls, self._input, self._output, self._parameters = bound
            self._unbound = None  # type: ignore[assignment] # not needed again

    def run(self) -> None:
        """Compute the output from the input."""
        if self._calls is None:
            self.prepare()
        for call, kernel, arguments in self._calls:  # type: ignore[union-attr] # there are some now
            call(kernel, arguments, None, None)

    def __call__(self, values: "Any") -> "Any":
        """Return the answer to an input as a new `Value`, or as a tuple of such as the model answers.

        values: the input's numbers in row-major order, or a `Value` or numpy array of them.
        """
        target = self.input.data
        numbers = flat(values, self._input.shape)
        for index in range(len(target)):
            target[index] = numbers[index]
        self.run()
        return each(self._output, _copy)

    def _bound(self) -> "tuple[list[Any], Value, Any, list[Any]]":
        graph, offsets, arena = self._unbound
        # Both are buffers.
        arena = memoryview(kernels.buffer(self.size // WORD) if arena is None else arena)  # type: ignore[arg-type]

        def placed(traced: "Traced") -> "Any":
            if traced.number in graph.constants:
                from burnrt.functional.operands import operands  # of a model that has some

                return operands(graph.constants[traced.number])[0].reshape(traced.shape)
            start = offsets[traced.number]
            if start is None:
                return None
            return Value(arena[start : start + graph.sizes[traced.number]], traced.shape)

        calls = []
        for step in graph.steps:
            for kernel, arguments in step.layer.bind(
                *[placed(traced) for traced in step.inputs + step.outputs]
            ):
                calls.append((caller(len(arguments)), kernel, arguments))
        # What the calls read may be an address only: the bytes must stay, even if the model loads others.
        layers = [step.layer for step in graph.steps]
        kept = [param.data for layer in layers for _, _, param in walk(layer)]
        kept += [getattr(constant, "data", None) for constant in graph.constants.values()]
        return calls, placed(graph.input), each(graph.output, placed), kept

    def __repr__(self) -> str:
        steps = self._count
        return "Plan(%s, %r: %d steps in %d bytes)" % (self._name, self._rows[0][1], steps, self.size)

    def __str__(self) -> str:
        lines = ["%s: an arena of %d bytes" % (self._name, self.size), "      at    bytes"]
        for name, shape, offset in self._rows:
            lines.append("%8d %8d  %s %r" % (offset * WORD, count(shape) * WORD, name, shape))
        return "\n".join(lines)


def _copy(value: "Value") -> "Value":
    return Value(kernels.floats(value.data), value.shape)


def _places(graph: "Graph") -> tuple[list[int | None], int]:
    """Return (offsets, total): where in the arena each value lies, in numbers; None where nobody needs it."""
    unread = graph.unread()
    births = [0] * len(graph.sizes)
    for time, step in enumerate(graph.steps, 1):
        for value in step.outputs:
            births[value.number] = time
    deaths = list(births)  # what nobody reads dies where it is made
    for time, step in enumerate(graph.steps, 1):
        for value in step.inputs:
            deaths[value.number] = time
    for value in graph.outputs:
        deaths[value.number] = len(graph.steps) + 1
    homes = _homes(graph, deaths)
    for number in range(len(homes) - 1, 0, -1):
        deaths[homes[number]] = max(deaths[homes[number]], deaths[number])
    unread += graph.constants
    sizes = [0 if homes[at] != at or at in unread else size for at, size in enumerate(graph.sizes)]
    offsets, total = place(sizes, births, deaths)
    return [None if at in unread else offsets[home] for at, home in enumerate(homes)], total


def _homes(graph: "Graph", deaths: list[int]) -> list[int]:
    """Return in which value's place each lies: its own, or that of an input whose last reader makes it."""
    homes = list(range(len(graph.sizes)))
    for time, step in enumerate(graph.steps, 1):
        made = step.output.number
        if step.layer.in_place:
            for value in step.inputs:
                is_last = deaths[value.number] == time and value.number not in graph.constants
                if is_last and graph.sizes[value.number] == graph.sizes[made]:
                    homes[made] = homes[value.number]
    return homes
