"""How large boxes and labels are, before anything is placed."""

from dataclasses import dataclass

from burnstore.drawing.picture import Box, Edge
from burnstore.drawing.texts import short, width

TITLE, PATH, LINE = 12.0, 10.0, 10.5  # sizes of letters
HEAD, ROW = 21.0, 14.0  # heights
PADDING = 10.0  # on the left and on the right of texts
_NARROWEST = 84.0


@dataclass(frozen=True)
class Row:
    """A line of a box below its head. is_path: whether it is the module's path."""

    text: str
    is_path: bool


@dataclass(frozen=True)
class Shown:
    """What is written in a box, and its size."""

    title: str
    rows: tuple[Row, ...]
    width: float
    height: float


def shown(box: Box) -> Shown:
    """Return what is written in a box."""
    says_more = box.path.lower() != box.title.rpartition(".")[2].lower()
    rows = [Row(short(box.path), True)] if box.path and says_more else []
    rows += [Row(short(line), False) for line in box.lines]
    title = short(box.title)
    widths = [width(row.text, PATH if row.is_path else LINE) for row in rows]
    widest = max(width(title, TITLE, bold=True), *widths, _NARROWEST - 2 * PADDING)
    height = HEAD + (len(rows) * ROW + 6 if rows else 0)
    return Shown(title, tuple(rows), round(widest + 2 * PADDING), height)


def label_size(edge: Edge) -> tuple[float, float]:
    """Return the width and the height of an edge's label; 0 of none."""
    text = short(edge.label)
    return (round(width(text, LINE)) + 6, ROW) if text else (0.0, 0.0)
