"""Checks a built site: its links lead to files and anchors that are there, and no page needs a network."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = ("img", "script", "link", "source", "iframe")  # what a browser fetches without being asked


class _Page(HTMLParser):
    """The anchors of a page, and its links with the tags that have them."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Keep what one tag has."""
        found = {name: value for name, value in attributes if value}
        self.anchors.update(found[name] for name in ("id", "name") if name in found)
        self.links += [(tag, found[name]) for name in ("href", "src") if name in found]


def findings(folder: Path) -> list[str]:
    """Return a line for each link of the pages in a folder that leads nowhere, or loads what is not there."""
    pages = {path.resolve(): _read(path) for path in sorted(folder.rglob("*.html"))}
    return [f"{path.name}: {link}" for path, page in pages.items() for link in _broken(path, page, pages)]


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def _broken(path: Path, page: _Page, pages: dict[Path, _Page]) -> Iterator[str]:
    for tag, link in page.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            if tag in _LOADED:
                yield link
            continue
        meant = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        anchors = pages[meant].anchors if meant in pages else {""}
        if not meant.is_file() or (
            meant in pages and parts.fragment and unquote(parts.fragment) not in anchors
        ):
            yield link
