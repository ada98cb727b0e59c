"""Shorter names for what no traceback shows: an .mpy holds the name of each argument and attribute.

Functions and classes keep their names, and so does what callers may say: arguments that are given by name
somewhere, and those of public functions.
"""

import ast
from collections.abc import Collection, Iterator
from itertools import count
from string import ascii_lowercase

from burnstore.boards.runtime.merging import scopes
from burnstore.boards.runtime.merging.simple import is_native


def shorten(tree: ast.Module, public: Collection[str]) -> None:
    """Rename arguments and private attributes in a merged module, in place.

    public: the functions and classes that users call; of classes, all methods but private ones.
    """
    kept = _given_by_name(tree)
    kept |= {argument for node in _public(tree, public) for argument in _argument_names(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            _rename_arguments(node, kept)
    _rename_attributes(tree)


def _given_by_name(tree: ast.Module) -> set[str]:
    return {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg}


def _public(tree: ast.Module, names: Collection[str]) -> Iterator[ast.FunctionDef]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in names:
            yield node
        if isinstance(node, ast.ClassDef) and node.name in names:
            methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
            yield from (each for each in methods if not _is_private(each.name))


def _argument_names(node: ast.FunctionDef | ast.Lambda) -> list[str]:
    return [argument.arg for argument in scopes.arguments(node)]


def _rename_arguments(node: ast.FunctionDef | ast.Lambda, kept: set[str]) -> None:
    if isinstance(node, ast.FunctionDef) and is_native(node):
        return  # whose names are those of registers, or cost nothing
    body = node.body if isinstance(node.body, list) else [node.body]
    inside = [each for part in body for each in ast.walk(part)]
    own = scopes.arguments(node)
    taken = {name for each in inside for name in _names(each)} | {argument.arg for argument in own}
    free = (name for name in _letters() if name not in taken)
    for argument in own:
        if argument.arg == "self" or argument.arg in kept or len(argument.arg) == 1:
            continue
        _rename(inside, argument.arg, short := next(free))
        argument.arg = short


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Global | ast.Nonlocal):
        return node.names
    found = [getattr(node, each, None) for each in ("id", "arg", "name", "asname")]
    return [name for name in found if isinstance(name, str)]


def _rename(nodes: list[ast.AST], name: str, short: str) -> None:
    for node in nodes:
        if isinstance(node, ast.Name) and node.id == name:
            node.id = short
        elif isinstance(node, ast.arg) and node.arg == name:
            node.arg = short
        elif isinstance(node, ast.Nonlocal):
            node.names = [short if each == name else each for each in node.names]


def _rename_attributes(tree: ast.Module) -> None:
    """Rename the private attributes that objects of the module's classes have."""
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    stored = {
        node.attr: None for node in attributes if isinstance(node.ctx, ast.Store) and _is_private(node.attr)
    }
    others = {node.attr for node in attributes} - set(stored)
    free = (name for name in _letters() if name not in others)
    short = {name: next(free) for name in stored}
    for node in attributes:
        node.attr = short.get(node.attr, node.attr)


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def _letters() -> Iterator[str]:
    yield from ascii_lowercase
    for number in count():
        yield from (f"{letter}{number}" for letter in ascii_lowercase)
