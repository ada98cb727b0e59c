"""The words of a program, put together: what `burnrt.model` reads.

The tensor `burnrt.program` is the first of its file, I32. Offsets called FROM are bytes from its first one:
those within its size are of constants, which lie behind the steps; others are of the file's tensors.

    0     MAGIC               5     outputs
    1     bytes of all this   6     steps
    2     bytes of the arena  7     words of the kernels' names
    3     bytes that a copy of the weights takes
    4     inputs and states   8...  the names, a space between two

    of each input, then of each state, then of each output: KIND AT SCALE ZERO LAST RANK, and the extents;
        KIND is 0 of floats, 1 of bytes, and 2 of an input of indices, of which each has two bytes
    of each step: which kernel, words of the body, and the body
    the constants

A step of integers has in its body WEIGHT_FROM, WEIGHT_SIZE, CONSTANTS_FROM and the words that `burnrt.words`
has; a step of floats its arguments, see `burnrt.arguments`.
"""

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import LimitExceeded
from burnpack.layout import aligned
from burnpack.tensor import Tensor
from burnrt import memory as reading
from burnrt.arguments import ARENA, BYTES, DTYPES, FLOAT, INT, NUMBERS, TRUTH, TUPLE
from burnstore.io.beside import PROGRAM, STEPS_KEY, VERSION_KEY
from burnstore.numerics.arrays import tensor_from_array

VERSION = "1"
STATE = "state"
ENDS_MOST, STEPS_MOST = 8, 1023  # that `burnrt.checks.program` believes


@dataclass(frozen=True)
class End:
    """What goes into a program, or comes out.

    shape: with the batch. at: bytes from the arena's start. scale, zero_point: what its bytes stand for; None
    of floats. width: the bytes of each number of such, 2 of indices. last: "LogSoftmax" where that is left to
    be computed of an output, `STATE` of a state.
    """

    shape: tuple[int, ...]
    at: int
    scale: float | None = None
    zero_point: int = 0
    last: str | None = None
    width: int = 1

    def words(self) -> list[int]:
        kind = 0 if self.scale is None else self.width
        scale = bits(self.scale or 0.0)
        return [
            kind,
            self.at,
            scale,
            self.zero_point,
            int(self.last is not None),
            len(self.shape),
            *self.shape,
        ]


@dataclass(frozen=True)
class Constant:
    """A place in the program's constants: bytes from their start. size: in bytes."""

    start: int
    size: int


@dataclass(frozen=True)
class Weight:
    """A tensor of the file, or the first `size` bytes of it: what a step reads where it lies."""

    tensor: Tensor
    size: int


@dataclass(frozen=True)
class Floats:
    """`count` numbers of the arena, from number `start` on."""

    start: int
    count: int


@dataclass(frozen=True)
class Numbers:
    """`count` numbers of the file, in a tensor or a constant. dtype: of `burnrt.arguments.DTYPES`."""

    place: Constant | Weight
    dtype: str
    count: int


@dataclass(frozen=True)
class Raw:
    """Bytes of the file."""

    place: Constant | Weight


@dataclass(frozen=True)
class InBytes:
    """`size` bytes of the arena, from byte `start` on."""

    start: int
    size: int


Argument = None | bool | int | float | tuple["Argument", ...] | Floats | InBytes | Numbers | Raw
_Word = (
    int | tuple[Constant | Weight | None, int]
)  # the second: an offset to be known, and what is added to it


@dataclass
class _Step:
    kernel: str
    name: str
    body: list["_Word"]


@dataclass
class Form:
    """A program in the making.

    arena: its bytes. inputs, outputs, states: the ends.
    """

    arena: int = 0
    inputs: list[End] = field(default_factory=list)
    outputs: list[End] = field(default_factory=list)
    states: list[End] = field(default_factory=list)
    _steps: list[_Step] = field(default_factory=list)
    _constants: bytearray = field(default_factory=bytearray)
    _known: dict[bytes, Constant] = field(default_factory=dict)

    def constant(self, data: bytes | NDArray[np.int32] | NDArray[np.float32]) -> Constant:
        """Add constants, unless they are there already; return where they lie, at a multiple of 4."""
        found = data if isinstance(data, bytes) else data.tobytes()
        if found not in self._known:
            self._constants += bytes(-len(self._constants) % 4)
            self._known[found] = Constant(len(self._constants), len(found))
            self._constants += found
        return self._known[found]

    def integers(
        self,
        kernel: str,
        name: str,
        weight: Constant | Weight | None,
        constants: Constant | None,
        words: Sequence[int],
    ) -> None:
        """Add a step of integers. kernel: without "int8."."""
        size = 0 if weight is None else weight.size
        self._steps.append(_Step("int8." + kernel, name, [(weight, 0), size, (constants, 0), *words]))

    def floats(self, kernel: str, name: str, arguments: Iterable[Argument]) -> None:
        """Add a step of floats: a call of the kernel."""
        body: list[_Word] = []
        for argument in arguments:
            _spell(argument, body)
        self._steps.append(_Step(kernel, name, body))

    @property
    def steps(self) -> list[tuple[str, str]]:
        """(kernel, name) of each step."""
        return [(step.kernel, step.name) for step in self._steps]

    def metadata(self) -> list[tuple[str, str]]:
        """Return what the file's metadata must have."""
        lines = "\n".join(f"{kernel} {name}" for kernel, name in self.steps)
        return [(VERSION_KEY, VERSION), (STEPS_KEY, lines)]

    def tensor(self, tensors: Sequence[Tensor]) -> Tensor:
        """Return the program, to be the first of the file's tensors. tensors: those that follow, in order.

        Raises `LimitExceeded` for more than boards believe.
        """
        self._check_counts()
        names = list(dict.fromkeys(step.kernel for step in self._steps))
        names += ["log_softmax"] * any(end.last is not None for end in self.outputs)
        text = " ".join(names).encode()
        text += b" " * (-len(text) % 4)
        counts = len(self.inputs) + len(self.states), len(self.outputs), len(self._steps), len(text) // 4
        head = [0, 0, self.arena, self._copied(), *counts]
        head += np.frombuffer(text, np.int32).tolist()
        for end in (*self.inputs, *self.states, *self.outputs):
            head += end.words()
        first = 4 * (len(head) + sum(2 + len(step.body) for step in self._steps))
        size = first + len(self._constants) + -len(self._constants) % 4
        places = _offsets(size, tensors)
        for step in self._steps:
            body = [_resolved(word, first, places) for word in step.body]
            head += [names.index(step.kernel), len(body), *body]
        head[0], head[1] = int.from_bytes(reading.MAGIC, "little"), size
        constants = bytes(self._constants) + bytes(-len(self._constants) % 4)
        words = np.array(head, np.int32).tobytes() + constants
        return tensor_from_array(PROGRAM, np.frombuffer(words, np.int32))

    def _check_counts(self) -> None:
        counts = {
            "inputs and states": (len(self.inputs) + len(self.states), ENDS_MOST),
            "outputs": (len(self.outputs), ENDS_MOST),
            "steps": (len(self._steps), STEPS_MOST),
        }
        for what, (found, most) in counts.items():
            if found > most:
                raise LimitExceeded(f"more {what} than a program can have", expected=most, found=found)

    def _copied(self) -> int:
        """Return the bytes that a copy of all weights takes: a piece for each that steps read."""
        words = [word for step in self._steps for word in step.body if isinstance(word, tuple)]
        places = {(id(place.tensor), place.size) for place, _ in words if isinstance(place, Weight)}
        return sum(reading.piece(size) for _, size in places)


def bits(number: float) -> int:
    """Return the bits of a float32 as a word."""
    found: int = struct.unpack("<i", struct.pack("<f", number))[0]
    return found


def _spell(argument: Argument, body: list[_Word]) -> None:
    """Add the words of an argument."""
    if argument is None:
        body.append(0)
    elif isinstance(argument, bool):
        body.append(int(argument) << 3 | TRUTH)
    elif isinstance(argument, int):
        body.append(argument << 3 | INT)
    elif isinstance(argument, float):
        body += [FLOAT, bits(argument)]
    elif isinstance(argument, Floats):
        body += [argument.start << 3 | ARENA, argument.count]
    elif isinstance(argument, InBytes):
        body += [1 << 3 | BYTES, argument.start, argument.size]
    elif isinstance(argument, Numbers):
        body += [DTYPES.index(argument.dtype) << 3 | NUMBERS, (argument.place, 0), argument.count]
    elif isinstance(argument, Raw):
        body += [BYTES, (argument.place, 0), argument.place.size]
    else:
        body.append(len(argument) << 3 | TUPLE)
        for part in argument:
            _spell(part, body)


def _offsets(size: int, tensors: Sequence[Tensor]) -> dict[int, int]:
    """Return where each tensor will lie, by its identity, from the start of the program of `size` bytes."""
    places, end = {}, size
    for tensor in tensors:
        start = aligned(end)
        places[id(tensor)] = start
        end = start + tensor.nbytes
    return places


def _resolved(word: _Word, first: int, places: dict[int, int]) -> int:
    """Return a word. first: where the constants begin."""
    if isinstance(word, int):
        return word
    place, more = word
    if place is None:
        return 0
    return more + (first + place.start if isinstance(place, Constant) else places[id(place.tensor)])
