"""The self-test of a model, run on the board: the cases in its file, see `burnstore.models.selftest`.

The computer knows where in the file a case's numbers lie, so the board decodes nothing: it reads them piece
by piece, and compares what it answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from burnpack.errors import InvalidTensor, NotFound
from burnpack.reader import Reader
from burnrt.model import End, Model
from burnstore.boards.link.link import Link, about
from burnstore.models import selftest as cases

# Defines `case(inputs, outputs)`, which takes where each one's numbers lie in the file and whether they are
# bytes, and prints how far the answers are off at most. Floats of inputs lie on what bytes stand for, so
# rounding makes no difference.
_CASE = """\
f = open(%r, "rb")
n, b = array("f", bytes(256)), bytearray(64)
def numbers(at, of_bytes, count):
    f.seek(at)
    some = b if of_bytes else n
    for place in range(count):
        if not place & 63:
            f.readinto(some)
        yield place, some[place & 63]
def case(inputs, outputs):
    for e, (at, of_bytes) in zip(m.inputs, inputs):
        d = e.data
        for place, v in numbers(at, of_bytes, len(d)):
            if e.scale is not None and not of_bytes:
                v = min(max(int(v / e.scale + e.zero + 0.5), 0), 255)
            d[place] = v
%s    m.run()
    worst = 0.0
    for e, (at, of_bytes) in zip(m.outputs, outputs):
        d = e.data if of_bytes else e.read().data
        for place, wanted in numbers(at, of_bytes, len(d)):
            v = d[place]
            if v != wanted and (v == v or wanted == wanted):
                if of_bytes:
                    v, wanted = (v - e.zero) * e.scale, (wanted - e.zero) * e.scale
                off = abs(v - wanted) / max(1.0, abs(wanted))
                worst = max(worst, off) if off == off else float("inf")
    print(repr(str(worst)))
"""


# Bytes from the file's start, and whether the numbers are as they lie in the arena: bytes, of an index two.
Place = tuple[int, bool]


@dataclass(frozen=True)
class Case:
    """Where a case's numbers lie, of each input and of each output: see `Place`."""

    inputs: tuple[Place, ...]
    outputs: tuple[Place, ...]


@dataclass(frozen=True)
class Outcome:
    """The verdict: how many cases the board ran, how far it was off at most, and what was allowed."""

    cases: int
    worst: float
    tolerance: float

    @property
    def passed(self) -> bool:
        """Whether all answers are as they should be."""
        return self.worst <= self.tolerance

    def __str__(self) -> str:
        """Return the verdict on one line."""
        verdict = "passed" if self.passed else "FAILED"
        count = "1 case" if self.cases == 1 else f"{self.cases} cases"
        numbers = f"largest deviation {self.worst:.2g} (allowed: {self.tolerance:.2g})"
        return f"self-test {verdict}: {count}, {numbers}"


_BEGIN = "    m.reset()\n"  # of a model with states
FAILED = Outcome(0, float("inf"), 0.0)


def cases_of(reader: Reader, model: Model) -> list[Case]:
    """Return the cases in a file. model: its program. Raises `BurnpackError` for cases of another model."""
    found: list[Case] = []
    while f"{cases.INPUT}{len(found)}" in reader:
        inputs = _places(reader, f"{cases.INPUT}{len(found)}", model.inputs)
        found.append(Case(inputs, _places(reader, f"{cases.OUTPUT}{len(found)}", model.outputs)))
    return found


def run(link: Link, path: str, model: Model, found: Sequence[Case], tolerance: float) -> Outcome:
    """Run the cases of the model that is opened on the board; return what came of it.

    path: of its file there. model: the same on this computer.
    """
    worst = 0.0
    with about(path):
        link.run(_CASE % (path, _BEGIN if model.states else ""))
        for case in found:
            worst = max(worst, _number(link, link.ask(f"case({case.inputs!r}, {case.outputs!r})", str)))
        link.run("f.close()")
    return Outcome(len(found), worst, tolerance)


def _places(reader: Reader, first: str, ends: Sequence[End]) -> tuple[Place, ...]:
    """Return where the tensors of that name lie, one for each end."""
    names = [first, *(f"{first}.{number}" for number in range(1, len(ends)))]
    if f"{first}.{len(ends)}" in reader:
        raise InvalidTensor("a case has more than the model", first, expected=len(ends))
    for name, end in zip(names, ends, strict=True):
        if name not in reader:
            raise NotFound("a case of the self-test is not whole", name)
        cases.check_tensor(reader.tensor(name), end)
    return tuple((reader.span(name)[0], reader.tensor(name).dtype != "F32") for name in names)


def _number(link: Link, text: str) -> float:
    """Return the number that a board writes so; infinity is one that has no literal."""
    try:
        found = float(text)
    except ValueError:
        raise link.nonsense(text) from None
    if not found >= 0:
        raise link.nonsense(text)
    return found
