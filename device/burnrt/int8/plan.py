"""A quantized model, ready to run: one arena, and calls that are ready to be made."""

from burnpack.dtype import count
from burnpack.errors import InvalidTensor
from burnrt.allocation import check_arena, claim
from burnrt.int8.numbers import dequantize, quantize
from burnrt.kernels import int8 as kernels
from burnrt.value import flat

if False:  # for type checkers
    from collections.abc import Callable
    from typing import Any

    from burnrt.int8.model import Model
    from burnrt.types import Arena, Words
    from burnrt.value import Value


SPARE = 4  # bytes behind the arena's last number, which kernels may read


class Plan:
    """What it takes to run a model in integers: one arena for all numbers, and ready calls.

    model: a `burnrt.int8.Model`.
    arena: the caller's own buffer of bytes, as `bytearray(size)`, at an address that is a multiple of 4; it
        is kept. Several plans may share it as long as no two are in use.
    size: bytes of the arena. Nothing of it is allocated before the plan is used for the first time.
    copied: bytes of the file that had to be put on the heap; of weights none, where the file is in memory.
    """

    size: int
    copied: int

    _calls: "list[tuple[Callable[..., object], Arena, Any, Any, Words]] | None"
    _input: memoryview
    _output: memoryview

    def __init__(self, model: "Model", arena: "Any" = None) -> None:
        self.size = model.arena + SPARE
        self.copied = model.copied
        if arena is not None:
            check_arena(arena, self.size, bytearray(1), "the model")
        self._model = model
        self._arena = arena
        self._calls = self._input = self._output = None  # type: ignore[assignment] # yet

    @property
    def input(self) -> memoryview:
        """The bytes to write the input into, before each run: a run may put other numbers in their place."""
        self.prepare()
        return self._input

    @property
    def output(self) -> memoryview:
        """The bytes that hold the answer after a run, until the next one."""
        self.prepare()
        return self._output

    def prepare(self) -> None:
        """Allocate the arena and choose the kernels, unless that is done. Raises `LimitExceeded`."""
        if self._calls is None:
            self._calls, self._input, self._output = claim(self._bound, self.size, "the model")

    def run(self) -> None:
        """Compute the output from the input. Once there is an arena, this allocates nothing."""
        if self._calls is None:
            self.prepare()
        for kernel, arena, weight, constants, words in self._calls:  # type: ignore[union-attr] # some now
            kernel(arena, weight, constants, words)

    def quantize(self, values: "Any") -> None:
        """Write floats into the input as bytes: round(x / scale) + zero, kept between 0 and 255.

        values: numbers in row-major order, or a `Value` or numpy array of them.

        Raises `InvalidTensor` for bytes, which are written into `input`.
        """
        if isinstance(values, (bytes, bytearray)) or getattr(values, "dtype", None) == "uint8":
            raise InvalidTensor("bytes are written into plan.input; this takes floats", "the model")
        model = self._model
        numbers = flat(values, model.input_shape)
        quantize(numbers, model.input_scale, model.input_zero, self.input)

    def dequantize(self) -> "Value":
        """Return the output as a new `Value` of floats."""
        model = self._model
        answer = dequantize(self.output, model.output_scale, model.output_zero, model.output_shape)
        if model.last:
            _log_softmax(answer)
        return answer

    def __call__(self, values: "Any") -> "Value":
        """Return the answer to an input as a new `Value`. values: see `quantize`."""
        self.quantize(values)
        self.run()
        return self.dequantize()

    def _bound(self) -> "tuple[list[Any], memoryview, memoryview]":
        model, arena = self._model, self._arena
        # Of a view, whatever it is of, items are plain integers.
        view = memoryview(bytearray(self.size) if arena is None else arena)
        ends = ((model.input_at, model.input_shape), (model.output_at, model.output_shape))
        views = [view[start : start + count(shape)] for start, shape in ends]
        calls = []
        for operation, weight, constants, words in model.steps:
            calls.append((getattr(kernels, operation), view, weight, constants, words))
        return calls, views[0], views[1]

    def __repr__(self) -> str:
        return "Plan(%r in %d bytes)" % (self._model, self.size)


def _log_softmax(value: "Value") -> None:
    from burnrt.kernels import log_softmax  # most models end in integers

    size = value.shape[-1]
    log_softmax(value.data, value.data, len(value.data) // size, size, 1)
