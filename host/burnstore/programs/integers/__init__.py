"""A network in integers as a program: its steps' words, weights and constants.

tensors   NAME.weight     Q8S: linear (outputs, inputs), conv2d and depthwise2d as Conv2d and Conv1d have them
                          Q4S: linear4, as linear or as conv2d; packed along the inputs
scalars   input.scale, input.zero_point, and the same of each step's output, for those who look into a file
constants of a step: biases and rescaling words; a lookup's table, which is its weight; a softmax's powers
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from burnpack.errors import Unsupported
from burnpack.qfloat import QFloat
from burnpack.tensor import Tensor
from burnrt.lengths import LENGTHS
from burnstore.graph.memory import Memory
from burnstore.graph.network import End as Ending
from burnstore.graph.network import Network
from burnstore.graph.operations import Operation
from burnstore.graph.states import STEP
from burnstore.graph.wide import Narrow
from burnstore.programs.form import STATE, Constant, End, Form, Weight
from burnstore.programs.integers.each import EACH
from burnstore.programs.integers.floats import KINDS, FloatWriter, recorded, work_of
from burnstore.programs.integers.moves import MOVES, flat_copy
from burnstore.programs.integers.norms import NORMS
from burnstore.programs.integers.products import PRODUCTS
from burnstore.programs.integers.recurrent import RECURRENT
from burnstore.programs.integers.resampling import RESAMPLING
from burnstore.programs.integers.step import Made, Maker, Step
from burnstore.programs.integers.sums import SUMS
from burnstore.programs.integers.transposed import TRANSPOSED
from burnstore.programs.integers.wide import WIDE
from burnstore.quantize.calibrate import Bytes
from burnstore.quantize.fit import Fit
from burnstore.quantize.memory import lay_out, width_of

_INPUT = "input"  # what the scalars of the input begin with, so no step's name
_MAKERS: dict[type, Maker] = {**SUMS, **EACH, **MOVES, **NORMS, **PRODUCTS, **RECURRENT, **TRANSPOSED}
_MAKERS |= RESAMPLING


@dataclass
class Program:
    """What a file of a quantized model holds.

    form: its program. tensors: the weights, behind it. ends: of each operation how many steps have run when
    it is done, where its output begins, and its bytes.
    """

    form: Form
    weights: list[Tensor] = field(default_factory=list)
    scalars: list[tuple[str, Any]] = field(default_factory=list)
    ends: list[tuple[int, int, int]] = field(default_factory=list)

    @property
    def tensors(self) -> list[Tensor]:
        """All tensors of the file, in their order."""
        return [self.form.tensor(self.weights), *self.weights]


def program_of(
    network: Network,
    known: dict[int, Bytes],
    per: str,
    fits: Mapping[int, Fit] | None = None,
    arena: int | None = None,
) -> Program:
    """Return the program of a folded network.

    known: what the bytes of each value stand for. per: see `weights`. fits: what weights are fitted to, by
    the outputs of their operations. arena: the bytes that it is not to pass without need. Raises
    `Unsupported` for a network without steps, `InvalidTensor` for numbers that don't fit.
    """
    if not network.operations:
        raise Unsupported("nothing is computed that could be quantized")
    calls = recorded(network)
    layout = lay_out(network, known, work_of(calls), arena)
    memory = layout.memory
    inputs, outputs = (
        [_end(end, known, memory, end.last) for end in ends] for ends in (network.inputs, network.outputs)
    )
    states = [_end(state.given, known, memory, STATE) for state in network.states]
    form = Form(memory.size, inputs, outputs, states)
    program = Program(form, scalars=_scalars(_INPUT, known[network.input]))
    floats = FloatWriter(network, form, memory, calls)
    common: dict[int, list[Any]] = {}
    firsts, names = _firsts(network), _names(network)
    for place, operation in enumerate(network.operations):
        name, whole = names[place], _whole(network, operation)
        if isinstance(operation, KINDS):
            floats.write(operation, name, known)
        else:
            fit, made_once = (fits or {}).get(whole), common.setdefault(whole, [])
            step = Step(operation, name, known, layout, per, fit, made_once)
            is_wide = operation.output in network.wide or isinstance(operation, Narrow)
            _write(step, program, WIDE if is_wide else _MAKERS)
        if operation.output not in network.floats and place in firsts:
            program.scalars += _scalars(name, known[operation.output])
        size = operation.count * width_of(network, operation.output)
        program.ends.append((len(form.steps), memory.offsets[operation.output], size))
    _move_states(network, form, memory)
    return program


def _write(step: Step, program: Program, makers: Mapping[type, Maker]) -> None:
    """Write the steps of an operation in integers."""
    found = makers[type(step.operation)](step)
    for made in found if isinstance(found, list) else [found]:
        assert len(made.words) == LENGTHS[made.kernel]
        program.form.integers(made.kernel, step.name, *_placed(made, program), made.words)


def _move_states(network: Network, form: Form, memory: Memory) -> None:
    """Write the steps that leave each state to the next run, where it is not made in its place."""
    for state in network.states:
        made, given = memory.offsets[state.next], memory.offsets[state.given.value]
        if made != given:
            form.integers("copy", STEP, None, None, flat_copy(made, given, network.sizes[state.next]))


def _end(end: Ending, known: dict[int, Bytes], memory: Memory, last: str | None) -> End:
    found = known[end.value]
    return End(end.shape, memory.offsets[end.value], found.scale, found.zero_point, last, found.width)


def _placed(made: Made, program: Program) -> tuple[Constant | Weight | None, Constant | None]:
    """Return where the weight and the constants of a step are, once they are in the program."""
    form, weight = program.form, made.weight
    constants = None if made.constants is None else form.constant(made.constants)
    if weight is None or isinstance(weight, bytes):
        return None if weight is None else form.constant(weight), constants
    if isinstance(weight, list):
        program.weights += weight
        return Weight(weight[0], made.size), constants
    if not any(weight is other for other in program.weights):
        program.weights.append(weight)
    assert isinstance(weight.dtype, QFloat)
    return Weight(weight, weight.dtype.values_nbytes(weight.shape)), constants


def _scalars(name: str, known: Bytes) -> list[tuple[str, Any]]:
    return [(f"{name}.scale", known.scale), (f"{name}.zero_point", known.zero_point)]


def _whole(network: Network, operation: Operation) -> int:
    """Return the value that an operation makes, or makes rows of."""
    stripe = network.stripes.get(operation.output)
    return operation.output if stripe is None else stripe.whole


def _firsts(network: Network) -> list[int]:
    """Return the places of the operations that are the first to make a value, or rows of it."""
    found: dict[int, int] = {}
    for place, operation in enumerate(network.operations):
        stripe = network.stripes.get(operation.output)
        if stripe is None or not stripe.is_copy:
            found.setdefault(_whole(network, operation), place)
    return list(found.values())


def _names(network: Network) -> dict[int, str]:
    """Return the name of each operation's step, by its place: no name depends on the stripes of others."""
    found: dict[int, str] = {}
    for place in [*_firsts(network), *range(len(network.operations))]:
        if place not in found:
            found[place] = _free_name(network.operations[place].name, found.values())
    return found


def _free_name(name: str, taken: Collection[str]) -> str:
    if not name.isprintable() or " " in name:
        raise Unsupported("a layer whose name has spaces", name)
    found, path, number = name, name.partition("@")[0], 2
    while found == _INPUT or found in taken:
        found, number = f"{path}@{number}", number + 1
    return found
