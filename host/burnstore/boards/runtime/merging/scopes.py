"""Which names a function has for itself."""

import ast
from collections.abc import Iterator

from burnstore.boards.runtime.merging.simple import Function

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, *_COMPREHENSIONS)

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def of_function(node: Function | ast.Lambda) -> set[str]:
    """Return the names that are local to a function: its arguments, and what it binds."""
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    names = {argument.arg for argument in arguments(node)} | of_statements(body)
    return names - {name for each in inside(body) if isinstance(each, ast.Global) for name in each.names}


def of_comprehension(node: Comprehension) -> set[str]:
    """Return the names that a comprehension counts through."""
    targets = [each for generator in node.generators for each in ast.walk(generator.target)]
    return {each.id for each in targets if isinstance(each, ast.Name)}


def of_statements(body: "list[ast.stmt] | list[ast.expr]") -> set[str]:
    """Return the names that statements bind in the scope that they are in."""
    return {name for node in inside(body) for name in _bound_by(node)}


def arguments(node: Function | ast.Lambda) -> list[ast.arg]:
    """Return all arguments of a function."""
    found = node.args
    more = [each for each in (found.vararg, found.kwarg) if each is not None]
    return [*found.posonlyargs, *found.args, *found.kwonlyargs, *more]


def inside(body: "list[ast.stmt] | list[ast.expr]") -> Iterator[ast.AST]:
    """Yield the nodes of statements, without those within other scopes."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting += ast.iter_child_nodes(node)


def _bound_by(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.ExceptHandler):
        return [node.name] if node.name else []
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [bound_name(alias) for alias in node.names]
    return []


def bound_name(alias: ast.alias) -> str:
    """Return the name that an import binds."""
    return alias.asname or alias.name.partition(".")[0]
