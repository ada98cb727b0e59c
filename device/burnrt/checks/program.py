"""What refuses a program before a kernel runs.

A kernel reads and writes where it is told to. So all that it is told is looked at here: places lie within
the arena, a step reads what was written before it and writes apart from what it reads, and a run ends in
time. That weights lie within the file `Memory.stretch` sees, before a kernel runs, too.

Errors count the words of a step; those of the header and of constants from the program's first one.
"""

from burnpack.compat import ON_BOARD, const
from burnrt.arguments import WIDTHS, argument
from burnrt.checks.holding import hold, row
from burnrt.checks.integers import BEFORE, START
from burnrt.kernels.named import FLOATS, INDICES, INTEGERS, LEFT, PARTS, STATES, find
from burnrt.refusal import refuse
from burnrt.words import HIGH, INPUT, LOW, OUTPUT, WORK

if False:  # for type checkers
    from typing import Any, TypeAlias

    from burnrt.memory import Memory
    from burnrt.types import Spans

    Known: TypeAlias = list[tuple[int, ...]]

# Numbers that a run may look at: minutes on a board. MobileNetV1 for images of 224 by 224 has 569 million.
_WORK_MOST = const(1 << 28) if ON_BOARD else 600_000_000
_END_WORK = const(64)  # what a number costs that comes in or goes out, as floats
_HEADER = b"\0\0\0\0\x07\x07\x14\0"  # up to 8 inputs and outputs, and 1,023 steps: more than any model has
_END = b"\x04\x30\0\x10\x02\x08"  # KIND AT SCALE ZERO LAST RANK
_EXTENT = b"\x31"
_STEP = b"\x10\x30"  # the kernel among the names, and how many words


def check_program(memory: "Memory") -> None:
    """Refuse a program that reads or writes where it must not, or takes too long. Raises `Malformed`."""
    words, item = memory.words, "program"
    known: "Known" = []
    outputs: "Spans" = []
    try:
        at, work = _ends(memory, known, outputs)
        for number in range(words[6]):
            kernel, size = row(memory, at, _STEP)
            name = memory.names[kernel]
            item = "step %d, %s" % (number, name)
            check = _integers if INTEGERS and (not FLOATS or name[:5] == "int8.") else _floats
            at += 2
            work += check(memory, known, at, size, find(name)[2])
            at += size
        item = "program"
        hold(1, 4 * at, 0, words[1])
        _covered([span for span in known if len(span) == 2] if PARTS else known, outputs)
        hold("work", work, 0, _WORK_MOST)
    except (LookupError, ValueError) as error:
        refuse(item, *error.args)


def _ends(memory: "Memory", known: "Known", outputs: "Spans") -> tuple[int, int]:
    """Check inputs and outputs, and note where they are; return where the steps begin, and the work."""
    work = 0
    if STATES:
        states = 0
    if FLOATS:  # of integers alone the arena is one of bytes
        least = min([1] + [0 for name in memory.names if name[:5] != "int8."])
    _, _, _, _, inputs, ends, _, at = row(memory, 0, _HEADER)
    at += 8
    for number in range(inputs + ends):
        kind, start, scale, _, last, rank = row(memory, at, _END)
        if not INDICES and kind == 2:
            find("indices")
        hold(0, kind, least if FLOATS else 1, 2 if INDICES and number < inputs and not last else 1)
        if not LEFT and (not STATES or number >= inputs) and last:
            find("log_softmax" if STATES else "log_softmax, states")  # there is none, and that is said
        if LEFT and not STATES and number < inputs and last:
            find("states")
        if STATES and number < inputs:
            hold(4, last, states, min(number, 1))  # they come last, behind one input at least
            states = last
        at += 6
        size = 1
        for extent in row(memory, at, _EXTENT * rank):
            size *= extent
        at += rank
        work += _END_WORK * size
        if FLOATS and not kind:
            size *= 4
        else:
            if INDICES:
                size *= kind
            hold(2, scale >> 23, 1, 253)  # the exponent: from 2^-126 to below 2^127
        span = (start, start + size)
        if number < inputs:
            _write(memory, known, span)
        else:
            hold(1, start & 3, 0, 0)
            outputs.append(span)
    if PARTS:
        known = [other for other in known if len(other) == 2]
    hold(4, len(known), inputs, inputs)  # none lies over another
    return at, work


def _write(memory: "Memory", known: "Known", span: tuple[int, int], count: int = 0) -> None:
    """Refuse to write outside of the arena; note what is written, and that what it overlaps is lost.

    known: spans of bytes that hold what was written. One that is still to be filled has a third number: how
    many of them are left; so has what is left of one of which a part was lost: 0. count: how many of a span a
    step writes that may be one of several which fill it.
    """
    start, end = span
    hold("start", 0 if PARTS and count else start & 3, 0, 0)
    hold("end", end, start + 1, memory.words[2])
    if PARTS:
        left = end - start - count if count else 0
    for other in known[:]:
        if start < other[1] and other[0] < end:
            known.remove(other)
            if PARTS:
                if count and other[:2] == span:
                    left = sum(other[2:]) - count
                elif not sum(other[2:]):
                    pieces = ((other[0], start, 0), (end, other[1], 0))
                    known += [piece for piece in pieces if piece[0] < piece[1]]
    known.append(span + (left,) if PARTS and left > 0 else span)


def _integers(memory: "Memory", known: "Known", at: int, size: int, check: "Any") -> int:
    """Check a step of integers; return its work."""
    kinds, needs = check
    kinds = START + kinds
    hold("size", size, len(kinds), len(kinds))
    weight_start, weight_size, constants, *words = row(memory, at, kinds)
    hold(BEFORE + HIGH, words[HIGH], words[LOW], 255)
    needed = needs(words, memory, constants)
    reads, writes, window, weight, scratch, other, in_place = needed[:7] if PARTS else needed
    hold(1, weight_size, weight, weight)
    hold(0, weight_start & 3, 0, 0)
    hold(2, constants & 3, 0, 0)
    if PARTS:
        filled: "Any" = list(needed[7:])
        sizes = reads if isinstance(reads, tuple) else (reads, reads)
        spans = [(words[place], words[place] + size) for place, size in zip((INPUT, other), sizes) if size]
        after: "Spans" = []
        if filled and not isinstance(filled[0], int):
            before, after = filled.pop()
            spans += before
    else:
        spans = [(words[place], words[place] + reads) for place in (INPUT, other)]
    out = (words[OUTPUT], words[OUTPUT] + writes)
    _covered(known, spans)
    _apart(spans, out, in_place)
    if PARTS:
        _write(memory, known, out, *filled)
        if not filled:
            hold("start", (words[INPUT] | words[other]) & 3, 0, 0)
    else:
        _write(memory, known, out)
    spans.append(out)
    if PARTS:
        for span in after:  # in the place of those before, or in one of its own
            _apart(spans[:-1], span, True)
            _apart(spans[-1:], span, False)
            _write(memory, known, span)
            spans.append(span)
    if scratch:
        work = (words[WORK], words[WORK] + scratch)
        _apart(spans, work, False)
        _write(memory, known, work)
        known.pop()
    if PARTS and filled:
        writes = sum(filled)
    return writes * window  # type: ignore[no-any-return] # by a table


def _apart(spans: "Spans", written: tuple[int, int], in_place: bool) -> None:
    """Refuse to write over what is read, but, where a kernel works in place, over all of it."""
    for span in spans:
        if written[0] < span[1] and span[0] < written[1] and not (in_place and span == written):
            raise ValueError("it writes over", span, written)


def _floats(memory: "Memory", known: "Known", at: int, size: int, check: "Any") -> int:
    """Check a step of floats; return its work."""
    counts = _Counts(memory)
    end = at + size
    found: list[Any] = []
    answer: "Any" = None
    try:
        while at < end:
            counts.place = 1 << len(found)
            value, at = argument(memory.words, at, counts, 0)
            found.append(value)
        answer = at == end and check(*found)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        pass
    if not answer:
        raise ValueError("arguments", "others", found)
    work, written, shared = answer
    reads: "Spans" = []
    writes: "Spans" = []
    both: "Spans" = []
    for place, span in counts.spans:
        if place & written:
            writes.append(span)
        if place & shared:
            both.append(span)
        elif not place & written:
            reads.append(span)
    _covered(known, reads + both)
    reads += [span for span in both if span not in writes]
    for span in writes:
        _apart(reads, span, False)
        _write(memory, known[:] if span in both else known, span)
        reads.append(span)
    return work  # type: ignore[no-any-return] # by a table


def _covered(known: "Known", spans: "Spans") -> None:
    """Refuse to read what was not written, in one piece or several, or was written in part.

    Of what is left of a span, one piece can be read.
    """
    if PARTS or FLOATS:
        for start, end in spans:
            met = [min(end, other[1]) - max(start, other[0]) for other in known if len(other) == 2]
            left = [0 for other in known if other[2:] == (0,) and other[0] <= start and end <= other[1]]
            if not left and not 0 < sum([size for size in met if size > 0]) == end - start:
                raise ValueError("it reads", known, (start, end))
    else:  # each is one that was written
        for span in spans:
            if span not in known:
                raise ValueError("it reads", known, span)


class _Counts:
    """What a check is given of arguments: of buffers, lists of how many numbers they have; of bytes a text,
    which no list and no number is taken for.

    place: a bit for the argument that is looked at. spans: of each in the arena (place, its bytes).
    """

    place: int

    def __init__(self, memory: "Memory") -> None:
        self._memory = memory
        self.spans: "list[tuple[int, tuple[int, int]]]" = []

    def floats(self, start: int, count: int) -> list[int]:
        hold("start", min(start, count), 0, 1 << 24)
        self.spans.append((self.place, (4 * start, 4 * (start + count))))
        return [count]

    def numbers(self, dtype: str, start: int, count: int) -> list[int]:
        self.bytes(start, count * WIDTHS[dtype])
        return [count]

    def bytes(self, start: int, size: int) -> str:
        hold("FROM", min(start, size), 1, 1 << 30)
        return "%d bytes" % size

    def arena(self, start: int, size: int) -> str:
        hold("start", min(start, size), 0, 1 << 24)
        self.spans.append((self.place, (start, start + size)))
        return "%d bytes" % size

    def number(self, place: int) -> float:
        hold("count", place, 0, self._memory.words[1] // 4 - 1)
        return self._memory.number(place)
