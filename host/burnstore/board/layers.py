"""Which of burnrt's files have the layers that a model's source names."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from burnstore.firmware import runtime

_NN = "burnrt.nn"
_VIEWS = "burnrt.views"
_OPERATORS: dict[type[ast.AST], str] = {ast.Add: "Add", ast.Subscript: "Index"}

# Of an argument that few models have: the module that computes it.
_ARGUMENTS = {"divisor_override": "burnrt.nn.divided"}
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
    """Return {name of a layer, or of a value's method: the module that has it}, from tables in sources."""
    tables = _tables(_NN)
    homes = {name: f"{_NN}.{home}" for home, name in _rows(tables["_HOMES"])}
    homes |= {alias: homes[name] for name, alias in _rows(tables["_ALIASES"])}
    return homes | _ARGUMENTS | dict.fromkeys([*_tables(_VIEWS)["METHODS"], "ndim"], _VIEWS)


def _tables(module: str) -> dict[str, Any]:
    """Return {name: what is assigned to it} of a source, as far as these are constants or keys of a dict."""
    found: dict[str, Any] = {}
    for node in ast.parse(runtime.modules()[module].read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        target = ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0])
        if isinstance(node.value, ast.Constant):
            found[target] = node.value.value
        elif isinstance(node.value, ast.Dict):
            found[target] = [ast.literal_eval(key) for key in node.value.keys if key is not None]
    return found


def _rows(table: str) -> Iterator[tuple[str, str]]:
    """Yield for each word of a line but the first (the first, the word)."""
    for first, *words in filter(None, map(str.split, table.splitlines())):
        yield from ((first, word) for word in words)
