"""The modules that are merged: what each binds, and what an import of one means."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from burnpack.errors import NotFound
from burnstore.boards.runtime.merging import scopes
from burnstore.boards.runtime.merging.simple import Simple

_WRITTEN_OUT = (ast.Constant, ast.BinOp, ast.operator, ast.UnaryOp, ast.unaryop)


class Symbol(NamedTuple):
    """What a name stands for: `name` of `module`; the module itself where `name` is empty."""

    module: str
    name: str


@dataclass(frozen=True)
class Sources:
    """The modules to merge, and what is known of others.

    texts: {module: its source}.
    homes: {package that imports names when they are used: {name: the module that has it}}.
    present, absent: modules of which an import, where a `try` asks for one, works, and where it fails.
    """

    texts: Mapping[str, str]
    homes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    present: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()

    def has(self, module: str) -> bool:
        """Return whether a module is to be merged: those of the same packages are, and no others."""
        return module.partition(".")[0] in self._packages

    @cached_property
    def _packages(self) -> set[str]:
        return {module.partition(".")[0] for module in self.texts}


class Module:
    """A module's statements, and which of them binds which name."""

    def __init__(self, name: str, sources: Sources) -> None:
        if name not in sources.texts:
            raise NotFound("not among the modules to merge", name)
        self.name = name
        tree = ast.parse(sources.texts[name])
        Simple(sources.present, sources.absent).visit(tree)
        self.statements: list[ast.stmt] = tree.body
        self.imports: dict[str, tuple[str, str]] = {}  # {name: the module, what of it or ""}
        self.homes: dict[str, int] = {}  # {name: the statement that binds it}
        self._bindings: dict[str, int] = {}
        for number, statement in enumerate(tree.body):
            self._note(number, statement)
        self._changed = {
            name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names
        }

    def _note(self, number: int, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            self.imports.update(imports(statement))
            return
        for name in scopes.of_statements([statement]):
            self.homes[name] = number
            self._bindings[name] = self._bindings.get(name, 0) + 1

    def has_effects(self, number: int) -> bool:
        """Return whether a statement does something besides binding names."""
        statement = self.statements[number]
        if isinstance(statement, ast.Import | ast.ImportFrom | ast.Pass):
            return False
        return not scopes.of_statements([statement])

    def constant(self, name: str) -> ast.expr | None:
        """Return what a name always stands for, where that is said by `const` or written out; else None."""
        if self._bindings.get(name) != 1 or name in self._changed:
            return None
        statement = self.statements[self.homes[name]]
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
            return None
        value = statement.value
        if isinstance(value, ast.Call) and ast.unparse(value.func) == "const":
            return value.args[0]
        return value if _is_written_out(value) and len(statement.targets) == 1 else None


def _is_written_out(value: ast.expr) -> bool:
    """Return whether a value is a number or a text, or computed from such."""
    return all(isinstance(node, _WRITTEN_OUT) for node in ast.walk(value))


def imports(statement: ast.Import | ast.ImportFrom) -> dict[str, tuple[str, str]]:
    """Return {name that an import binds: (the module, what of it or "")}."""
    if isinstance(statement, ast.ImportFrom):
        return {alias.asname or alias.name: (statement.module or "", alias.name) for alias in statement.names}
    found = {}
    for alias in statement.names:
        found[scopes.bound_name(alias)] = (alias.name if alias.asname else alias.name.partition(".")[0], "")
    return found
