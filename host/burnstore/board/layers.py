"""Which of burnrt's files have the layers that a model's source names."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from burnstore.firmware import runtime

_NN = "burnrt.nn"

# Of an argument that few models have: the module that computes it.
_ARGUMENTS = {"divisor_override": "burnrt.nn.divided"}
_AVERAGE = ("kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override")


def named_in(model: Path) -> list[str]:
    """Return the modules with the layers that a source names, as `nn.Conv2d` or imported from burnrt.nn.

    A sum counts as a layer: it may be one of values. Arguments count that have a module of their own.
    """
    names = set()
    for node in ast.walk(ast.parse(model.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.keyword):
            names.add(node.arg or "")
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("AvgPool2d"):
            names.update(_AVERAGE[: len(node.args)])
        elif isinstance(node, ast.Add):
            names.add("Add")
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.name for alias in node.names}
    return sorted({_homes()[name] for name in names if name in _homes()})


@cache
def _homes() -> dict[str, str]:
    """Return {name of a layer: the module that has it}, from the tables in burnrt.nn's source."""
    tree = ast.parse(runtime.modules()[_NN].read_text(encoding="utf-8"))
    tables = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            tables[ast.unparse(node.targets[0])] = str(node.value.value)
    homes = {name: f"{_NN}.{home}" for home, name in _rows(tables["_HOMES"])}
    return homes | _ARGUMENTS | {alias: homes[name] for name, alias in _rows(tables["_ALIASES"])}


def _rows(table: str) -> Iterator[tuple[str, str]]:
    """Yield for each word of a line but the first (the first, the word)."""
    for first, *words in filter(None, map(str.split, table.splitlines())):
        yield from ((first, word) for word in words)
