"""A network as boxes and edges: what every source makes, and every format shows."""

from dataclasses import dataclass, field

Details = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Box:
    """An operation, an input, an output, or a module whose operations were folded into one box.

    title: the operation's name. kind: one of `kinds.COLOURS`. path: of the module that it is part of, as in
    "blocks.0.conv". lines: what is shown below. details: (what, text), shown where the reader asks for them.
    weights: bytes of the weights that it reads.
    """

    title: str
    kind: str
    path: str = ""
    lines: tuple[str, ...] = ()
    details: Details = ()
    weights: int = 0


@dataclass(frozen=True)
class Edge:
    """A value on its way. source, target: numbers of boxes. label: its shape. details: as of a box."""

    source: int
    target: int
    label: str = ""
    details: Details = ()


@dataclass(frozen=True)
class Group:
    """Boxes of one module, to be framed. first, last: the numbers of its boxes, which are in a row."""

    title: str
    first: int
    last: int


@dataclass
class Picture:
    """A network. boxes: in the order in which they run, so that each edge leads to a later one.

    classes: of modules, by their paths, where they are known.
    groups: outer ones first; each within another or apart from it.
    """

    title: str
    boxes: list[Box] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    classes: dict[str, str] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)
