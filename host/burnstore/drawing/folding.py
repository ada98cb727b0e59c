"""Modules folded into one box each, so that a picture stays readable; frames around those that are not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from burnpack.errors import LimitExceeded
from burnstore.drawing.kinds import MODULE
from burnstore.drawing.picture import Box, Edge, Group, Picture
from burnstore.drawing.texts import of_bytes

MOST = 200  # boxes of a picture, which is long enough by then; Graphviz takes seconds
_EDGES_MOST = 2 * MOST
_DEEPEST = 16  # parts of a path that are looked at
_NAMED = 3  # operations of a module that its box names
_LISTED = 40  # operations of a module that its details have
_FRAMES = 2  # within each other

Run = tuple[int, int]  # the numbers of the first box and of the last


def readable(picture: Picture, depth: int | None) -> tuple[Picture, str]:
    """Return a picture with modules folded, and a note on what was chosen, or "".

    depth: how many parts of a path are shown; what is deeper is folded. None folds nothing that need not be.
    Raises `LimitExceeded` where there would be too many boxes even so.
    """
    deepest = max((len(_parts(box)) for box in picture.boxes), default=0)
    asked = deepest + 1 if depth is None else min(depth, deepest + 1)
    for tried in range(asked, 0, -1):
        found = _folded(picture, tried)
        if len(found.boxes) <= MOST and len(found.edges) <= _EDGES_MOST:
            found.groups = list(_groups(found, 0, len(found.boxes) - 1, 1, _FRAMES))
            note = (
                f"more than {MOST} boxes or {_EDGES_MOST} edges: modules are folded as --depth {tried} does"
            )
            return found, note if tried < asked else ""
    what = "too much for one picture, even with modules folded"
    sizes = f"{len(picture.boxes)} boxes and {len(picture.edges)} edges"
    raise LimitExceeded(what, expected=f"at most {MOST} boxes and {_EDGES_MOST} edges", found=sizes)


def _parts(box: Box) -> list[str]:
    return box.path.split(".", _DEEPEST) if box.path else []


def _folded(picture: Picture, depth: int) -> Picture:
    """Return a picture in which boxes in a row, of one module of so many parts, are one box."""
    runs = list(_runs(picture.boxes, depth))
    numbers = [number for number, (first, last) in enumerate(runs) for _ in range(first, last + 1)]
    boxes = [_box(picture.boxes[first : last + 1], picture.classes, depth) for first, last in runs]
    edges = (
        replace(edge, source=numbers[edge.source], target=numbers[edge.target]) for edge in picture.edges
    )
    return Picture(picture.title, boxes, list(_joined(edges)), picture.classes)


def _joined(edges: Iterator[Edge]) -> Iterator[Edge]:
    """Yield edges between boxes, those that show the same once."""
    seen = set()
    for edge in edges:
        key = edge.source, edge.target, edge.label
        if edge.source != edge.target and key not in seen:
            seen.add(key)
            yield edge


def _runs(boxes: Sequence[Box], depth: int) -> Iterator[Run]:
    """Yield runs of boxes in a row that are of one module of `depth` parts; others each alone.

    Boxes are in the order in which they run, so no edge leads from a later run to an earlier one.
    """
    first = 0
    for number in range(1, len(boxes) + 1):
        if number == len(boxes) or not _are_of_one(boxes[number - 1], boxes[number], depth):
            yield first, number - 1
            first = number


def _are_of_one(box: Box, other: Box, depth: int) -> bool:
    parts = _parts(box)[:depth]
    return len(parts) == depth and parts == _parts(other)[:depth]


def _box(boxes: Sequence[Box], classes: Mapping[str, str], depth: int) -> Box:
    """Return the box that stands for some."""
    if len(boxes) == 1:
        return boxes[0]
    path = ".".join(_parts(boxes[0])[:depth])
    titles = list(dict.fromkeys(box.title for box in boxes))
    more = ", …" if len(titles) > _NAMED else ""
    weights = sum(box.weights for box in boxes)
    lines = [f"{len(boxes)} operations: {', '.join(titles[:_NAMED])}{more}"]
    if weights:
        lines.append(f"weights {of_bytes(weights)}")
    details = [(box.title, " ".join((box.path, *box.lines))) for box in boxes[:_LISTED]]
    if len(boxes) > _LISTED:
        details.append(("…", f"{len(boxes) - _LISTED} more"))
    return Box(classes.get(path, path), MODULE, path, tuple(lines), tuple(details), weights)


def _groups(picture: Picture, start: int, end: int, depth: int, left: int) -> Iterator[Group]:
    """Yield frames around modules of `depth` parts or more that have several boxes between two.

    left: how many frames may be nested.
    """
    for first, last in _runs(picture.boxes[start : end + 1], depth):
        first, last = first + start, last + start
        if first == last:
            continue
        path = ".".join(_parts(picture.boxes[first])[:depth])
        kind = picture.classes.get(path)
        yield Group(f"{path}: {kind}" if kind else path, first, last)
        if left > 1:
            yield from _groups(picture, first, last, depth + 1, left - 1)
