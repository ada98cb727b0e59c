"""The tensor `int8.program`: what the steps of a model are told, and what comes before.

words                 what
arena, input, output  bytes of the arena; offsets in it of what comes in and what goes out
rank, extents         of the input's shape, then of the output's
those of each step    as many as `words.LENGTHS` says, in the order of the metadata `int8.steps`
"""

from burnpack.dtype import count
from burnpack.errors import DuplicateName, LimitExceeded, Malformed, Unsupported, printable
from burnrt.int8 import words as at
from burnrt.int8.check import ARENA_MOST, RANK_MOST, check_arena

if False:  # for type checkers
    from collections.abc import Iterator

    from burnrt.types import Words


NAME = "int8.program"
STEPS_MOST = 1024  # more than any model has; each is compared with what all others have written


class Program:
    """The words before the steps'.

    arena: bytes. input_at, output_at: offsets. input_shape, output_shape: tuples. start: of the steps' words.
    """

    arena: int
    input_at: int
    output_at: int
    input_shape: tuple[int, ...]
    output_shape: tuple[int, ...]
    start: int

    def __init__(self, words: "Words", size: int) -> None:
        """words: a sequence of `size` words."""
        self._words = words
        self._size = size
        self.start = 0
        self.arena = self._next()
        check_arena(self.arena)
        self.input_at, self.output_at = self._next(), self._next()
        self.input_shape, self.output_shape = self._shape("input"), self._shape("output")

    def rows(self, text: str) -> "Iterator[tuple[str, str, int, int]]":
        """Yield (operation, name, start, end) of each step: where its words are. text: the metadata."""
        start: int
        taken: set[str]
        start, taken = self.start, set()
        for line in text.split("\n") if text else ():
            operation, _, name = line.partition(" ")
            if operation not in at.LENGTHS or not name:
                raise Unsupported("unknown operation", "int8.steps", None, None, None, line)
            if name in taken:  # each has tensors of its own: what is copied is never more than the file
                raise DuplicateName("two steps of this name", "int8.steps", found=name)
            if len(taken) == STEPS_MOST:
                raise LimitExceeded("too many steps", "int8.steps", expected="at most %d" % STEPS_MOST)
            taken.add(name)
            end = start + at.LENGTHS[operation]
            if end > self._size:
                what = "ends before the words of step %s" % printable(name)
                raise Malformed(what, NAME, None, None, end, self._size)
            yield operation, name, start, end
            start = end
        if start != self._size:
            raise Malformed("more words than the steps have", NAME, None, None, start, self._size)

    def _next(self) -> int:
        if self.start >= self._size:
            raise Malformed("ends before the steps", NAME, None, None, "more words", self._size)
        self.start += 1
        return self._words[self.start - 1]

    def _shape(self, what: str) -> tuple[int, ...]:
        rank = self._next()
        if not 0 <= rank <= RANK_MOST:
            raise Malformed("wrong rank of the %s" % what, NAME, None, None, "at most %d" % RANK_MOST, rank)
        shape = tuple([self._next() for _ in range(rank)])
        if min(shape + (1,)) < 1 or count(shape) > ARENA_MOST:
            raise Malformed("wrong shape of the %s" % what, NAME, None, None, None, shape)
        return shape
