"""What a program says of each step: how much it computes, and with what."""

from dataclasses import dataclass

from burnpack.dtype import count
from burnrt import Model
from burnrt.arguments import WIDTHS, arguments
from burnrt.checks.named import find
from burnrt.memory import SPARE, Memory
from burnstore.boards.fit.counts import Counts, others
from burnstore.io.container import Container
from burnstore.models.program import steps_of
from burnstore.programs.reading import bodies

_SUMS = ("linear", "linear4", "conv2d", "depthwise2d", "conv_transpose2d", "attention", "lstm", "gru", "rnn")


_WIDE = "int8.wide_conv2d"


@dataclass(frozen=True)
class Step:
    """A step of a program.

    kernel: as the program has it. layer: the path of the layer that it is from. work: how many numbers it
    looks at, which of sums of products is how many are added up. weights: bytes of the file that it reads.
    made: how many numbers come out of a step of integers; 0 of one of floats. others: see `counts`.
    """

    kernel: str
    layer: str
    work: int
    weights: int
    made: int
    others: Counts = ()

    @property
    def macs(self) -> int:
        """How many products are added up."""
        if self.kernel == _WIDE:
            return self.work // 2  # work is told for each byte that is made, of which a number has two
        return self.work if self.kernel.removeprefix("int8.") in _SUMS else 0


@dataclass(frozen=True)
class Facts:
    """A program: its steps, its inputs' shapes, and bytes: of arena, copied weights, itself, an answer, and
    of the states, which lie in the arena.
    """

    steps: list[Step]
    arena: int
    copied: int
    program: int
    shapes: list[tuple[int, ...]]
    answer: int
    states: int


def facts_of(container: Container, model: Model) -> Facts:
    """Return what the program of an opened file, loaded as `model`, says."""
    memory = model.memory
    words = memory.words
    steps = []
    for layer, (kernel, at, size) in zip(_layers(container, words[6]), bodies(memory), strict=True):
        look = _integers if kernel.startswith("int8.") else _floats
        steps.append(Step(kernel, layer, *look(memory, kernel, at, size)))
    shapes = [end.shape for end in model.inputs]
    answer = sum(4 * count(end.shape) for end in model.outputs)
    states = sum((1 if end.scale else 4) * len(end.data) for end in model.states)
    return Facts(steps, words[2] + SPARE, words[3], words[1], shapes, answer, states)


def _layers(container: Container, steps: int) -> list[str]:
    """Return the layer of each step, as the metadata have it; only its number where they have others."""
    found = [layer for _, layer in steps_of(container)]
    return found if len(found) == steps else [f"step {number}" for number in range(steps)]


def _integers(memory: Memory, kernel: str, at: int, size: int) -> tuple[int, int, int, Counts]:
    words = [memory.words[place] for place in range(at, at + size)]
    _, writes, window, *_ = find(kernel)[1](words[3:], memory, words[2])
    return writes * window, words[1], writes, others(kernel, words[3:])


def _floats(memory: Memory, kernel: str, at: int, size: int) -> tuple[int, int, int, Counts]:
    counts = _Counts(memory)
    found = arguments(memory.words, at, at + size, counts)
    return find(kernel)(*found)[0], counts.read, 0, ()


class _Counts:
    """What a check is given of arguments: of buffers, lists of how many numbers they have."""

    def __init__(self, memory: Memory) -> None:
        self.number = memory.number
        self.read = 0

    def floats(self, start: int, count: int) -> list[int]:
        return [count]

    def arena(self, start: int, size: int) -> str:
        return f"{size} bytes"

    def numbers(self, dtype: str, start: int, count: int) -> list[int]:
        self.read += count * WIDTHS[dtype]
        return [count]

    def bytes(self, start: int, size: int) -> list[int]:
        self.read += size
        return [size]
