"""From a step's words to a call that is ready: what each kind of kernel is given.

A call is (function, a, b, c, d), to be made as `function(a, b, c, d)`.
"""

from burnrt import kernels
from burnrt.arguments import WIDTHS, arguments
from burnrt.calls import caller
from burnrt.kernels.int8.memory import words as words_in

if False:  # for type checkers
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from burnrt.memory import Memory

    Call: TypeAlias = "tuple[Callable[..., Any], Any, Any, Any, Any]"

try:
    from uctypes import addressof
except ImportError:  # CPython has no kernels in machine code
    addressof = None


def by_address(kernel: "Callable[..., Any]", memory: "Memory", at: int, end: int) -> "Call":
    """Return the call of a kernel of integers in machine code, which takes addresses."""
    words, view = memory.words, memory.view
    row = addressof(view) + 4 * (at + 3)
    weight = addressof(memory.stretch(words[at], words[at + 1])) if words[at + 1] else row
    constants = addressof(view) + words[at + 2] if words[at + 2] else row
    return kernel, addressof(memory.bytes), weight, constants, row


def by_view(kernel: "Callable[..., Any]", memory: "Memory", at: int, end: int) -> "Call":
    """Return the call of a kernel of integers that takes a view of the arena, of bytes, and of words."""
    words, view = memory.words, memory.view
    row = words_in(view[4 * (at + 3) : 4 * end])
    weight = memory.stretch(words[at], words[at + 1]) if words[at + 1] else row
    constants = words_in(view[words[at + 2] : words[1]]) if words[at + 2] else row
    return kernel, memory.bytes, weight, constants, row


def by_arguments(kernel: "Callable[..., Any]", memory: "Memory", at: int, end: int) -> "Call":
    """Return the call of a kernel of floats."""
    found = arguments(memory.words, at, end, Places(memory))
    return caller(len(found)), kernel, found, None, None


class Places:
    """What a kernel of floats is given of a memory."""

    def __init__(self, memory: "Memory") -> None:
        self.floats = memory.floats
        self.number = memory.number
        self.bytes = memory.stretch
        self._arena = memory.bytes

    def arena(self, start: int, size: int) -> memoryview:
        """Return `size` bytes of the arena, from byte `start` on."""
        return self._arena[start : start + size]

    def numbers(self, dtype: str, start: int, count: int) -> "Any":
        """Return `count` numbers of the file, read where they lie."""
        size = count * WIDTHS[dtype]
        return kernels.weights(self.bytes(start, size)[:size], dtype, count)
