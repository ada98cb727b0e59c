"""What a program says, read back: its steps, what each reads and writes, and with which settings."""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any

from burnrt import Model, wide_words
from burnrt import words as at
from burnrt.arguments import WIDTHS, argument
from burnrt.checks.named import find
from burnrt.memory import HEAD, Memory

_INTEGERS = "int8."
FLOAT = 4  # bytes
_ANSWER = "out"  # the argument that kernels of floats answer in
_LEFT = {1: "log_softmax"}  # what an output leaves to be computed in floats
_WINDOWS = ("conv2d", "depthwise2d", "max_pool2d", "avg_pool2d", "wide_conv2d")
_WIDE = "int8.wide_"  # what the names of kernels begin with that make numbers of 16 bits
_PAIRS = (("kernel", at.KERNEL), ("stride", at.STRIDE), ("padding", at.PADDING), ("dilation", at.DILATION))
# Of arguments with these names: the shape of what is written, where it holds as many numbers.
_SHAPES = (("rows", "outputs"), ("count", "size"))
_GIVEN = (("rows", "inputs"),)  # the same of what is read

Span = tuple[int, int]  # bytes of the arena: the first, and the one behind the last


@dataclass(frozen=True)
class Stored:
    """What a step reads of the file. argument: its name. start: in bytes from the program's first one."""

    argument: str
    start: int
    size: int


@dataclass
class Step:
    """A step of a program.

    kernel: as the program has it. reads, writes: of the arena, the answer first. weights: of the
    file.
    settings: what else it is told, by name. shape: of what it writes, where its settings say that.
    given: of what it reads, the same.
    """

    kernel: str
    reads: list[Span] = field(default_factory=list)
    writes: list[Span] = field(default_factory=list)
    weights: list[Stored] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    shape: tuple[int, ...] = ()
    given: tuple[int, ...] = ()

    @property
    def is_integer(self) -> bool:
        """Tell whether it computes with integers."""
        return self.kernel.startswith(_INTEGERS)

    @property
    def width(self) -> int:
        """The bytes of a number that it makes."""
        return FLOAT if not self.is_integer else 2 if self.kernel.startswith(_WIDE) else 1


@dataclass(frozen=True)
class End:
    """An input or an output. scale: None of floats. last: what is left to be computed of it, or "".

    width: the bytes of a number; 0 of floats.
    """

    shape: tuple[int, ...]
    span: Span
    scale: float | None
    zero_point: int
    last: str
    width: int


@dataclass(frozen=True)
class Program:
    """What a program says. arena: its bytes. states: what a run leaves to the next."""

    arena: int
    inputs: list[End]
    states: list[End]
    outputs: list[End]
    steps: list[Step]


def bodies(memory: Memory) -> Iterator[tuple[str, int, int]]:
    """Yield (kernel, the place of its first word, how many words) of each step."""
    words = memory.words
    names = repr(bytes(memory.view[HEAD : HEAD + 4 * words[7]]))[2:-1].split()  # as the loader has them
    *_, place = _places_of_ends(memory)
    for _ in range(words[6]):
        size = words[place + 1]
        yield names[words[place]], place + 2, size
        place += 2 + size


def program_in(model: Model) -> Program:
    """Return what a program says that was loaded, and so checked."""
    memory = model.memory
    places = _places_of_ends(memory)
    inputs, states, outputs = (
        [_end(end, memory.words[place + 1]) for end, place in zip(ends, places, strict=False)]
        for ends in (model.inputs, model.states, model.outputs)
    )
    steps = [
        (_integers if kernel.startswith(_INTEGERS) else _floats)(memory, kernel, place, size)
        for kernel, place, size in bodies(memory)
    ]
    return Program(memory.words[2], inputs, states, outputs, steps)


def _places_of_ends(memory: Memory) -> Iterator[int]:
    """Yield the place of the words of each input and output, and then where the steps begin."""
    words = memory.words
    place = 8 + words[7]
    for _ in range(words[4] + words[5]):
        yield place
        place += 6 + words[place + 5]
    yield place


def _end(end: Any, start: int) -> End:
    size = prod(end.shape) * (end.width or FLOAT)
    last = _LEFT.get(end.last, "")
    return End(end.shape, (start, start + size), end.scale, end.zero, last, end.width)


def _integers(memory: Memory, kernel: str, place: int, size: int) -> Step:
    start, weight, constants, *words = (memory.words[word] for word in range(place, place + size))
    reads, writes, _, _, _, other, *_ = find(kernel)[1](words, memory, constants)
    sizes = reads if isinstance(reads, tuple) else (reads, reads)
    spans = zip((words[at.INPUT], words[other]), sizes, strict=True)
    step = Step(kernel, list(dict.fromkeys((first, first + size) for first, size in spans if size)))
    step.writes.append((words[at.OUTPUT], words[at.OUTPUT] + writes))
    if weight:
        step.weights.append(Stored("weight", start, weight))
    step.settings, step.shape = _told(kernel.removeprefix(_INTEGERS), words)
    return step


def _told(kernel: str, words: list[int]) -> tuple[dict[str, Any], tuple[int, ...]]:
    """Return the settings of a step of integers, and the shape of what it writes."""
    cut = {"low": words[at.LOW], "high": words[at.HIGH], "zero": words[at.ZERO]}
    if kernel in _WINDOWS:
        settings: dict[str, Any] = {name: tuple(words[first : first + 2]) for name, first in _PAIRS}
        channels = words[at.CHANNELS]
        if kernel in ("conv2d", "wide_conv2d"):
            settings["groups"] = words[at.GROUPS]
            channels = words[at.GROUPS] * words[at.OUT_CHANNELS]
        elif kernel == "depthwise2d":
            settings["groups"] = channels
        if kernel == "wide_conv2d":
            low, high, zero = words[wide_words.SUMS_LOW : wide_words.SUMS_ZERO + 1]
            cut = {"low": low, "high": high, "zero": zero}
        if kernel != "max_pool2d":
            settings |= cut
        return settings, (1, channels, words[at.OUT_HEIGHT], words[at.OUT_WIDTH])
    if kernel == "linear":
        return cut, (words[at.ROWS], words[at.OUTPUTS])
    if kernel == "linear4":
        shape = words[at.PLACES], words[at.OUTPUTS]
        return cut, shape[::-1] if words[at.PLANAR] else shape
    return (cut if kernel == "add" else {}), ()


def _floats(memory: Memory, kernel: str, place: int, size: int) -> Step:
    check = find(kernel)
    names = list(inspect.signature(check).parameters)
    seen = _Seen(memory)
    end = place + size
    found: list[Any] = []
    while place < end:
        seen.argument = len(found)
        value, place = argument(memory.words, place, seen, 0)
        found.append(value)
    _, written, shared = check(*found)
    step = Step(kernel)
    for number, span in seen.spans:
        is_written = written >> number & 1
        if not is_written or shared >> number & 1:
            step.reads.append(span)
        if is_written:
            step.writes.insert(0 if names[number] == _ANSWER else len(step.writes), span)
    step.weights = [Stored(names[number], start, size) for number, start, size in seen.stored]
    step.settings = {name: value for name, value in zip(names, found, strict=False) if not _has_buffer(value)}
    step.shape = _shape(step.settings, "out_shape", _SHAPES, step.writes)
    step.given = _shape(step.settings, "x_shape", _GIVEN, step.reads)
    return step


def _has_buffer(value: Any) -> bool:
    return isinstance(value, list | str) or (isinstance(value, tuple) and any(map(_has_buffer, value)))


def _shape(
    settings: dict[str, Any], whole: str, parts: tuple[tuple[str, str], ...], spans: list[Span]
) -> tuple[int, ...]:
    """Return the shape of one of the places that settings tell; () where they do not.

    whole: the setting that has it. parts: those that have it together.
    """
    if whole in settings:
        return tuple(settings[whole])
    counts = [(stop - start) // FLOAT for start, stop in spans]
    for names in parts:
        if all(isinstance(settings.get(name), int) for name in names):
            shape = tuple(settings[name] for name in names)
            if prod(shape) in counts:
                return shape
    return ()


class _Seen:
    """What notes the buffers among arguments, and makes of each what checks are given: how much it holds."""

    def __init__(self, memory: Memory) -> None:
        self.number = memory.number
        self.argument = 0
        self.spans: list[tuple[int, Span]] = []
        self.stored: list[tuple[int, int, int]] = []

    def floats(self, start: int, count: int) -> list[int]:
        self.spans.append((self.argument, (FLOAT * start, FLOAT * (start + count))))
        return [count]

    def arena(self, start: int, size: int) -> str:
        self.spans.append((self.argument, (start, start + size)))
        return f"{size} bytes"

    def numbers(self, dtype: str, start: int, count: int) -> list[int]:
        self.stored.append((self.argument, start, count * WIDTHS[dtype]))
        return [count]

    def bytes(self, start: int, size: int) -> list[int]:
        self.stored.append((self.argument, start, size))
        return [size]
