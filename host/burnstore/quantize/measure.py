"""What quantizing cost: each step's output, and the answers, against those in floats."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from math import inf, isfinite, log10, nan, prod, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnstore.graph.in_floats import InFloats
from burnstore.graph.moves import Move
from burnstore.graph.network import End, Network
from burnstore.graph.operations import Copy, MaxPool, Numbers, Operation, Softmax
from burnstore.models.comparison import deviations, may_be_scores
from burnstore.programs.spelling import FLOAT
from burnstore.quantize.integer import IntegerRun
from burnstore.quantize.quantized import Quantized, Widening
from burnstore.quantize.reference import Values
from burnstore.quantize.samples import check_labels, samples_of

IN_FLOATS = "float"  # in the place of a kernel


@dataclass(frozen=True)
class StepError:
    """How far a step's output is from the floats, over all samples.

    name, kernel: of the step, and the kernel that computes it.
    count: how many numbers come out.
    macs: how many products are added up for them.
    scale: what one byte more stands for; None of floats.
    ratio: of the floats' power and that of the difference, in dB; infinite where there is no difference, NaN
        where the floats are all 0, or what is computed in floats is infinite.
    largest: the largest difference.
    width: the bytes of each number.
    """

    name: str
    kernel: str
    count: int
    macs: int
    scale: float | None
    ratio: float
    largest: float
    width: int


@dataclass(frozen=True)
class Answers:
    """What became of an output.

    rmse: the root of the mean square of how far its numbers are off.
    worst: how far a number is off at most, as a part of it, or of 1 if it is less.
    least, largest, deviation: of its numbers in floats, the last from their mean.
    agreeing: the samples whose largest answer is the same in floats and in integers, None where the answers
        are no scores.
    are_scores: whether they are; None where that is not known.
    right_before, right_after: those whose largest answer is the label's, where there are labels.
    """

    rmse: float
    worst: float
    least: float
    largest: float
    deviation: float
    agreeing: int | None
    are_scores: bool | None
    right_before: int | None
    right_after: int | None


@dataclass(frozen=True, kw_only=True)
class Report(Answers):
    """What a quantized model costs in accuracy: the first output's, and more.

    steps: a `StepError` for each step that runs.
    samples: how many were run.
    others: the same of the second output, and those behind it.
    arena: bytes of a plan's.
    method, losses, widening: as of `Quantized`.
    """

    steps: list[StepError]
    samples: int
    others: list[Answers]
    arena: int
    method: str
    losses: Mapping[str, float]
    widening: Widening | None = None

    @property
    def of_4_bits(self) -> list[str]:
        """The names of the steps whose weights have 4 bits."""
        return [step.name for step in self.steps if step.kernel == "linear4"]

    @property
    def in_floats(self) -> list[str]:
        """The names of the steps that are computed in floats."""
        return [step.name for step in self.steps if step.kernel == IN_FLOATS]

    @property
    def in_16_bits(self) -> list[str]:
        """The names of the steps whose numbers have 16 bits, but what makes these of bytes."""
        return [step.name for step in self.steps if step.width == 2 and not step.name.endswith(".widen")]

    @property
    def macs(self) -> int:
        """All products that are added up."""
        return sum(step.macs for step in self.steps)


def measure(
    quantized: Quantized,
    samples: Any,
    labels: NDArray[Any] | None = None,
    scores: bool | None = None,
) -> Report:
    """Run samples in floats and in integers, and compare.

    quantized: as `quantize_model` returns it.
    samples: as there.
    labels: (count), the right answers, or None.
    scores: whether the first output is scores of classes. None: it is where there are labels or a softmax
        comes last, and is not unless it is (1, classes), 2 at least, and of another shape than the input.
    """
    given = samples_of(samples)
    count = len(quantized.reference.given(given)[0])
    outputs = quantized.network.outputs
    answers = [_Answers(quantized, end, labels, count, scores) for end in outputs[:1]]
    answers += [_Answers(quantized, end, None, count, None) for end in outputs[1:]]
    steps = _Steps(quantized)
    run = Run(quantized, len(given))
    for chosen, values in quantized.reference.values(given):
        for place, number in enumerate(range(chosen.start, chosen.stop)):
            steps.add(values, place, run.outputs(values, place))
            for answer, found in zip(answers, run.answers(), strict=True):
                answer.add(number, values[answer.number][place], found)
    first, *others = (answer.found() for answer in answers)
    return Report(
        steps=steps.errors(),
        samples=count,
        others=others,
        arena=quantized.arena,
        method=quantized.method,
        losses=quantized.losses,
        widening=quantized.widening,
        **asdict(first),
    )


class Run:
    """A run in integers beside the one in floats.

    given: how many inputs there are samples of. Of a stream, states are those that the run before has left.
    """

    def __init__(self, quantized: Quantized, given: int) -> None:
        network = quantized.network
        self._known = quantized.known
        ends = network.inputs if given == len(network.inputs) else network.given
        self._given = [end.value for end in ends]
        self._outputs = [end.value for end in network.outputs]
        self._ends = quantized.program.ends
        self._run = IntegerRun(quantized.to_bytes())

    def outputs(self, values: Values, place: int) -> Iterator[NDArray[np.uint8]]:
        """Yield what each step makes, in bytes. place: of the sample among the values."""
        given = [self._known[value].of(values[value][place]) for value in self._given]
        return self._run.outputs(given, self._ends)

    def answers(self) -> Iterator[Numbers]:
        """Yield what each output's bytes stand for, when all steps are made."""
        for value, found in zip(self._outputs, self._run.answers(), strict=True):
            yield self._known[value].numbers(found)


class _Steps:
    """All steps, each of all stripes of rows that it is computed in."""

    def __init__(self, quantized: Quantized) -> None:
        network = quantized.network
        self._program = quantized.program
        self._steps = {each.output: _Step(quantized, each) for each in network.operations}
        self._runs = (quantized.striped or network).operations
        self._stripes = (quantized.striped or network).stripes
        self._wholes = {stripe.whole for stripe in self._stripes.values()}

    def add(self, values: Values, place: int, outputs: Iterator[NDArray[np.uint8]]) -> None:
        """Note all outputs for a sample. place: of the sample among the values."""
        rows = dict.fromkeys(self._wholes, 0)  # that were seen
        for operation, output in zip(self._runs, outputs, strict=True):
            value = self._value(operation)
            if value is None:
                continue
            step = self._steps[value]
            wanted = values[step.value][place]
            stripe = self._stripes.get(operation.output)
            if stripe is not None:
                seen = max(rows[value], stripe.first)
                rows[value] = end = stripe.first + stripe.rows
                wanted = wanted.reshape(stripe.planes)[:, seen:end]
                made = output.reshape(stripe.planes.channels, stripe.rows, -1)
                output = made[:, seen - stripe.first :]
            if output.size:
                step.add(wanted, output)

    def _value(self, operation: Operation) -> int | None:
        """Return the value that an operation makes, or rows of it; None where it only copies rows."""
        stripe = self._stripes.get(operation.output)
        if stripe is None:
            return None if operation.output in self._wholes else operation.output
        return None if stripe.is_copy else stripe.whole

    def errors(self) -> list[StepError]:
        """Return what all samples came to, of each step that runs."""
        names = [(name, kernel.removeprefix("int8.")) for kernel, name in self._program.form.steps]
        found: dict[int, StepError] = {}
        before = 0
        for operation, (done, _, _) in zip(self._runs, self._program.ends, strict=True):
            value = self._value(operation)
            if done > before and value is not None and value not in found:  # some take no step
                name = names[before if operation.macs else done - 1]
                found[value] = self._steps[value].error(*name)
            before = done
        return [found[value] for value in self._steps if value in found]


class _Step:
    """A step, and sums over all samples of how far it is off."""

    def __init__(self, quantized: Quantized, operation: Operation) -> None:
        self.operation = operation
        network = quantized.network
        # What a copy makes, the model in floats has no value for.
        value = operation.inputs[0] if isinstance(operation, Copy) else operation.output
        self.value = network.followed(value)
        self._bytes = quantized.known.get(operation.output)  # None of floats
        self._bounds = np.array((operation.low, operation.high))
        reader = network.only_reader(operation.output)
        if isinstance(reader, MaxPool | Move) and self._bytes is not None and self._bytes.width == 1:
            # What is below the bytes, a MaxPool does not let through; what is outside of them, is not moved.
            ends = self._bytes.numbers((0, 255))
            self._bounds = self._bounds.clip(ends[0], ends[1] if isinstance(reader, Move) else None)
        self._signal = self._noise = self._largest = 0.0

    def add(self, numbers: NDArray[np.float32], output: NDArray[np.uint8]) -> Numbers:
        """Note the output for a sample; return the numbers that it stands for."""
        wanted, found = np.clip(numbers.astype(np.float64), *self._bounds), self._numbers(output)
        self._signal += float(np.square(wanted).sum())
        self._noise += float(np.square(found - wanted).sum())
        self._largest = max(self._largest, float(np.abs(found - wanted).max()))
        return found

    def _numbers(self, output: NDArray[np.uint8]) -> Numbers:
        """Return what the output stands for."""
        if self._bytes is None:
            return output.view(np.float32).astype(np.float64)
        return self._bytes.read(output)

    def error(self, name: str, kernel: str) -> StepError:
        """Return what all samples came to."""
        if isinstance(self.operation, InFloats):
            kernel = IN_FLOATS
        scale = None if self._bytes is None else self._bytes.scale
        width = FLOAT if self._bytes is None else self._bytes.width
        numbers = self.operation.count, self.operation.macs
        return StepError(name, kernel, *numbers, scale, self._ratio(), self._largest, width)

    def _ratio(self) -> float:
        if not self._signal or not isfinite(self._noise):
            return nan
        return 10 * log10(self._signal / self._noise) if self._noise else inf


def _are_scores(network: Network, end: End) -> bool | None:
    """Return whether an output is scores of classes, as far as the network shows it."""
    if end.last or isinstance(network.maker(end.value), Softmax):
        return True
    return None if may_be_scores(end.shape, [network.input_shape]) else False


class _Answers:
    """Sums of how far answers are off, and counts of those that agree and are right, of one output."""

    def __init__(
        self, quantized: Quantized, end: End, labels: NDArray[Any] | None, samples: int, scores: bool | None
    ) -> None:
        self.number = quantized.reference.graph.outputs[_place(quantized, end)].number
        self._row = end.shape[-1] if end.last else None
        if labels is not None:
            check_labels(labels, samples, prod(end.shape))
            scores = True
        self._scores = _are_scores(quantized.network, end) if scores is None else scores
        self._labels = labels
        self._agreeing = self._before = self._after = self._numbers = 0
        self._sum = self._squares = self._noise = self._worst = 0.0
        self._least, self._largest = inf, -inf

    def add(self, number: int, before: NDArray[np.float32], after: Numbers) -> None:
        """Note what is answered to a sample in floats and in integers."""
        wanted, found = before.astype(np.float64).reshape(-1), self._last(after).reshape(-1)
        self._numbers += wanted.size
        self._sum += float(wanted.sum())
        self._squares += float(np.square(wanted).sum())
        self._noise += float(np.square(found - wanted).sum())
        self._least = min(self._least, float(wanted.min()))
        self._largest = max(self._largest, float(wanted.max()))
        self._worst = max(self._worst, float(deviations(found, wanted).max()))
        answers = int(before.argmax()), int(found.argmax())
        self._agreeing += answers[0] == answers[1]
        if self._labels is not None:
            right = int(self._labels[number])
            self._before += answers[0] == right
            self._after += answers[1] == right

    def found(self) -> Answers:
        """Return what all samples came to."""
        mean = self._sum / self._numbers
        deviation = sqrt(max(0.0, self._squares / self._numbers - mean * mean))
        rmse = sqrt(self._noise / self._numbers)
        return Answers(rmse, self._worst, self._least, self._largest, deviation, *self._counts())

    def _counts(self) -> tuple[int | None, bool | None, int | None, int | None]:
        """Return how many agree, whether they are scores, and how many are right before and after."""
        agreeing = None if self._scores is False else self._agreeing
        if self._labels is None:
            return agreeing, self._scores, None, None
        return agreeing, self._scores, self._before, self._after

    def _last(self, numbers: Numbers) -> Numbers:
        """Return the logarithm of the softmax, of a model that ends so."""
        if self._row is None:
            return numbers
        rows = numbers.reshape(-1, self._row)
        rows = rows - rows.max(1, keepdims=True)
        found: Numbers = rows - np.log(np.exp(rows).sum(1, keepdims=True))
        return found


def _place(quantized: Quantized, end: End) -> int:
    """Return which of the outputs of the model in floats one in integers is."""
    states = quantized.reference.states.values()
    left = [place for place in range(len(quantized.reference.graph.outputs)) if place not in states]
    return left[next(at for at, other in enumerate(quantized.network.outputs) if other is end)]
