"""Calls of kernels of floats: those of an operation, and their words in a program."""

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import Unsupported
from burnrt.value import Value
from burnstore.graph.following import kind_of
from burnstore.graph.layers.norms import FLOATS
from burnstore.graph.memory import Memory
from burnstore.graph.network import Source
from burnstore.graph.operations import Copy, Kept, Operation, Scale
from burnstore.programs.form import Argument, Constant, Floats, Form, Numbers, Weight
from burnstore.programs.recording import Buffer, Call, Calls, Part, Recorder, Stored

FLOAT = 4  # bytes


def calls_of(operation: Operation, recorder: Recorder, constants: dict[int, Source]) -> Calls:
    """Return what an operation calls. constants: of the network."""
    if isinstance(operation, Scale):
        return _affine(operation)
    if isinstance(operation, Copy):
        return _copy(operation)
    assert isinstance(operation, Kept)
    step = operation.step
    if kind_of(step.layer) in FLOATS:
        return _affine(_scale(operation))
    values = zip((*operation.inputs, *operation.outputs), (*step.inputs, *step.outputs), strict=True)
    bound = [_bound(recorder, constants, number, traced.shape) for number, traced in values]
    return recorder.calls(operation.name, step.layer, bound)


def _bound(
    recorder: Recorder, constants: dict[int, Source], number: int | None, shape: tuple[int, ...]
) -> Value | None:
    if number in constants:
        return recorder.constant(constants[number], shape)
    return recorder.value(number, shape)


def _scale(operation: Kept) -> Any:
    """Return what the norm of a batch does, which scales channels."""
    step = operation.step
    common = {"name": operation.name, "inputs": operation.inputs, "output": operation.output}
    return FLOATS[kind_of(step.layer)](step, step.layer, {**common, "count": operation.count})


def _affine(operation: Scale) -> Calls:
    """Return the call that multiplies each channel and adds to it."""
    channels, inner = operation.layout
    batch = operation.count // max(1, channels * inner)
    (given,), made = operation.inputs, operation.output
    x, out = (Buffer(np.empty(operation.count, np.float32), value) for value in (given, made))
    gamma, beta = (
        Buffer(numbers.astype(np.float32), is_constant=True)
        for numbers in (operation.factor, operation.shift)
    )
    parts = (Part(buffer, 0, buffer.numbers.size) for buffer in (x, gamma, beta, out))
    return Calls([Call("affine", (*parts, batch, channels, inner))])


def _copy(operation: Copy) -> Calls:
    values = (*operation.inputs, operation.output)
    size = operation.count
    x, out = (Part(Buffer(np.empty(size, np.float32), value), 0, size) for value in values)
    return Calls([Call("copy_rows", in_one_row(x, out, size))])


def in_one_row(x: Any, out: Any, size: int) -> tuple[Any, ...]:
    """Return what `copy_rows` is given to copy `size` numbers."""
    return x, 0, size, out, 0, size, 1, size


class CallWriter:
    """Writes calls into a form.

    memory: where buffers are, in numbers.
    """

    def __init__(self, form: Form, memory: Memory) -> None:
        self._form, self._memory = form, memory
        self._constants: dict[bytes, Constant] = {}

    def write(self, operation: Operation, name: str, found: Calls) -> None:
        """Write the calls of an operation, which goes by the name."""
        if not name.isprintable() or " " in name:
            raise Unsupported("a layer whose name has spaces", name)
        work = self._memory.work[operation.output]
        starts = {id(buffer): start for buffer, start in zip(found.work, work, strict=True)}
        for kernel, arguments in found.calls:
            self._form.floats(kernel, name, [self._argument(argument, starts) for argument in arguments])

    def _argument(self, argument: Any, work: dict[int, int]) -> Argument:
        if isinstance(argument, Part):
            return self._place(*argument, work)
        if isinstance(argument, Stored):
            tensor = argument.tensor
            return Numbers(Weight(tensor, tensor.nbytes), argument.dtype, prod(tensor.shape))
        if isinstance(argument, tuple):
            return tuple(self._argument(part, work) for part in argument)
        found: Argument = argument
        return found

    def _place(self, buffer: Buffer, start: int, count: int, work: dict[int, int]) -> Argument:
        if buffer.is_constant:
            whole = self._constant(buffer.numbers)
            return Numbers(Constant(whole.start + FLOAT * start, FLOAT * count), "F32", count)
        first = work[id(buffer)] if buffer.value is None else self._memory.offsets[buffer.value]
        return Floats(first + start, count)

    def _constant(self, numbers: NDArray[np.float32]) -> Constant:
        found = numbers.tobytes()  # the same numbers are written once
        known = self._constants.get(found)
        if known is None:
            known = self._constants[found] = self._form.constant(numbers)
        return known
