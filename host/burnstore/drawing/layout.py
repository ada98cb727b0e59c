"""Where boxes and edges lie: Graphviz decides, which is told nothing but numbers.

It runs in a process of its own: the command `dot` where there is one, else the library in the package
`pygraphviz`. Names and texts stay here.
"""

import importlib.util
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from burnpack.errors import BurnpackError, LimitExceeded, Unsupported
from burnstore.drawing.boxes import HEAD, ROW, label_size, shown
from burnstore.drawing.picture import Group, Picture
from burnstore.drawing.texts import short, width

_SECONDS = 60  # for pictures of `folding.MOST` boxes, of which the worst take a third
_LIMITS = "nslimit=5; mclimit=0.3;"  # of rounds that look for better places: by boxes, and of what is usual
_INCH = 72  # points
_MARGIN = 12  # around the picture and within groups
# The library, as `dot -Tjson0` would answer. Fonts are not asked for: no text is given.
_LIBRARY = (
    "import sys, pygraphviz; "
    "sys.stdout.buffer.write(pygraphviz.AGraph(string=sys.stdin.read()).draw(format='json0', prog='dot'))"
)
_MISSING = (
    "pictures are laid out by Graphviz, which is not installed: `pip install burnstore[draw]` brings it "
    "(--format mermaid needs none)"
)

Point = tuple[float, float]


@dataclass(frozen=True)
class Placed:
    """Where a box or a frame is. left, top: its corner, from the picture's."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class Route:
    """An edge's line: the points of Bézier curves, the first where it begins. label: the label's middle."""

    points: tuple[Point, ...]
    label: Point | None


@dataclass(frozen=True)
class Layout:
    """Where all of a picture lies: boxes and edges in their order.

    frames: (title, where) of groups, outer ones first; none where Graphviz fails with them.
    """

    width: float
    height: float
    boxes: list[Placed]
    routes: list[Route]
    frames: list[tuple[str, Placed]]


def lay_out(picture: Picture) -> Layout:
    """Return where boxes and edges lie.

    Raises `Unsupported` where there is no Graphviz, `LimitExceeded` where it takes too long.
    """
    try:
        return _tried(picture, picture.groups)
    except Unsupported:  # with frames Graphviz may lose edges, or end by an assertion of its own
        return _tried(picture, [])


def _tried(picture: Picture, groups: list[Group]) -> Layout:
    """Return the layout with frames around these groups."""
    answer = _answer(_dot(picture, groups))
    try:
        return _layout(picture, groups, json.loads(answer))
    except (ValueError, LookupError, TypeError) as error:
        raise Unsupported(
            "Graphviz answers in a form that is not known", found=type(error).__name__
        ) from None


def _dot(picture: Picture, groups: list[Group]) -> str:
    """Return what is to be laid out, in Graphviz's language."""
    lines = [
        "digraph {",
        f"rankdir=TB; ranksep=0.3; nodesep=0.3; splines=true; {_LIMITS}",
        'node [shape=box fixedsize=true label=""]; edge [arrowhead=none];',
    ]
    for number, box in enumerate(picture.boxes):
        size = shown(box)
        lines.append(f"b{number} [width={size.width / _INCH:.4f} height={size.height / _INCH:.4f}];")
    lines += _clusters(groups)
    for number, edge in enumerate(picture.edges):
        lines.append(f"b{edge.source} -> b{edge.target} [id={number}{_label(*label_size(edge))}];")
    return "\n".join([*lines, "}"])


def _label(wide: float, high: float) -> str:
    """Return the attribute that keeps space for a label."""
    if not wide:
        return ""
    cell = f'<td fixedsize="true" width="{wide:.0f}" height="{high:.0f}"></td>'
    return (
        f' label=<<table border="0" cellborder="0" cellspacing="0" cellpadding="0"><tr>{cell}</tr></table>>'
    )


def _clusters(groups: list[Group]) -> list[str]:
    """Return the groups, each within the one that it is part of."""
    lines: list[str] = []
    open_ends: list[int] = []
    for number, group in enumerate(groups):
        while open_ends and open_ends[-1] < group.first:
            lines.append("}")
            open_ends.pop()
        head = _label(width(short(group.title), ROW), HEAD - 6)
        lines.append(f"subgraph cluster_{number} {{ id={number}; margin={_MARGIN}; labeljust=l;{head};")
        lines += [f"b{box};" for box in range(group.first, group.last + 1)]
        open_ends.append(group.last)
    return lines + ["}"] * len(open_ends)


def _answer(text: str) -> bytes:
    """Return Graphviz's answer."""
    try:
        done = subprocess.run(_command(), input=text.encode(), capture_output=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        raise LimitExceeded("Graphviz lays this out for too long: --depth folds modules") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise _failed(said[-1] if said else f"exit code {done.returncode}")
    return done.stdout


def _command() -> list[str]:
    dot = shutil.which("dot")
    if dot:
        return [dot, "-Tjson0"]
    if importlib.util.find_spec("pygraphviz"):
        return [sys.executable, "-P", "-c", _LIBRARY]
    raise Unsupported(_MISSING)


def _failed(said: str) -> BurnpackError:
    return Unsupported("Graphviz failed", found=said)


def _layout(picture: Picture, groups: list[Group], answer: dict[str, Any]) -> Layout:
    """Return what Graphviz answered. Its y grows upwards, ours downwards."""
    _, _, right, top = _numbers(answer["bb"])
    places: dict[str, Placed] = {}
    for found in answer.get("objects", ()):
        if "bb" in found:
            x0, y0, x1, y1 = _numbers(found["bb"])
            places[found["name"]] = Placed(x0, top - y1, x1 - x0, y1 - y0)
        else:
            x, y = _numbers(found["pos"])
            wide, high = float(found["width"]) * _INCH, float(found["height"]) * _INCH
            places[found["name"]] = Placed(x - wide / 2, top - y - high / 2, wide, high)
    routes = {int(found["id"]): _route(found, top) for found in answer.get("edges", ())}
    return Layout(
        right,
        top,
        [places[f"b{number}"] for number in range(len(picture.boxes))],
        [routes[number] for number in range(len(picture.edges))],
        [(group.title, places[f"cluster_{number}"]) for number, group in enumerate(groups)],
    )


def _route(found: dict[str, Any], top: float) -> Route:
    points = [_point(pair, top) for pair in found["pos"].split() if pair[0] not in "se"]
    return Route(tuple(points), _point(found["lp"], top) if "lp" in found else None)


def _point(pair: str, top: float) -> Point:
    x, y = _numbers(pair)
    return x, top - y


def _numbers(text: str) -> list[float]:
    return [float(number) for number in text.split(",")]
