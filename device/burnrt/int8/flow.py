"""Where steps read and write: within the arena, and what earlier steps have written."""

from burnpack.dtype import count
from burnpack.errors import Malformed
from burnrt.int8 import words as at

if False:  # for type checkers
    from burnrt.int8.check import Step
    from burnrt.int8.program import Program


_PROGRAM = "int8.program"
_SHARED = ("add", "lookup")  # may write where they read


class Places:
    """Which numbers lie where in the arena, while one step after the other is looked at."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._known: list[
            tuple[int, int]
        ] = []  # (start, end), none of which overlap, the last that was written behind

    def hold(self, start: int, count: int) -> bool:
        """Return whether `count` numbers lie there, all of them, and just these."""
        return (start, start + count) in self._known

    def is_last(self, start: int, count: int) -> bool:
        """Return whether it is these numbers that were written last."""
        return self._known[-1] == (start, start + count)

    def fits(self, start: int, count: int) -> bool:
        """Return whether `count` numbers may lie there."""
        return start >= 0 and start % 4 == 0 and count <= self._size - start

    def put(self, start: int, count: int) -> None:
        """Let `count` numbers lie there; what they overlap is lost."""
        self.lose(start, count)
        self._known.append((start, start + count))

    def lose(self, start: int, count: int) -> None:
        self._known = [known for known in self._known if not _overlap(known, (start, start + count))]


def check_flow(step: "Step", places: "Places") -> None:
    """Refuse a step that reads what is not there or writes where it must not; note what it writes."""
    sources = [("INPUT", at.INPUT)]
    if step.operation == "add":
        sources.append(("OTHER", at.OTHER))
    start = step.words[at.OUTPUT]
    if not places.fits(start, step.outputs):
        step.refuse("OUTPUT", "a multiple of 4 with %d bytes of the arena" % step.outputs, start)
    output = (start, start + step.outputs)
    taken = [output]
    for label, place in sources:
        start = step.words[place]
        if not places.hold(start, step.inputs):
            step.refuse(label, "where %d numbers were written" % step.inputs, start)
        source = (start, start + step.inputs)
        if _overlap(source, output) and (source != output or step.operation not in _SHARED):
            step.refuse("OUTPUT", "a place apart from %s" % label, output[0])
        taken.append(source)
    if step.operation == "conv2d":
        _check_work(step, places, taken)
    places.put(output[0], step.outputs)


def _check_work(step: "Step", places: "Places", taken: list[tuple[int, int]]) -> None:
    words = step.words
    size = at.work_size(words[at.CHANNELS], words[at.KERNEL], words[at.KERNEL + 1])
    start = words[at.WORK]
    if not places.fits(start, size):
        step.refuse("WORK", "a multiple of 4 with %d bytes of the arena" % size, start)
    if any([_overlap(place, (start, start + size)) for place in taken]):
        step.refuse("WORK", "a place apart from input and output", start)
    places.lose(start, size)


def check_input(program: "Program", places: "Places") -> None:
    """Refuse an input that is not in the arena; note where it lies."""
    size = count(program.input_shape)
    if not places.fits(program.input_at, size):
        expected = "a multiple of 4 with %d bytes of the arena" % size
        raise Malformed("wrong offset of the input", _PROGRAM, expected=expected, found=program.input_at)
    places.put(program.input_at, size)


def check_output(program: "Program", places: "Places") -> None:
    """Refuse an output that is not what the last step has written."""
    size = count(program.output_shape)
    if not places.is_last(program.output_at, size):
        expected = "where %d numbers were written last" % size
        raise Malformed("wrong offset of the output", _PROGRAM, expected=expected, found=program.output_at)


def _overlap(place: tuple[int, int], other: tuple[int, int]) -> bool:
    return place[0] < other[1] and other[0] < place[1]
