"""What is public in burnpack, burnrt and burnstore, read from their sources by griffe.

A package hands its public names on by `from home import Name as Name` and `Alias = Name`, as type checkers
understand it: in its `__init__.pyi`, or under `if TYPE_CHECKING:` or `if False:`. A module that hands nothing
on has the functions and classes that it defines. A name that begins with an underscore is private.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import griffe

from tools.check_imports import PACKAGES, ROOT


@cache
def packages() -> griffe.ModulesCollection:
    """Return the packages, with the annotations of `.pyi` files merged into them."""
    folders = [(ROOT / folder).parent for folder, _ in PACKAGES.values()]
    loader = griffe.GriffeLoader(search_paths=folders)
    for package in PACKAGES:
        loader.load(package)
    return loader.modules_collection


def module(path: str) -> griffe.Module:
    """Return the module at a dotted path. Raises `KeyError` where there is none."""
    found = packages()[path]
    if not isinstance(found, griffe.Module):
        raise KeyError(path)
    return found


def public_names(path: str) -> dict[str, griffe.Object]:
    """Return the public names of the module at `path` and what they name, sorted without regard to case."""
    found = {name: _original(packages()[home]) for name, home in handed_on(path).items()} or _defined(path)
    return {name: found[name] for name in sorted(found, key=lambda name: (name.lower(), name))}


def handed_on(path: str) -> dict[str, str]:
    """Return the names that a module hands on, each with the dotted path of what it names."""
    homes: dict[str, str] = {}
    for node in _for_checkers(path):
        if isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names if alias.asname == alias.name]
            homes.update({name: f"{node.module}.{name}" for name in names})
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
            targets = [target.id for target in node.targets if isinstance(target, ast.Name)]
            homes.update({target: homes[node.value.id] for target in targets if node.value.id in homes})
    return {name: home for name, home in homes.items() if not name.startswith("_")}


def _for_checkers(path: str) -> Iterator[ast.stmt]:
    """Yield the statements that a module has for type checkers alone."""
    source = Path(str(module(path).filepath))
    stub = source.with_suffix(".pyi")
    if stub.exists():
        yield from _statements(stub)
    for node in _statements(source.with_suffix(".py")):
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "False"):
            yield from node.body


@cache
def _statements(path: Path) -> list[ast.stmt]:
    return ast.parse(path.read_text(encoding="utf-8")).body


def _defined(path: str) -> dict[str, griffe.Object]:
    """Return the functions and classes of a module: not what it imports."""
    members = module(path).members.values()
    found = [member for member in members if isinstance(member, (griffe.Function, griffe.Class))]
    return {member.name: member for member in found if not member.name.startswith("_")}


def _original(found: griffe.Object | griffe.Alias) -> griffe.Object:
    return found.final_target if isinstance(found, griffe.Alias) else found


def public_members(owner: griffe.Class) -> dict[str, griffe.Object]:
    """Return the public methods and properties of a class, with those that it inherits, by their names."""
    found = {name: _original(member) for name, member in owner.all_members.items()}
    return {name: found[name] for name in sorted(found) if _is_public_member(found[name])}


def _is_public_member(member: griffe.Object) -> bool:
    special = member.name.startswith("__") and member.docstring is not None and member.name != "__init__"
    called = member.is_function or "property" in member.labels
    return called and (special or not member.name.startswith("_"))


def docstring(found: griffe.Object) -> str:
    """Return the docstring of an object, or "". A method without one has that of a class above."""
    if found.docstring is not None:
        return found.docstring.value
    owner = found.parent
    above = owner.mro() if isinstance(owner, griffe.Class) else ()
    texts = [base.members[found.name].docstring for base in above if found.name in base.members]
    return next((text.value for text in texts if text is not None), "")
