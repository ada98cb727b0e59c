"""The self-test: golden inputs and outputs that a .bpk brings along, run through the model and compared.

    name                   what
    selftest.input.N       tensor, F32: the input of case N = 0, 1, ..., the batch first
    selftest.input.N.K     the same, of a model with several: its input K = 1, 2, ...; input 0 is above
    selftest.output.N      tensor, F32: what the model must answer, found on the computer or elsewhere
    selftest.output.N.K    the same, of a model with several answers
    selftest.tolerance     scalar, Float: how far a number may be off, as a part of it, or of 1 if it is less

No parameter of a model has such a name, so loading leaves these tensors out.
"""

from burnpack.dtype import count
from burnpack.errors import InvalidTensor, NotFound, Unsupported
from burnrt import kernels
from burnrt.value import Value, allocate

if False:  # for type checkers
    from burnpack.container import Container
    from burnpack.module import Module
    from burnpack.types import Shape
    from burnrt.types import Numbers


INPUT = "selftest.input."
OUTPUT = "selftest.output."
TOLERANCE = "selftest.tolerance"
DEFAULT_TOLERANCE = 1e-4  # 32-bit floats, added up in another order

_INFINITE = float("inf")


class Verdict:
    """What became of a self-test.

    cases: how many were run; none is no pass. worst: the largest deviation, measured as the tolerance is.
    """

    cases: int
    worst: float
    tolerance: float
    passed: bool

    def __init__(self, cases: int, worst: float, tolerance: float) -> None:
        self.cases = cases
        self.worst = worst
        self.tolerance = tolerance
        self.passed = cases > 0 and worst <= tolerance

    def __str__(self) -> str:
        if not self.cases:
            return "self-test: no cases"
        cases = "1 case" if self.cases == 1 else "%d cases" % self.cases
        facts = ("passed" if self.passed else "FAILED", cases, self.worst, self.tolerance)
        return "self-test %s: %s, largest deviation %.2g (allowed: %.2g)" % facts


def run(model: "Module", container: "Container") -> "Verdict":
    """Return the `Verdict` on a loaded model by the cases in `container`, an opened .bpk.

    Raises `NotFound` where a case has an input and no output, `InvalidTensor` for an output of another shape
    or a case that is not F32.
    """
    cases = 0
    worst = 0.0
    while INPUT + str(cases) in container:
        given = [_copied(*_numbers(container, name)) for name in _names(container, INPUT + str(cases))]
        found = values(model(*given))
        worst = max(worst, _worst(found, container, OUTPUT + str(cases)))
        cases += 1
    return Verdict(cases, worst, _tolerance(container))


def values(answer: object) -> "list[Value]":
    """Return the values that a model answers with, in order: it is one, or a tuple or list of such answers.

    Raises `Unsupported` for anything else.
    """
    if isinstance(answer, Value):
        return [answer]
    if not isinstance(answer, (tuple, list)):
        what = "a model answers with a value, or a tuple or list of values"
        raise Unsupported(what, "the answer", found=type(answer).__name__)
    return [value for part in answer for value in values(part)]


def deviation(found: float, wanted: float) -> float:
    """Return how far `found` is off, as a part of `wanted`, or of 1 where that is smaller."""
    if found == wanted or (found != found and wanted != wanted):
        return 0.0
    off = abs(found - wanted) / max(1.0, abs(wanted))
    return off if off == off else _INFINITE


def _copied(numbers: "Numbers", shape: "Shape") -> "Value":
    value = allocate(shape)
    for place in range(count(shape)):  # numbers in place have no length
        value.data[place] = numbers[place]
    return value


def _names(container: "Container", first: str) -> list[str]:
    """Return the names of a case's tensors: the first, and as many more as are numbered."""
    names = [first]
    while "%s.%d" % (first, len(names)) in container:
        names.append("%s.%d" % (first, len(names)))
    return names


def _worst(found: "list[Value]", container: "Container", first: str) -> float:
    """Return the largest deviation of a case's values from the tensors of that name."""
    names = _names(container, first)
    worst = 0.0
    for place in range(len(names)):
        wanted, shape = _numbers(container, names[place])
        if len(found) != len(names):
            what = "the model answers with another number of values"
            raise InvalidTensor(what, first, None, None, len(names), len(found))
        if found[place].shape != shape:
            what = "the model's answer has another shape"
            raise InvalidTensor(what, names[place], None, None, shape, found[place].shape)
        data = found[place].data
        for index in range(count(shape)):  # numbers in place have no length
            worst = max(worst, deviation(data[index], wanted[index]))
    return worst


def _numbers(container: "Container", name: str) -> "tuple[Numbers, Shape]":
    if name not in container:
        raise NotFound("a golden input without its output", name)
    golden = container.tensor(name)
    if golden.dtype != "F32":
        raise InvalidTensor("golden values are of another dtype", name, None, None, "F32", golden.dtype)
    # Every set of kernels reads F32.
    return kernels.weights(golden.data(), golden.dtype, count(golden.shape)), golden.shape  # type: ignore[return-value]


def _tolerance(container: "Container") -> float:
    for name, scalar in container.scalars():
        if name == TOLERANCE and scalar[0] == "Float":
            return scalar[1]
    return DEFAULT_TOLERANCE
