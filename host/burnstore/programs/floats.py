"""A model of floats as a program: which kernel reads which numbers of the file and of the arena.

The file's tensors stay as Burn has them. The norm of a batch is an `affine` step, whose factors and shifts
are constants of the program.
"""

from collections.abc import Mapping, Sequence
from math import prod

from burnpack.errors import LimitExceeded, Unsupported
from burnpack.module import Module
from burnpack.tensor import Tensor
from burnrt.trace import trace
from burnstore.graph.following import network_of
from burnstore.graph.layers.norms import FLOATS
from burnstore.graph.memory import Memory, lay_out
from burnstore.graph.network import End as Ending
from burnstore.graph.network import Network
from burnstore.graph.operations import Kept, Operation, Scale
from burnstore.graph.states import STEP, tie
from burnstore.models.running import check_count, input_names, told_of
from burnstore.programs.form import STATE, End, Floats, Form
from burnstore.programs.recording import Calls, Recorder
from burnstore.programs.spelling import FLOAT, CallWriter, calls_of, in_one_row

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
        calls = [calls_of(operation, recorder, network.constants) for operation in network.operations]
    if not calls:
        raise Unsupported("nothing is computed that a program could say", type(model).__name__)
    writer = _Writer(network, calls)
    _check_sizes(writer.form, tensors)
    for operation, found in zip(network.operations, calls, strict=True):
        writer.write(operation, operation.name, found)
    writer.move_states()
    return writer.form


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
        self.write = CallWriter(self.form, self._memory).write

    def move_states(self) -> None:
        """Write the steps that leave each state to the next run, where it is not made in its place."""
        for made, given, size in self._moved:
            x, out = (Floats(self._memory.offsets[value], size) for value in (made, given))
            if x != out:
                self.form.floats("copy_rows", STEP, in_one_row(x, out, size))

    def _end(self, value: Ending, last: str | None = None) -> End:
        if not prod(value.shape) or len(value.shape) > _DIMENSIONS_MOST:
            what = "an input or output that a program can't have"
            expected = f"1 number or more, {_DIMENSIONS_MOST} dimensions or fewer"
            raise Unsupported(what, "program", expected=expected, found=list(value.shape))
        return End(value.shape, self._memory.offsets[value.value] * FLOAT, last=last)


def _check_sizes(form: Form, tensors: Sequence[Tensor]) -> None:
    if form.arena > ARENA_MOST:
        what = "more numbers at a time than a program can have, in bytes"
        raise LimitExceeded(what, "the arena", expected=f"at most {ARENA_MOST:,}", found=f"{form.arena:,}")
    size = sum(tensor.nbytes for tensor in tensors)
    if size > _FILE_MOST // 2:
        what = "more bytes than a program can read"
        raise LimitExceeded(what, "the tensors", expected=f"at most {_FILE_MOST // 2:,}", found=f"{size:,}")
