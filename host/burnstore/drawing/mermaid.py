"""A picture in Mermaid's language, which GitHub and many editors draw in Markdown."""

import json
from collections.abc import Iterator

from burnstore.drawing.boxes import shown
from burnstore.drawing.kinds import COLOURS
from burnstore.drawing.picture import Box, Group, Picture
from burnstore.drawing.texts import short

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,_×·…")


def mermaid(picture: Picture) -> str:
    """Return a flowchart. Letters that could be Mermaid's or HTML's own are written as their codes."""
    title = json.dumps(short(picture.title, 120), ensure_ascii=False)  # which YAML reads, too
    title = title.replace("<", "\\u003c").replace(">", "\\u003e")
    lines = ["---", f"title: {title}", "---", "flowchart TB"]
    lines += _boxes(picture.boxes, picture.groups)
    for edge in picture.edges:
        label = f'|"{_plain(edge.label)}"|' if edge.label else ""
        lines.append(f"  b{edge.source} -->{label} b{edge.target}")
    for kind in dict.fromkeys(box.kind for box in picture.boxes):
        lines.append(f"  classDef {kind} fill:#fff,stroke:{COLOURS[kind]},stroke-width:2px,color:#222")
    return "\n".join([*lines, ""])


def _boxes(boxes: list[Box], groups: list[Group]) -> Iterator[str]:
    """Yield the boxes, those of a group within it."""
    starts: dict[int, list[tuple[int, Group]]] = {}
    for number, group in enumerate(groups):
        starts.setdefault(group.first, []).append((number, group))
    ends: list[int] = []
    for number, box in enumerate(boxes):
        for place, group in starts.get(number, ()):
            yield f'  subgraph g{place}["{_plain(group.title)}"]'
            ends.append(group.last)
        yield f'  b{number}["{_words(box)}"]:::{box.kind}'
        while ends and ends[-1] == number:
            yield "  end"
            ends.pop()


def _words(box: Box) -> str:
    what = shown(box)
    return "<br/>".join([f"<b>{_plain(what.title)}</b>", *(_plain(row.text) for row in what.rows)])


def _plain(text: str, most: int = 60) -> str:
    return "".join(letter if letter in _PLAIN else f"#{ord(letter)};" for letter in short(text, most))
