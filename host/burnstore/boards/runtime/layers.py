"""Which of burnrt's files have the layers that a model's source names."""

import ast
from functools import cache
from pathlib import Path

from burnstore.boards.runtime import needs

_OPERATORS: dict[type[ast.AST], str] = {ast.Add: "Add", ast.Subscript: "Index"}

# Of an argument that few models have: the module that computes it.
_ARGUMENTS = {
    "divisor_override": "burnrt.nn.divided",
    "attn_mask": "burnrt.nn.masked",
    "key_padding_mask": "burnrt.nn.masked",
}
_AVERAGE = ("kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override")


def named_in(model: Path) -> list[str]:
    """Return the modules with the layers that a source names, as `nn.Conv2d` or imported from burnrt.nn.

    A sum and an index count as layers: they may be of values. So do the shapes that values have methods
    for, and arguments that have a module of their own. Files beside it that it imports count, too.
    """
    names = set()
    for node in _nodes(model):
        if isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif type(node) in _OPERATORS:
            names.add(_OPERATORS[type(node)])
        elif isinstance(node, ast.keyword):
            names.add(node.arg or "")
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("AvgPool2d"):
            names.update(_AVERAGE[: len(node.args)])
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.name for alias in node.names}
    return sorted({_homes()[name] for name in names if name in _homes()})


def _nodes(model: Path) -> list[ast.AST]:
    """Return what a source is made of, with the sources beside it that it imports."""
    nodes: list[ast.AST] = []
    files = [model]
    for file in files:
        found = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        nodes += found
        beside = [file.parent.joinpath(*name.split(".")).with_suffix(".py") for name in _imported(found)]
        files += [each for each in dict.fromkeys(beside) if each not in files and each.is_file()]
    return nodes


def _imported(nodes: list[ast.AST]) -> list[str]:
    """Return the names of the modules that are imported."""
    plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return plain + [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]


@cache
def _homes() -> dict[str, str]:
    """Return {name of a layer, of a value's method, or of an argument: the module that has it}."""
    from burnrt.views import METHODS

    return needs.layers() | _ARGUMENTS | dict.fromkeys([*METHODS, "ndim"], "burnrt.views")
