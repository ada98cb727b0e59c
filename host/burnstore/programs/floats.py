"""A model of floats as a program: which kernel reads which numbers of the file and of the arena.

The file's tensors stay as Burn has them. The norm of a batch is an `affine` step, whose factors and shifts
are constants of the program.
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import LimitExceeded, Unsupported
from burnpack.module import Module
from burnpack.tensor import Tensor
from burnrt.trace import trace
from burnrt.value import Value
from burnstore.graph.following import network_of
from burnstore.graph.layers.norms import FLOATS
from burnstore.graph.memory import Memory, lay_out
from burnstore.graph.network import End as Ending
from burnstore.graph.network import Network, Source
from burnstore.graph.operations import Copy, Kept, Operation, Scale
from burnstore.graph.states import STEP, tie
from burnstore.models.running import check_count, input_names, told_of
from burnstore.programs.form import STATE, Argument, Constant, End, Floats, Form, Numbers, Weight
from burnstore.programs.recording import Buffer, Call, Calls, Part, Recorder, Stored

FLOAT = 4  # bytes
ARENA_MOST = 1 << 24  # bytes that `burnrt.memory` believes
_DIMENSIONS_MOST = 16  # that boards read
_FILE_MOST = (1 << 31) - 1  # bytes that a word can say


def program_of(
    model: Module,
    shapes: Sequence[Sequence[int]],
    tensors: Sequence[Tensor],
    states: Mapping[int, int] | None = None,
) -> Form:
    """Return the program of a model.

    shapes: of its inputs, the batch first. tensors: those that follow the program in the file, in their
    order; the model's parameters are among them by their names, and its own data is not read. states: of
    inputs that a run leaves to the next, {place of the input: place of the output that it becomes}.
    Raises `Unsupported` for what no program can hold, `InvalidTensor` for a state that becomes one of
    another shape, `LimitExceeded` for what no board could run, and what
    the forward pass raises.
    """
    check_count(model, len(shapes))
    recorder = Recorder(model, tensors)
    with told_of(model), recorder.recording():
        network = network_of(trace(model, *map(tuple, shapes)), FLOATS)
        tie(network, states or {}, input_names(model))
        calls = [_calls(operation, recorder, network.constants) for operation in network.operations]
    if not calls:
        raise Unsupported("nothing is computed that a program could say", type(model).__name__)
    writer = _Writer(network, calls)
    _check_sizes(writer.form, tensors)
    for operation, found in zip(network.operations, calls, strict=True):
        writer.write(operation, found)
    writer.move_states()
    return writer.form


def _calls(operation: Operation, recorder: Recorder, constants: dict[int, Source]) -> Calls:
    if isinstance(operation, Scale):
        return _affine(operation)
    if isinstance(operation, Copy):
        return _copy(operation)
    assert isinstance(operation, Kept)
    step = operation.step
    values = zip((*operation.inputs, *operation.outputs), (*step.inputs, *step.outputs), strict=True)
    bound = [_bound(recorder, constants, number, traced.shape) for number, traced in values]
    return recorder.calls(operation.name, step.layer, bound)


def _bound(
    recorder: Recorder, constants: dict[int, Source], number: int | None, shape: tuple[int, ...]
) -> Value | None:
    if number in constants:
        return recorder.constant(constants[number], shape)
    return recorder.value(number, shape)


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
    return Calls([Call("copy_rows", _in_one_row(x, out, size))])


def _in_one_row(x: Any, out: Any, size: int) -> tuple[Any, ...]:
    """Return what `copy_rows` is given to copy `size` numbers."""
    return x, 0, size, out, 0, size, 1, size


def _in_place(operation: Operation) -> bool:
    return isinstance(operation, Scale) or (isinstance(operation, Kept) and operation.step.layer.in_place)


class _Writer:
    """Writes calls into a form, with the places of all buffers."""

    def __init__(self, network: Network, calls: Sequence[Calls]) -> None:
        work = {
            operation.output: [buffer.numbers.size for buffer in found.work]
            for operation, found in zip(network.operations, calls, strict=True)
        }
        self._memory: Memory = lay_out(network, _in_place, work)
        inputs, outputs = (
            [self._end(value) for value in values] for values in (network.inputs, network.outputs)
        )
        states = [self._end(state.given, STATE) for state in network.states]
        self._moved = [(state.next, state.given.value, prod(state.given.shape)) for state in network.states]
        self.form = Form(self._memory.size * FLOAT, inputs, outputs, states)
        self._constants: dict[bytes, Constant] = {}

    def write(self, operation: Operation, found: Calls) -> None:
        """Write the calls of an operation."""
        name = operation.name
        if not name.isprintable() or " " in name:
            raise Unsupported("a layer whose name has spaces", name)
        work = self._memory.work[operation.output]
        starts = {id(buffer): start for buffer, start in zip(found.work, work, strict=True)}
        for kernel, arguments in found.calls:
            self.form.floats(kernel, name, [self._argument(argument, starts) for argument in arguments])

    def move_states(self) -> None:
        """Write the steps that leave each state to the next run, where it is not made in its place."""
        for made, given, size in self._moved:
            x, out = (Floats(self._memory.offsets[value], size) for value in (made, given))
            if x != out:
                self.form.floats("copy_rows", STEP, _in_one_row(x, out, size))

    def _end(self, value: Ending, last: str | None = None) -> End:
        if not prod(value.shape) or len(value.shape) > _DIMENSIONS_MOST:
            what = "an input or output that a program can't have"
            expected = f"1 number or more, {_DIMENSIONS_MOST} dimensions or fewer"
            raise Unsupported(what, "program", expected=expected, found=list(value.shape))
        return End(value.shape, self._memory.offsets[value.value] * FLOAT, last=last)

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
            known = self._constants[found] = self.form.constant(numbers)
        return known


def _check_sizes(form: Form, tensors: Sequence[Tensor]) -> None:
    if form.arena > ARENA_MOST:
        what = "more numbers at a time than a program can have, in bytes"
        raise LimitExceeded(what, "the arena", expected=f"at most {ARENA_MOST:,}", found=f"{form.arena:,}")
    size = sum(tensor.nbytes for tensor in tensors)
    if size > _FILE_MOST // 2:
        what = "more bytes than a program can read"
        raise LimitExceeded(what, "the tensors", expected=f"at most {_FILE_MOST // 2:,}", found=f"{size:,}")
