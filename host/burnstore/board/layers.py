"""Which of burnrt's files have the layers that a model's source names."""

import ast
from functools import cache
from pathlib import Path

from burnstore.firmware import runtime

_NN = "burnrt.nn"
_VIEWS = "burnrt.views"
_OPERATORS: dict[type[ast.AST], str] = {ast.Add: "Add", ast.Subscript: "Index"}


def named_in(model: Path) -> list[str]:
    """Return the modules with the layers that a source names, as `nn.Conv2d` or imported from burnrt.nn.

    A sum and an index count as layers: they may be of values. So do the shapes that values have methods for.
    """
    names = set()
    for node in ast.walk(ast.parse(model.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif type(node) in _OPERATORS:
            names.add(_OPERATORS[type(node)])
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.name for alias in node.names}
    return sorted({_homes()[name] for name in names if name in _homes()})


@cache
def _homes() -> dict[str, str]:
    """Return {name of a layer, or of a value's method: the module that has it}, from tables in sources."""
    tables = _tables(_NN) | _tables(_VIEWS)
    homes = {name: f"{_NN}.{home}" for name, home in ast.literal_eval(tables["_HOMES"]).items()}
    homes |= {alias: homes[name] for alias, name in ast.literal_eval(tables["_ALIASES"]).items()}
    methods = [ast.literal_eval(key) for key in tables["METHODS"].keys if key is not None]
    return homes | dict.fromkeys([*methods, "ndim"], _VIEWS)


def _tables(module: str) -> dict[str, ast.Dict]:
    tree = ast.parse(runtime.modules()[module].read_text(encoding="utf-8"))
    assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
    return {ast.unparse(node.targets[0]): node.value for node in assigned if isinstance(node.value, ast.Dict)}
