"""Memory for what a plan keeps: said in bytes where there is not enough."""

import gc

if False:  # for type checkers
    from collections.abc import Callable
    from typing import Any

    from burnpack.types import T


try:
    from uctypes import addressof
except ImportError:  # CPython, whose buffers are aligned
    addressof = None

from burnpack.errors import InvalidTensor, LimitExceeded

WORD = 4  # bytes of a float, and of an integer that kernels read in one go


def claim(make: "Callable[[], T]", size: int, item: str) -> "T":
    """Return what `make()` makes, which takes `size` bytes or a little more.

    Garbage is collected before. Raises `LimitExceeded` where memory does not hold it.
    """
    gc.collect()
    try:
        return make()
    except (MemoryError, OverflowError):
        pass  # what was made by then is garbage from here on
    what = "not enough memory for the plan, or only in pieces"
    raise LimitExceeded(what, item, expected="%d bytes in one piece" % size, found=_free())


def check_arena(arena: "Any", size: int, sample: "Any", item: str) -> None:
    """Refuse a caller's buffer of less than `size` bytes, of other items than wanted, or not aligned.

    sample: a buffer of one item as wanted.
    """
    found: "Any" = _items(arena, item)
    wanted = _items(sample, item)
    if found[1:] != wanted[1:]:
        names = ["%s of %d bytes" % items[1:] for items in (wanted, found)]
        raise InvalidTensor("wrong numbers in the arena", item, expected=names[0], found=names[1])
    if found[0] * found[2] < size:
        expected, found = "%d bytes" % size, "%d bytes" % (found[0] * found[2])
        raise InvalidTensor("the arena is too small", item, expected=expected, found=found)
    if addressof is not None and addressof(arena) % WORD:
        expected, found = "a multiple of %d" % WORD, addressof(arena)
        raise InvalidTensor("the arena's address is odd", item, expected=expected, found=found)


def _items(buffer: "Any", item: str) -> tuple[int, str, int]:
    """Return how many items a buffer has, what kind of number one is, and its bytes."""
    try:
        view = memoryview(buffer)
        kind = _kind(view)
    except (TypeError, ValueError, IndexError, NotImplementedError):
        view = None
    if view is None or not getattr(view, "contiguous", True):
        found = type(buffer).__name__
        raise InvalidTensor("the arena must be one piece of numbers that can be written", item, found=found)
    return len(view), kind, len(bytes(view[:1]))


def _kind(view: memoryview) -> str:
    first = view[0]
    view[0] = first  # kernels do not ask whether they may write
    try:
        view[0] = -1
        signed = view[0] < 0
    except (ValueError, OverflowError):
        signed = False
    view[0] = first
    return ("%s" if signed else "unsigned %s") % type(first).__name__


def _free() -> str | None:
    gc.collect()
    return "%d bytes free" % gc.mem_free() if hasattr(gc, "mem_free") else None
