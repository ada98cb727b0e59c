"""Which kernels a program calls: what a runtime for it must have."""

from typing import NamedTuple

from burnpack.errors import Malformed, NotFound
from burnstore.io.beside import PROGRAM
from burnstore.io.container import Container

_NAMES = 8  # the word that the kernels' names begin at; the words before say how many of what there are
_INPUTS, _OUTPUTS, _SIZE_OF_NAMES = 4, 5, 7
_END, _LAST, _RANK = 6, 4, 5  # words of an input or output before its extents, and which of them say what

# What a runtime has that keeps some inputs from a run to the next, and that takes indices of 16 bits.
STATES, INDICES = "states", "indices"
OF_ENDS = frozenset((STATES, INDICES))  # which no kernel computes
_OF_16_BITS = 2  # the KIND of such inputs

# What the LAST of an input, and of an output, says: what is needed besides kernels of steps. An output leaves
# a kernel to be computed in floats.
_OF_INPUT, _OF_OUTPUT = {1: STATES}, {1: "log_softmax"}

NO_PROGRAM = (
    "the file has no program: `burnstore quantize` writes one, "
    "and `burnstore convert` of a .pt2, or with --module and --shape"
)


class Uses(NamedTuple):
    """What a program calls.

    steps: kernels that steps name, in the program's order. ends: what inputs and outputs need besides: the
    kernels that outputs leave to be called, `STATES` and `INDICES`.
    """

    steps: tuple[str, ...]
    ends: tuple[str, ...]


def uses_of(container: Container) -> Uses:
    """Return what the program in a file calls. Raises `NotFound` for a file without a program."""
    if PROGRAM not in container:
        raise NotFound(NO_PROGRAM, source=container.source)
    data = bytes(container.tensor(PROGRAM).data())
    words = memoryview(data[: len(data) // 4 * 4]).cast("i")
    try:
        return Uses(_names(data, words), _ends(words))
    except (IndexError, ValueError):
        raise Malformed("no program of a model", PROGRAM, source=container.source) from None


def _names(data: bytes, words: memoryview) -> tuple[str, ...]:
    size = 4 * words[_SIZE_OF_NAMES]
    text = data[4 * _NAMES : 4 * _NAMES + size].decode("ascii")
    if len(text) != size:
        raise ValueError(size)
    return tuple(text.split())


def _ends(words: memoryview) -> tuple[str, ...]:
    at = _NAMES + words[_SIZE_OF_NAMES]
    found = set()
    for number in range(words[_INPUTS] + words[_OUTPUTS]):
        if words[at + _RANK] < 0:
            raise ValueError(words[at + _RANK])
        needs = _OF_INPUT if number < words[_INPUTS] else _OF_OUTPUT
        found.add(needs.get(words[at + _LAST], ""))
        found.add(INDICES if words[at] == _OF_16_BITS else "")
        at += _END + words[at + _RANK]
    return tuple(sorted(found - {""}))
