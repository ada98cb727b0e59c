"""The text of a module that MicroPython compiles to the same code as what it was made of."""

import ast


def written(tree: ast.Module) -> str:
    """Return a module's source."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple) and node.value.elts:
            node.value = _bare(node.value)
    return ast.unparse(tree) + "\n"


def _bare(value: ast.Tuple) -> ast.Name:
    """Return a tuple written without brackets: with them, `a, b = (c, d)` makes an object of two numbers."""
    elements = [ast.unparse(each) for each in value.elts]
    return ast.Name(", ".join(elements) + "," * (len(elements) == 1))
