"""What quantizing cost: each step's output, and the answers, against those in floats."""

from dataclasses import dataclass
from math import inf, log10, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnstore.graph.moves import Move
from burnstore.graph.network import Network
from burnstore.graph.operations import MaxPool, Numbers, Operation, Softmax
from burnstore.models.comparison import may_be_scores
from burnstore.quantize.integer import IntegerRun
from burnstore.quantize.quantized import Quantized
from burnstore.quantize.samples import check_labels, check_samples


@dataclass(frozen=True)
class StepError:
    """How far a step's output is from the floats, over all samples.

    name, kernel: of the step, and the kernel that computes it.
    count: how many numbers come out.
    macs: how many products are added up for them.
    scale: what one byte more stands for.
    ratio: of the floats' power and that of the difference, in dB; infinite where there is no difference, NaN
        where the floats are all 0.
    largest: the largest difference.
    """

    name: str
    kernel: str
    count: int
    macs: int
    scale: float
    ratio: float
    largest: float


@dataclass(frozen=True)
class Report:
    """What a quantized model costs in accuracy.

    steps: a `StepError` for each step that runs.
    samples: how many were run.
    rmse: the root of the mean square of how far an answer's numbers are off.
    least, largest, deviation: of the answers' numbers in floats, the last from their mean.
    agreeing: the samples whose largest answer is the same in floats and in integers, None where the answers
        are no scores.
    are_scores: whether they are; None where that is not known.
    right_before, right_after: those whose largest answer is the label's, where there are labels.
    arena: bytes of a plan's.
    """

    steps: list[StepError]
    samples: int
    rmse: float
    least: float
    largest: float
    deviation: float
    agreeing: int | None
    are_scores: bool | None
    right_before: int | None
    right_after: int | None
    arena: int

    @property
    def of_4_bits(self) -> list[str]:
        """The names of the steps whose weights have 4 bits."""
        return [step.name for step in self.steps if step.kernel == "linear4"]

    @property
    def macs(self) -> int:
        """All products that are added up."""
        return sum(step.macs for step in self.steps)


def measure(
    quantized: Quantized,
    samples: NDArray[Any],
    labels: NDArray[Any] | None = None,
    scores: bool | None = None,
) -> Report:
    """Run samples in floats and in integers, and compare.

    quantized: as `quantize_model` returns it.
    samples: (count, ...), as there.
    labels: (count), the right answers, or None.
    scores: whether the answers are scores of classes. None: they are where there are labels or a softmax
        comes last, and are not unless they are (1, classes), 2 at least, and of another shape than the input.
    """
    check_samples(samples, quantized.reference.shape)
    answers = _Answers(quantized, labels, len(samples), scores)
    steps = [_Step(quantized, operation) for operation in quantized.network.operations]
    run, ends = IntegerRun(quantized.to_bytes()), quantized.program.ends
    input_bytes = quantized.known[quantized.network.input]
    for chosen, values in quantized.reference.values(samples):
        for place, number in enumerate(range(chosen.start, chosen.stop)):
            given = input_bytes.of(values[quantized.network.input][place])
            for step, output in zip(steps, run.outputs(given, ends), strict=True):
                found = step.add(values[step.operation.output][place], output)
            answers.add(number, values[quantized.reference.graph.output.number][place], found)
    names = [(name, kernel.removeprefix("int8.")) for kernel, name in quantized.program.form.steps]
    errors, before = [], 0
    for step, (done, _, _) in zip(steps, ends, strict=True):
        if done > before:  # a part of another value may take no step
            errors.append(step.error(*names[before if step.operation.macs else done - 1]))
        before = done
    return Report(errors, len(samples), *answers.errors(), *answers.counts(), quantized.arena)


class _Step:
    """A step, and sums over all samples of how far it is off."""

    def __init__(self, quantized: Quantized, operation: Operation) -> None:
        self.operation = operation
        self._bytes = quantized.known[operation.output]
        self._bounds = np.array((operation.low, operation.high))
        reader = quantized.network.only_reader(operation.output)
        if isinstance(reader, MaxPool | Move):
            # What is below the bytes, a MaxPool does not let through; what is outside of them, is not moved.
            ends = self._bytes.numbers((0, 255))
            self._bounds = self._bounds.clip(ends[0], ends[1] if isinstance(reader, Move) else None)
        self._signal = self._noise = self._largest = 0.0

    def add(self, numbers: NDArray[np.float32], output: NDArray[np.uint8]) -> Numbers:
        """Note the output for a sample; return the numbers that it stands for."""
        wanted, found = np.clip(numbers.astype(np.float64), *self._bounds), self._bytes.numbers(output)
        self._signal += float(np.square(wanted).sum())
        self._noise += float(np.square(found - wanted).sum())
        self._largest = max(self._largest, float(np.abs(found - wanted).max()))
        return found

    def error(self, name: str, kernel: str) -> StepError:
        """Return what all samples came to."""
        count, macs = self.operation.count, self.operation.macs
        return StepError(name, kernel, count, macs, self._bytes.scale, self._ratio(), self._largest)

    def _ratio(self) -> float:
        if not self._signal:
            return nan
        return 10 * log10(self._signal / self._noise) if self._noise else inf


def _are_scores(network: Network) -> bool | None:
    """Return whether a network's answers are scores of classes, as far as the network shows it."""
    if network.last or isinstance(network.maker(network.output), Softmax):
        return True
    return None if may_be_scores(network.output_shape, [network.input_shape]) else False


class _Answers:
    """Sums of how far answers are off, and counts of those that agree and are right."""

    def __init__(
        self, quantized: Quantized, labels: NDArray[Any] | None, samples: int, scores: bool | None
    ) -> None:
        network = quantized.network
        self._row = network.output_shape[-1] if network.last else None
        if labels is not None:
            check_labels(labels, samples, network.operations[-1].count)
            scores = True
        self._scores = _are_scores(network) if scores is None else scores
        self._labels = labels
        self._agreeing = self._before = self._after = self._numbers = 0
        self._sum = self._squares = self._noise = 0.0
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
        answers = int(before.argmax()), int(found.argmax())
        self._agreeing += answers[0] == answers[1]
        if self._labels is not None:
            right = int(self._labels[number])
            self._before += answers[0] == right
            self._after += answers[1] == right

    def errors(self) -> tuple[float, float, float, float]:
        """Return the error of the answers, their least and largest number, and their standard deviation."""
        mean = self._sum / self._numbers
        deviation = sqrt(max(0.0, self._squares / self._numbers - mean * mean))
        return sqrt(self._noise / self._numbers), self._least, self._largest, deviation

    def counts(self) -> tuple[int | None, bool | None, int | None, int | None]:
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
