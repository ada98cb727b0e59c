"""The guides of the documentation, and parts of them that have a name: what `burnstore help` shows."""

import re
from pathlib import Path

_IN_WHEEL = Path(__file__).parent / "docs"
_IN_CHECKOUT = Path(__file__).parents[2] / "docs"
GUIDES = (
    *"boards commands comparison metadata migrating".split(),
    *"models operations performance quantizing reliability".split(),
)
# Parts of guides: the guide, and the heading there.
PARTS = {
    "completion": ("commands", "Completion"),
    "digest": ("metadata", "Digest"),
    "environment": ("commands", "Environment"),
    "exit-codes": ("commands", "Exit codes"),
    "files": ("commands", "What is read and what is written"),
    "formats": ("commands", "Formats"),
    "output": ("commands", "What is printed"),
    "sizes": ("commands", "Sizes, shapes and classes"),
    "streams": ("commands", "Pipes"),
}
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)\s]+\)")


def guide(topic: str) -> str:
    """Return the text of a guide or of a part of one, in Markdown, without links that lead to other files."""
    page, heading = PARTS.get(topic, (topic, ""))
    folder = _IN_WHEEL if _IN_WHEEL.is_dir() else _IN_CHECKOUT
    text = (folder / f"{page}.md").read_text(encoding="utf-8")
    return _LINK.sub(r"\1", _part(text, heading) if heading else text)


def _part(text: str, heading: str) -> str:
    mark = f"\n## {heading}\n"
    _, found, rest = text.partition(mark)
    assert found, heading
    return (found + re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0]).strip() + "\n"
