"""The self-test: golden inputs and outputs that a .bpk brings along, run through the model and compared.

    name                 what
    selftest.input.N     tensor, F32: the input of case N = 0, 1, ..., the batch first
    selftest.output.N    tensor, F32: what the model answered on the computer
    selftest.tolerance   scalar, Float: how far a number may be off, as a part of it, or of 1 if that is more

No parameter of a model has such a name, so loading leaves these tensors out.
"""

from burnpack.dtype import count
from burnpack.errors import InvalidTensor, NotFound
from burnrt import kernels
from burnrt.value import allocate

INPUT = "selftest.input."
OUTPUT = "selftest.output."
TOLERANCE = "selftest.tolerance"
DEFAULT_TOLERANCE = 1e-4  # 32-bit floats, added up in another order

_INFINITE = float("inf")


class Verdict:
    """What became of a self-test.

    cases: how many were run; none is no pass. worst: the largest deviation, measured as the tolerance is.
    """

    def __init__(self, cases, worst, tolerance):
        self.cases = cases
        self.worst = worst
        self.tolerance = tolerance
        self.passed = cases > 0 and worst <= tolerance

    def __str__(self):
        if not self.cases:
            return "self-test: no cases"
        cases = "1 case" if self.cases == 1 else "%d cases" % self.cases
        facts = ("passed" if self.passed else "FAILED", cases, self.worst, self.tolerance)
        return "self-test %s: %s, largest deviation %.2g (allowed: %.2g)" % facts


def run(model, container):
    """Return the `Verdict` on a loaded model by the cases in `container`, an opened .bpk.

    Raises `NotFound` where a case has an input and no output, `InvalidTensor` for an output of another shape
    or a case that is not F32.
    """
    cases = 0
    worst = 0.0
    while INPUT + str(cases) in container:
        golden_input, shape = _numbers(container, INPUT + str(cases))
        answer = model(_copied(golden_input, shape))
        name = OUTPUT + str(cases)
        wanted, shape = _numbers(container, name)
        if answer.shape != shape:
            raise InvalidTensor("the model's answer has another shape", name, None, None, shape, answer.shape)
        worst = max(worst, _worst(answer.data, wanted, count(shape)))
        cases += 1
    return Verdict(cases, worst, _tolerance(container))


def deviation(found, wanted):
    """Return how far `found` is off, as a part of `wanted`, or of 1 where that is smaller."""
    if found == wanted or (found != found and wanted != wanted):
        return 0.0
    off = abs(found - wanted) / max(1.0, abs(wanted))
    return off if off == off else _INFINITE


def _copied(numbers, shape):
    value = allocate(shape)
    for place in range(count(shape)):  # numbers in place have no length
        value.data[place] = numbers[place]
    return value


def _worst(found, wanted, size):
    worst = 0.0
    for place in range(size):
        worst = max(worst, deviation(found[place], wanted[place]))
    return worst


def _numbers(container, name):
    if name not in container:
        raise NotFound("a golden input without its output", name)
    golden = container.tensor(name)
    if golden.dtype != "F32":
        raise InvalidTensor("golden values are of another dtype", name, None, None, "F32", golden.dtype)
    return kernels.weights(golden.data(), golden.dtype, count(golden.shape)), golden.shape


def _tolerance(container):
    for name, scalar in container.scalars():
        if name == TOLERANCE and scalar[0] == "Float":
            return scalar[1]
    return DEFAULT_TOLERANCE
