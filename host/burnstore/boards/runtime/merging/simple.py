"""A module's statements without what MicroPython does not need to run them."""

import ast
from collections.abc import Collection

# What the interpreter that runs a board's modules says to these conditions.
_CONDITIONS = {
    "False": False,
    "sys.implementation.name == 'micropython'": True,
    "hasattr(memoryview, 'cast')": False,
}

_NATIVE = ("micropython.viper", "micropython.native", "micropython.asm_thumb")

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Simple(ast.NodeTransformer):
    """Removes docstrings, annotations but viper's, and the branches that are not taken.

    present, absent: modules of which an import, where a `try` asks for one, works, and where it fails.
    """

    def __init__(self, present: Collection[str], absent: Collection[str]) -> None:
        self._present = present
        self._absent = absent

    def visit_Module(self, node: ast.Module) -> ast.AST:
        node.body = _without_docstring(node.body)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = _without_docstring(node.body)
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = _without_docstring(node.body)
        if not is_native(node):
            node.returns = None
            for argument in ast.walk(node.args):
                if isinstance(argument, ast.arg):
                    argument.annotation = None
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        known = _CONDITIONS.get(ast.unparse(node.test))
        if known is None:
            self.generic_visit(node)
            node.body = node.body or [ast.Pass()]
            return node
        return self._all(node.body if known else node.orelse)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        known = _CONDITIONS.get(ast.unparse(node.test))
        if known is None:
            return self.generic_visit(node)
        return self.visit(node.body if known else node.orelse)  # type: ignore[no-any-return]

    def visit_Try(self, node: ast.Try) -> ast.AST | list[ast.stmt]:
        caught = [handler for handler in node.handlers if _catches_import_errors(handler)]
        asked = {name for statement in node.body for name in imported(statement)}
        if caught and asked and asked <= set(self._present):
            return self._all([*node.body, *node.orelse])
        if caught and asked & set(self._absent):
            return self._all(caught[0].body)
        return self.generic_visit(node)

    def _all(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in statements:
            simple = self.visit(statement)
            found += simple if isinstance(simple, list) else [simple] * (simple is not None)
        return found


def is_native(node: Function) -> bool:
    """Return whether a function is for an emitter of native code."""
    return any(ast.unparse(each) in _NATIVE for each in node.decorator_list)


def is_assembler(node: Function) -> bool:
    """Return whether a function's statements are instructions, and its names registers and labels."""
    return any(ast.unparse(each) == _NATIVE[-1] for each in node.decorator_list)


def imported(statement: ast.stmt) -> list[str]:
    """Return the modules that an import imports."""
    if isinstance(statement, ast.ImportFrom):
        return [statement.module or ""]
    return [alias.name for alias in statement.names] if isinstance(statement, ast.Import) else []


def _catches_import_errors(handler: ast.ExceptHandler) -> bool:
    return isinstance(handler.type, ast.Name) and handler.type.id == "ImportError"


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        return body[1:]
    return body
