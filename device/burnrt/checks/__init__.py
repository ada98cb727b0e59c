"""What refuses a program before a kernel runs.

A kernel reads and writes where it is told to. So all that it is told is looked at here: places lie within the arena
and the file, a step reads what was written before it and writes apart from what it reads, and a run ends in time.
"""

from struct import unpack_from

from burnpack.compat import const
from burnrt.arguments import arguments
from burnrt.checks.named import find
from burnrt.kernels.named import FLOATS, INTEGERS, LEFT
from burnrt.refusal import hold, refuse
from burnrt.words import INPUT, OUTPUT, WORK

if False:  # for type checkers
    from typing import Any

    from burnrt.memory import Memory
    from burnrt.types import Spans

# Numbers that a run may look at: minutes on a board. MobileNetV1 for images of 224 by 224 has 569 million.
WORK_MOST = 600_000_000 if hasattr(memoryview, "cast") else 1 << 28
_END_WORK = const(64)  # what a number costs that comes in or goes out, as floats
_ENDS_MOST = const(8)
_STEPS_MOST = const(1024)  # more than any model has; each is compared with what all others have written
_RANK_MOST = const(8)
_EXTENT_MOST = const(1 << 24)
_HEAD = const(32)  # bytes of a program's first words
_SPARE = const(3)  # bytes behind a weight of integers that kernels read
_BLOCK = const(64)  # constants that are looked at together
_WIDTHS = {"F32": 4, "F16": 2, "BF16": 2, "F64": 8}
_PROGRAM = "program"


def check_program(memory: "Memory") -> None:
    """Refuse a program that reads or writes where it must not, or takes too long. Raises `Malformed`."""
    try:
        _check(memory)
    except IndexError:
        refuse(_PROGRAM, "it is cut short", "more words", memory.words[1] // 4)


def _check(memory: "Memory") -> None:
    words, names = memory.words, memory.names
    for place, most in ((4, _ENDS_MOST), (5, _ENDS_MOST), (6, _STEPS_MOST)):
        hold(_PROGRAM, place, words[place], place != 6, most)
    known: "Spans" = []
    ends: "Spans" = []
    at, work = _check_ends(memory, known, ends)
    copied = 0
    for number in range(words[6]):
        size = words[at + 1]
        hold(_PROGRAM, at, words[at], 0, len(names) - 1)
        hold(_PROGRAM, at + 1, size, 0, words[1] // 4 - at - 2)
        name = names[words[at]]
        item = "step %d, %s" % (number, name)
        check = find(name)
        if check is None:
            refuse(item, "unknown kernel", "another", name)
        look = _integers if INTEGERS and (not FLOATS or name[:5] == "int8.") else _floats
        more_work, more_copied = look(memory, item, check, at + 2, size, known)
        at += 2 + size
        work += more_work
        copied += more_copied
    hold(_PROGRAM, 3, words[3], copied, copied)
    for end in ends:
        if end not in known:
            refuse(_PROGRAM, "an output is not there at the end", known, end)
    if work > WORK_MOST:
        refuse(_PROGRAM, "a run takes too long", "at most %d numbers" % WORK_MOST, work)


def _check_ends(memory: "Memory", known: "Spans", ends: "Spans") -> tuple[int, int]:
    """Check inputs and outputs, and note where they are; return where the steps begin, and the work."""
    words = memory.words
    at, work = 8 + words[7], 0
    for number in range(words[4] + words[5]):
        kind, start, scale, zero, last, rank = [words[place] for place in range(at, at + 6)]
        hold(_PROGRAM, at, kind, 0 if FLOATS else 1, 1)
        hold(_PROGRAM, at + 5, rank, last, _RANK_MOST)
        hold(_PROGRAM, at + 4, last, 0, 1 if LEFT else 0)
        if kind:
            hold(_PROGRAM, at + 2, scale >> 23, 1, 253)  # the exponent: from 2^-126 to below 2^127
            hold(_PROGRAM, at + 3, zero, 0, 255)
        count = 1
        for place in range(at + 6, at + 6 + rank):
            hold(_PROGRAM, place, words[place], 1, _EXTENT_MOST)
            count *= words[place]
        work += _END_WORK * count
        span = (start, start + (count if kind else 4 * count))
        if number < words[4]:
            _flow(memory, _PROGRAM, known, [], [span], [], False)
        else:
            ends.append(span)
        at += 6 + rank
    return at, work


def _flow(
    memory: "Memory",
    item: str,
    known: "Spans",
    reads: "Spans",
    writes: "Spans",
    scratch: "Spans",
    in_place: bool,
) -> None:
    """Refuse a step that reads what is not there or writes where it must not; note what it writes.

    known: spans of bytes that hold what was written, of which no two overlap. scratch: written, and then lost.
    in_place: whether what is read and written may be one span.
    """
    for span in reads:
        if span not in known:
            refuse(item, "it reads what was not written", known, span)
    taken = [span for span in reads if not (in_place and span in writes)]
    for span in writes + scratch:
        start, end = span
        if start & 3 or not 0 <= start < end <= memory.words[2]:
            refuse(item, "it writes outside of the arena", "multiples of 4 below %d" % memory.words[2], span)
        for other in taken:
            if start < other[1] and other[0] < end:
                refuse(item, "it writes where it reads or writes", "apart from %r" % (other,), span)
        taken.append(span)
        known[:] = [other for other in known if other[1] <= start or end <= other[0]]
    known += writes


def _integers(
    memory: "Memory", item: str, check: "Any", at: int, size: int, known: "Spans"
) -> tuple[int, int]:
    """Check a step of integers; return its work, and what its weight takes where it is copied."""
    words = unpack_from("<%di" % min(size, 32), memory.view, 4 * at)
    weight_from, weight_size, constants_from = words[:3] if size > 2 else (0, 0, 0)
    step = words[3:]
    in_place, other, reads, writes, window, scratch, weight, constants = check(item, step)
    span = (step[OUTPUT], step[OUTPUT] + writes)
    spans = [(start, start + reads) for start in (step[INPUT], step[other])]
    _flow(
        memory, item, known, spans, [span], [(step[WORK], step[WORK] + scratch)] if scratch else [], in_place
    )
    if weight_size != weight:
        refuse(item, "wrong WEIGHT_SIZE", weight, weight_size)
    copied = _weight(memory, item, weight_from, weight, _SPARE if constants else 0)
    for row in constants:
        _check_constants(memory, item, constants_from, *row)
    return writes * window, copied


def _weight(memory: "Memory", item: str, start: int, size: int, spare: int) -> int:
    """Return what a weight takes where it is read from a file; refuse one that is not in it."""
    length = memory.words[1]
    if size < 1:
        hold(item, "FROM", start, 0, 0)
    else:
        hold(item, "FROM", start, _HEAD, (length if start < length else memory.size) - size - spare)
    return (size + 7) // 4 * 4 if start >= length else 0


def _check_constants(
    memory: "Memory", item: str, start: int, first: int, count: int, least: int, most: int, zeros: int
) -> None:
    """Refuse constants that are not in least..most, or have bits that should be 0."""
    place = start // 4 + first
    if start & 3 or not _HEAD <= start <= memory.words[1] - 4 * (first + count):
        refuse(item, "wrong CONSTANTS_FROM", "a multiple of 4 in the program", start)
    item += "'s constants"
    while count > 0:
        part = unpack_from("<%di" % min(count, _BLOCK), memory.view, 4 * place)
        for value in (min(part), max(part)):
            hold(item, place + part.index(value), value, least, most)
        for word in part if zeros else ():
            if word & zeros:
                refuse(item, "word %d" % (place + part.index(word)), "bits of %d that are 0" % zeros, word)
        place += _BLOCK
        count -= _BLOCK


def _floats(memory: "Memory", item: str, check: "Any", at: int, size: int, known: "Spans") -> tuple[int, int]:
    """Check a step of floats; return its work, and what its weights take where they are copied."""
    counts = _Counts(memory, item)
    found: "Any" = ()
    try:
        found = arguments(memory.words, at, at + size, counts)
        work, written, in_place = check(*found)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        refuse(item, "wrong arguments", "what the kernel takes", found)
    places = [place for place in range(len(found)) if written >> place & 1]
    spans: "list[Spans]" = [[], []]
    for made, span in counts.spans:
        spans[bool([place for place in places if found[place] is made])].append(span)
    _flow(memory, item, known, spans[0], spans[1], [], in_place)
    return work, counts.copied


class _Counts:
    """What a check is given of arguments: of buffers, lists of how many numbers they have.

    spans: of each in the arena the list, and its bytes. copied: bytes that those in the file take.
    """

    def __init__(self, memory: "Memory", item: str) -> None:
        self._memory = memory
        self._item = item
        self.spans: "list[tuple[list[int], tuple[int, int]]]" = []
        self.copied = 0

    def floats(self, start: int, count: int) -> list[int]:
        made = [count]
        self.spans.append((made, (4 * start, 4 * (start + count))))
        return made

    def numbers(self, dtype: str, start: int, count: int) -> list[int]:
        self.bytes(start, count * _WIDTHS[dtype])
        return [count]

    def bytes(self, start: int, size: int) -> list[int]:
        self.copied += _weight(self._memory, self._item, start, size, 0)
        return [size]

    def number(self, place: int) -> float:
        hold(self._item, place, place, 0, self._memory.words[1] // 4 - 1)
        return self._memory.number(place)
