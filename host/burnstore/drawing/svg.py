"""A picture as SVG, which browsers and documents show."""

from collections.abc import Iterator
from xml.sax.saxutils import escape

from burnstore.drawing.boxes import HEAD, LINE, PADDING, PATH, ROW, TITLE, Shown, shown
from burnstore.drawing.kinds import COLOURS
from burnstore.drawing.layout import Layout, Placed, Route
from burnstore.drawing.picture import Box, Details, Edge, Picture
from burnstore.drawing.texts import DETAIL, short, width

_MARGIN = 16.0
_TOP = 30.0  # for the title
_FONTS = "Helvetica, Arial, 'Liberation Sans', sans-serif"
_ARROW = (
    '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 1 8 4 0 7z" fill="#555"/></marker>'
)


def svg(picture: Picture, layout: Layout) -> str:
    """Return the text of an SVG file. All texts of the picture are escaped."""
    title = short(picture.title, 120)
    wide = max(layout.width, width(title, TITLE, bold=True)) + 2 * _MARGIN
    high = layout.height + 2 * _MARGIN + _TOP
    left = (wide - layout.width) / 2
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(wide)}" height="{_n(high)}" '
        f'viewBox="0 0 {_n(wide)} {_n(high)}" font-family="{_FONTS}" font-size="{LINE}">',
        f"<defs>{_ARROW}</defs>",
        f'<rect width="{_n(wide)}" height="{_n(high)}" fill="#fff"/>',
        _text(title, _MARGIN, _MARGIN + TITLE, TITLE, "#222", bold=True),
        f'<g transform="translate({_n(left)} {_n(_MARGIN + _TOP)})">',
    ]
    for heading, frame in layout.frames:
        lines += _frame(heading, frame)
    routes = list(zip(picture.edges, layout.routes, strict=True))
    lines += (_line(edge, route) for edge, route in routes)
    for edge, route in routes:  # above all lines
        lines += _label(edge, route)
    for number, (box, placed) in enumerate(zip(picture.boxes, layout.boxes, strict=True)):
        lines += _box(number, box, placed)
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _frame(title: str, frame: Placed) -> Iterator[str]:
    yield (
        f'<rect class="frame" {_corner(frame)} width="{_n(frame.width)}" height="{_n(frame.height)}" rx="6" '
        'fill="#000" fill-opacity="0.035" stroke="#bbb" stroke-dasharray="3 3"/>'
    )
    yield _text(short(title), frame.left + 8, frame.top + PATH + 4, PATH, "#777")


def _line(edge: Edge, route: Route) -> str:
    first, *rest = (f"{_n(x)} {_n(y)}" for x, y in route.points)
    ends = f'data-source="{edge.source}" data-target="{edge.target}"'
    line = f"M{first}C{' '.join(rest)}"
    return f'<path class="edge" {ends} d="{line}" fill="none" stroke="#777" marker-end="url(#arrow)"/>'


def _label(edge: Edge, route: Route) -> Iterator[str]:
    if route.label is None:
        return
    text, (x, y) = short(edge.label), route.label
    wide = width(text, LINE)
    yield f'<g class="label">{_tooltip(edge.details)}'
    yield (
        f'<rect x="{_n(x - wide / 2 - 2)}" y="{_n(y - ROW / 2)}" width="{_n(wide + 4)}" height="{_n(ROW)}" '
        'fill="#fff" fill-opacity="0.8"/>'
    )
    yield _text(text, x - wide / 2, y + LINE / 3, LINE, "#555") + "</g>"


def _box(number: int, box: Box, placed: Placed) -> Iterator[str]:
    """Yield a box: its head in the colour of its kind, and its lines below."""
    what = shown(box)
    colour = COLOURS[box.kind]
    yield f'<g class="box {box.kind}" id="box{number}">{_tooltip(box.details)}'
    yield (
        f'<rect {_corner(placed)} width="{_n(placed.width)}" height="{_n(placed.height)}" rx="5" '
        f'fill="#fff" stroke="{colour}"/>'
    )
    yield f'<path d="{_head(placed, bool(what.rows))}" fill="{colour}"/>'
    yield from _words(what, placed)
    yield "</g>"


def _words(what: Shown, placed: Placed) -> Iterator[str]:
    left, base = placed.left + PADDING, placed.top + HEAD
    yield _text(what.title, left, base - 6.5, TITLE, "#fff", bold=True)
    for row in what.rows:
        base += ROW
        size, colour = (PATH, "#777") if row.is_path else (LINE, "#222")
        yield _text(row.text, left, base - 1, size, colour)


def _head(placed: Placed, has_rows: bool) -> str:
    """Return the path of a box's head, whose lower corners are round where nothing is below."""
    wide, high = placed.width - 10, HEAD - 5
    start = f"M{_n(placed.left)} {_n(placed.top + HEAD)}v{_n(-high)}q0 -5 5 -5h{_n(wide)}q5 0 5 5"
    if has_rows:
        return f"{start}v{_n(high)}z"
    start = f"M{_n(placed.left)} {_n(placed.top + HEAD - 5)}v{_n(5 - high)}q0 -5 5 -5h{_n(wide)}q5 0 5 5"
    return f"{start}v{_n(high - 5)}q0 5 -5 5h{_n(-wide)}q-5 0 -5 -5z"


def _corner(placed: Placed) -> str:
    return f'x="{_n(placed.left)}" y="{_n(placed.top)}"'


def _text(text: str, x: float, y: float, size: float, colour: str, bold: bool = False) -> str:
    """Return a text, of the width that was reckoned with, whatever letters are there."""
    wide = width(text, size, bold)
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{_n(x)}" y="{_n(y)}" font-size="{size}" fill="{colour}"{weight} '
        f'textLength="{_n(wide)}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
    )


def _tooltip(details: Details) -> str:
    """Return what a browser shows where the pointer stays."""
    lines = [short(f"{what}: {text}" if what else text, DETAIL) for what, text in details]
    return f"<title>{escape(chr(10).join(lines))}</title>" if lines else ""


def _n(number: float) -> str:
    """Return a number as short as it may be."""
    return f"{number:.1f}".removesuffix(".0")
