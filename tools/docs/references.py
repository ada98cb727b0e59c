"""Where the reference has each public name, so that annotations and docstrings lead there.

Pages in docs/ list modules in blocks such as

    ```{public-names} burnpack.errors
    ```

whose lines, if it has any, are the only names that it lists. What has several public names has one entry,
under its own name in its own package, and the others point there.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import griffe

from tools.check_imports import PACKAGES, ROOT
from tools.docs.sources import public_members, public_names

_BLOCK = re.compile(r"^```\{public-names\} (\S+)\n((?:\w+\n)*)```$", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_][\w.]*")


class Listing(NamedTuple):
    """A public name, and what it names."""

    module: str
    name: str
    found: griffe.Object

    @property
    def path(self) -> str:
        """What a user writes."""
        return f"{self.module}.{self.name}"

    @property
    def is_at_home(self) -> bool:
        """Whether an object has its own name here, in the package that defines it."""
        return self.name == self.found.name and _package(self.module) == _package(self.found.path)


def listed(module: str, only: list[str]) -> list[Listing]:
    """Return the public names of a module, or some of them. Raises `KeyError` where one is not public."""
    found = public_names(module)
    absent = [name for name in only if name not in found]
    if absent:
        raise KeyError(f"{module} has no public name {absent[0]}, which a page lists")
    return [Listing(module, name, found[name]) for name in only or found]


@cache
def listings() -> list[Listing]:
    """Return what all pages list."""
    pages = sorted((ROOT / "docs").rglob("*.md"))
    blocks = [block for page in pages for block in _BLOCK.findall(page.read_text(encoding="utf-8"))]
    return [one for module, only in blocks for one in listed(module, only.split())]


@cache
def entries() -> dict[str, str]:
    """Return the path that has the entry of an object, by the path where this is defined."""
    found: dict[str, str] = {}
    for one in sorted(listings(), key=lambda one: not one.is_at_home):
        found.setdefault(one.found.path, one.path)
    return found


def described_by(owner: griffe.Class, name: str) -> str | None:
    """Return the entry of the class above that describes a member, or None where its own does."""
    for base in [owner, *owner.mro()]:
        member = base.members.get(name)
        if member is not None and member.docstring is not None:
            return None if base is owner else entries().get(base.path)
    return None


def entry_of(text: str, near: griffe.Object) -> str | None:
    """Return the path of the entry that `text` means in the docstring of `near`, or None."""
    name = text.removesuffix("()")
    if not _NAME.fullmatch(name) or name in _arguments(near):
        return None
    return next((_places()[path] for path in _meanings(name, near) if path in _places()), None)


def _arguments(near: griffe.Object) -> list[str]:
    parameters = near.parameters if isinstance(near, (griffe.Function, griffe.Class)) else ()
    return [parameter.name for parameter in parameters]


def _meanings(name: str, near: griffe.Object) -> Iterator[str]:
    """Yield the paths that a name may have, the nearest first."""
    within: griffe.Object | None = near
    while within is not None:
        yield f"{within.path}.{name}"
        within = within.parent
    yield name
    home = _package(near.path)
    for package in sorted(PACKAGES, key=lambda package: package != home):
        yield f"{package}:{name}"


@cache
def _places() -> dict[str, str]:
    """Return the path of each entry: by where it is defined, by each public path, by "package:name"."""
    places: dict[str, str] = {}
    for one in listings():
        entry = entries()[one.found.path]
        described = _members(one.found)
        places[one.module] = one.module
        for path in (one.found.path, one.path, f"{_package(one.module)}:{one.name}"):
            places.setdefault(path, entry)
            for name, home in described.items():
                places.setdefault(f"{path}.{name}", f"{home or entry}.{name}")
    return places


def _members(found: griffe.Object) -> dict[str, str | None]:
    """Return for each public member of a class which entry describes it."""
    owner = found if isinstance(found, griffe.Class) else None
    return {name: described_by(owner, name) for name in public_members(owner)} if owner else {}


def _package(path: str) -> str:
    return path.split(".")[0]
