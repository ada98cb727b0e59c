"""Entries of the reference in MyST's Markdown: for each public name its signature and its docstring."""

from collections.abc import Iterator

import griffe

from tools.docs.docstrings import Linked, escaped, first_line, markdown
from tools.docs.references import Listing, described_by, entries, entry_of, listed
from tools.docs.signatures import signature, spelled
from tools.docs.sources import docstring, module, public_members

_BOUND = {"classmethod", "staticmethod"}


def page(path: str, only: list[str]) -> str:
    """Return a table of a module's public names, or of some of them, and an entry for each.

    Where it is all names, the module's docstring is there, too.
    """
    found = listed(path, only)
    lines = ["```{py:module} " + path, "```", "", *([] if only else _text(module(path))), *_table(found), ""]
    return "\n".join(lines + [line for one in found for line in _entry(one)])


def _table(listings: list[Listing]) -> Iterator[str]:
    yield from ("| name | |", "|---|---|")
    for one in listings:
        yield f"| {{py:obj}}`{one.name} <{one.path}>` | {_summary(one)} |"


def _summary(one: Listing) -> str:
    home = entries()[one.found.path]
    return _same(home) if home != one.path else escaped(first_line(docstring(one.found)), _linked(one.found))


def _same(home: str) -> str:
    return f"The same as {{py:obj}}`{home}`."


def _entry(one: Listing) -> Iterator[str]:
    """Yield the lines of an entry, or of one that points to another."""
    home = entries()[one.found.path]
    if home != one.path:
        yield from _directive(_kind(one.found), one.name, {"module": one.module}, [_same(home)])
    else:
        shown = signature(one.found, one.name)
        options = {"module": one.module} | (
            {"canonical": one.found.path} if one.found.path != one.path else {}
        )
        yield from _directive(_kind(one.found), shown, options, [*_text(one.found), *_members(one.found)])


def _directive(kind: str, shown: str, options: dict[str, str], body: list[str]) -> Iterator[str]:
    fence = "`" * (4 if kind in ("method", "property") else 6)
    yield f"{fence}{{py:{kind}}} {shown}"
    yield from [f":{name}: {value}" for name, value in options.items()]
    yield from ["", *body, fence, ""]


def _kind(found: griffe.Object) -> str:
    if isinstance(found, griffe.Class):
        bases = [base.path for base in found.mro()] + [str(base) for base in found.bases]
        return "exception" if "Exception" in bases or "burnpack.errors.BurnpackError" in bases else "class"
    if found.is_function:
        return "method" if isinstance(found.parent, griffe.Class) else "function"
    return "property" if "property" in found.labels else "data"


def _text(found: griffe.Object) -> list[str]:
    return markdown(docstring(found), _linked(found)).split("\n")


def _linked(near: griffe.Object) -> Linked:
    def linked(text: str) -> str:
        path = entry_of(text, near)
        return f"`{text}`" if path is None else f"{{py:obj}}`{text} <{path}>`"

    return linked


def _members(owner: griffe.Object) -> Iterator[str]:
    """Yield the entries of a class's methods and properties, and which public bases describe the others."""
    if not isinstance(owner, griffe.Class):
        return
    bases = []
    for name, member in public_members(owner).items():
        home = described_by(owner, name)
        if home is None:
            options = dict.fromkeys(_BOUND & member.labels, "")
            options |= {"type": spelled(member.annotation)} if isinstance(member, griffe.Attribute) else {}
            yield from _directive(_kind(member), signature(member, name), options, _text(member))
        elif home not in bases:
            bases.append(home)
    if bases:
        yield f"It also has the methods of {' and '.join([f'{{py:obj}}`{base}`' for base in bases])}."
