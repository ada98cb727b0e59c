"""The formats of pictures, by name."""

from collections.abc import Callable

from burnstore.drawing.html import html
from burnstore.drawing.layout import lay_out
from burnstore.drawing.mermaid import mermaid
from burnstore.drawing.picture import Picture
from burnstore.drawing.svg import svg

FORMATS: dict[str, Callable[[Picture], str]] = {
    "svg": lambda picture: svg(picture, lay_out(picture)),
    "html": lambda picture: html(picture, lay_out(picture)),
    "mermaid": mermaid,
}
ENDINGS = {".svg": "svg", ".html": "html", ".mmd": "mermaid", ".mermaid": "mermaid"}


def drawn(picture: Picture, kind: str) -> bytes:
    """Return the file of a picture. kind: one of FORMATS."""
    return FORMATS[kind](picture).encode("utf-8")
