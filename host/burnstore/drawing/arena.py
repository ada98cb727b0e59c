"""Who wrote what lies in an arena: followed step by step, this tells which values a step reads."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from burnstore.programs.reading import Span


@dataclass
class Value:
    """What a step wrote, or what of it is left. box: the step's number in the picture. layer: the step's.

    shape: of all that was written; of one extent where only the count is known.
    """

    box: int
    layer: str
    span: Span
    shape: tuple[int, ...]
    is_read: bool = False


class Arena:
    """The values that lie in an arena."""

    def __init__(self) -> None:
        self._values: list[Value] = []

    def read(self, spans: Sequence[Span]) -> list[Value]:
        """Return the values that lie in these places, which are read now."""
        found = [value for span in spans for value in self._values if _meet(value.span, span)]
        for value in found:
            value.is_read = True
        return found

    def write(self, value: Value) -> None:
        """Note a value, which takes the place of what lay there.

        What its own layer wrote and nobody has read stays beside it: the layer makes one value in several
        steps, which are told the whole place of it, as parts are that `cat` joins.
        """
        kept = []
        for other in self._values:
            is_part = other.layer == value.layer and not other.is_read
            if is_part or not _meet(other.span, value.span):
                kept.append(other)
            else:
                kept += _left(other, value.span)
        self._values = [*kept, value]


def _meet(span: Span, other: Span) -> bool:
    return span[0] < other[1] and other[0] < span[1]


def _left(value: Value, span: Span) -> list[Value]:
    """Return what of a value lies before and behind a place."""
    start, end = value.span
    pieces = ((start, min(end, span[0])), (max(start, span[1]), end))
    return [replace(value, span=piece) for piece in pieces if piece[0] < piece[1]]
