"""Steps of transposed convolutions: convolutions, each of which is moved to its places of the output."""

from burnstore.graph.transposed import Phase, Transposed, phases
from burnstore.programs.integers.moves import words_of
from burnstore.programs.integers.step import Made, Maker, Step
from burnstore.programs.integers.sums import SUMS
from burnstore.quantize.memory import Layout


def _transposed(step: Step) -> list[Made]:
    operation: Transposed = step.operation
    out, found = step.memory.offsets[operation.output], phases(operation)
    if len(found) == 1:
        return [_convolved(step, found[0], step.name, out)]
    place = step.memory.work[operation.output][1]
    made = []
    for number, phase in enumerate(found):
        made.append(_convolved(step, phase, f"{step.name}.{number}", place))
        into, _ = phase.moved.span
        made.append(Made("copy", words_of(phase.moved, place, 0, out, into, operation.count)))
    return made


def _convolved(step: Step, phase: Phase, name: str, place: int) -> Made:
    """Return the step of a convolution. place: where it leaves its output."""
    operation, value = phase.convolution, phase.convolution.output
    whole = step.operation.output
    memory = step.memory._replace(
        offsets={**step.memory.offsets, value: place}, work={value: step.memory.work[whole][:1]}
    )
    layout = Layout(memory, {value: step.layout.pairs[whole]})
    known = {operation.inputs[0]: step.given, value: step.made}
    made = SUMS[type(operation)](Step(operation, name, known, layout, step.per))
    assert isinstance(made, Made)
    return made


TRANSPOSED: dict[type, Maker] = {Transposed: _transposed}
