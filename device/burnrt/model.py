"""A model in its file: a program that says which kernel reads what from where, checked, bound and run.

model = Model("digits")
print(model(pixels).argmax())
"""

import gc
from array import array

from burnpack.compat import ON_BOARD
from burnrt.checks.program import check_program
from burnrt.kernels.named import FLOATS, INDICES, LEFT, STATES, find
from burnrt.memory import Memory
from burnrt.numbers import dequantized, place_indices, quantize
from burnrt.refusal import Malformed, refuse

if False:  # for type checkers
    from typing import Any

    from burnrt.binding import Call

_tidy = gc.collect if ON_BOARD else int  # which looks at all of a computer's memory, for nothing


class Model:
    """A model that is ready to run: in a file whose program `burnstore` wrote.

    source: a name, as "digits": of a module that has the file's bytes as DATA, which the firmware may have,
        else of /rom/digits.bpk, else of digits.bpk. Or a path, with "/" or ".", the bytes, or an open file.
    arena: the caller's own buffer, a bytearray, or of a model with floats an array("f"); None makes one.
        Models may share it if no two are in use at a time, and none of them has states, which lie there.
    inputs, outputs: lists of `End`: what goes in and what comes out, in order.
    input, output: the numbers of the first of each: write the input before each run, as a run may put others
        in its place; the output is there until the next.
    states: a list of `End`: what a run leaves to the next, as the hidden state of a recurrent network. Before
        the first run they are zeros. A runtime for models without states has neither these nor `reset`.
    calls: a tuple (function, a, b, c, d) for each step, which `run` makes in this order.
    memory: what they read and write, and the program.

    From memory, as flash is, weights and constants are read where they lie; from a file they are read into
    one buffer. The whole program is checked before; raises `Malformed`, which says what is wrong where, and
    `OSError` where there is no such file.
    """

    inputs: "list[End]"
    outputs: "list[End]"
    states: "list[End]"
    calls: "list[Call]"
    memory: "Memory"

    def __init__(self, source: "Any", arena: "Any" = None) -> None:
        _tidy()  # what is made now stays: it shall lie in one piece, at the beginning of what is free
        self._source = source  # what the calls have addresses in
        file = _opened(source) if isinstance(source, str) else source
        try:
            self._load(file, arena)
        except Malformed as error:
            raise error.within(source if isinstance(source, str) else None)
        except MemoryError as error:
            gc.collect()
            raise MemoryError("%s; %d bytes are free, in pieces" % (error, getattr(gc, "mem_free", int)()))
        finally:
            if file is not source and hasattr(file, "close"):
                file.close()

    def _load(self, file: "Any", arena: "Any") -> None:
        self.memory = memory = Memory(file, arena)
        check_program(memory)
        _tidy()
        words = memory.words
        at = 8 + words[7]
        ends = []
        for _ in range(words[4] + words[5]):
            ends.append(End(memory, at))
            at += 6 + words[at + 5]
        self.inputs, self.outputs = ends[: words[4]], ends[words[4] :]
        if STATES:
            self.states = [each for each in self.inputs if each.last]
            for each in self.states:
                self.inputs.remove(each)
                each.last = 0  # which says of outputs alone what is left to do
            self.reset()
        self.calls = []
        for _ in range(words[6]):
            end = at + 2 + words[at + 1]
            kernel, bind, _ = find(memory.names[words[at]])
            self.calls.append(bind(kernel, memory, at + 2, end))
            at = end
        memory.loaded()

    @property
    def arena(self) -> "Any":
        """The buffer that all numbers flow in."""
        return self.memory.arena

    @property
    def input(self) -> "Any":
        """The numbers of the first input."""
        return self.inputs[0].data

    @property
    def output(self) -> "Any":
        """The numbers of the first output."""
        return self.outputs[0].data

    def run(self) -> None:
        """Compute the outputs from the inputs; this allocates nothing but floats."""
        for function, a, b, c, d in self.calls:
            function(a, b, c, d)

    if STATES:

        def reset(self) -> None:
            """Begin anew: make the states zeros, as they are before the first run."""
            for end in self.states:
                data = end.data
                for place in range(len(data)):
                    data[place] = end.zero

    def __call__(self, *values: "Any") -> "Any":
        """Return the `Answer` to the inputs, or of a model with several outputs a tuple of these.

        values: of each input its numbers in row-major order, of the shape that it has or in one row.
        """
        if len(values) != len(self.inputs):
            refuse("the model", "wrong number of inputs", len(self.inputs), len(values))
        for end, given in zip(self.inputs, values):
            end.write(given)
        self.run()
        answers = tuple([end.read() for end in self.outputs])
        return answers if len(answers) > 1 else answers[0]


class End:
    """An input, a state or an output.

    data: its numbers in the arena: floats, or bytes that stand for (byte - zero) · scale, or of indices of a
        table two bytes for each, the lower one first.
    width: the bytes of each in `data`: 1, or 2 of such indices; 0 of floats. A runtime that has no such
        indices does not have it.
    shape: the batch, which is 1, first. scale: None of floats.
    memory, at: of the program, and the place among its words where this is told.
    """

    data: "Any"
    shape: tuple[int, ...]
    scale: float | None
    zero: int
    width: int

    def __init__(self, memory: "Memory", at: int) -> None:
        words = memory.words
        self.shape = tuple([words[place] for place in range(at + 6, at + 6 + words[at + 5])])
        start, size = words[at + 1], 1
        for extent in self.shape:
            size *= extent
        self.zero, self.last = words[at + 3], words[at + 4]
        if INDICES:
            self.width = words[at]
            size *= words[at] or 1
        if not FLOATS or words[at]:
            self.data = memory.bytes[start : start + size]
            self.scale = memory.number(at + 2)
        else:
            self.data = memory.floats(start // 4, size)
            self.scale = None

    def write(self, values: "Any") -> None:
        """Write numbers into an input.

        Into one of bytes go round(x / scale) + zero, kept within 0 to 255, and into one of indices of 16 bits
        whole numbers, kept within 0 to 65,535.

        values: as many numbers as the shape holds in row-major order, or an array of that shape, where a
            batch of 1 may be left out. Bytes are refused where they would be taken for numbers: write them
            into `data`.
        """
        data, shape = self.data, getattr(values, "shape", None)
        count = len(data) // (self.width or 1) if INDICES else len(data)
        if isinstance(values, Answer):
            values = values.data
        if hasattr(values, "flatten"):  # numpy's, or ulab's
            values = values.flatten()
        if len(values) != count or (
            shape and len(shape) > 1 and (1,) + tuple(shape) != self.shape != tuple(shape)
        ):
            refuse("the input", "wrong shape", self.shape, shape or len(values))
        if not FLOATS or self.scale is not None:
            if _are_bytes(values):
                refuse("the input", "bytes are written into `model.input`", "floats", "bytes")
            if INDICES and count != len(data):
                place_indices(values, data)
                return
            quantize(values, self.scale, self.zero, data)  # type: ignore[arg-type] # FLOATS says so
        else:
            for place in range(len(data)):
                data[place] = values[place]

    def read(self) -> "Answer":
        """Return an output's numbers as floats, a copy."""
        if FLOATS and self.scale is None:
            data = array("f", self.data)
        else:
            data = dequantized(self.data, self.scale, self.zero)  # type: ignore[arg-type] # FLOATS says so
        if LEFT and self.last:
            size = self.shape[-1]
            find("log_softmax")[0](data, data, len(data) // size, size, 1)
        return Answer(data, self.shape)


class Answer:
    """What a model answers. data: an array of floats, in row-major order. shape: the batch first."""

    data: "array[float]"
    shape: tuple[int, ...]

    def __init__(self, data: "array[float]", shape: tuple[int, ...]) -> None:
        self.data = data
        self.shape = shape

    def argmax(self) -> int:
        """Return where the largest number is: of one row of scores, the class."""
        data = self.data
        best = 0
        for place in range(1, len(data)):
            if data[place] > data[best]:
                best = place
        return best

    def __repr__(self) -> str:
        return "Answer(%r: %r)" % (self.shape, list(self.data))


def _are_bytes(values: "Any") -> bool:
    """Tell whether a buffer's items are of one byte, as those of another model's `output` may be."""
    try:
        return len(bytes(memoryview(values)[:1])) == 1
    except TypeError:  # no buffer
        return False


def _opened(name: str) -> "Any":
    """Return the bytes, or an open file, of the model called so."""
    if "/" in name or "." in name:
        return open(name, "rb")
    try:
        return __import__(name).DATA
    except (ImportError, AttributeError):
        pass
    try:
        return open("/rom/%s.bpk" % name, "rb")
    except OSError:
        return open(name + ".bpk", "rb")
