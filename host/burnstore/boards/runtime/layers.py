"""Which of burnrt's files have the layers and functions that a model's source names."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from burnstore.boards.runtime import needs

# Operators: what Python calls their methods, without underscores.
_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.USub: "neg",
    ast.Invert: "invert",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.GtE: "ge",
    ast.Gt: "gt",
}
_LAYERS: dict[type[ast.AST], str] = {ast.Add: "Add", ast.Subscript: "Index"}
_BUILT_IN = ("abs", "pow")  # functions that ask a value for a method

# Of an argument that few models have: the module that computes it.
_ARGUMENTS = {
    "divisor_override": "burnrt.nn.divided",
    "attn_mask": "burnrt.nn.masked",
    "key_padding_mask": "burnrt.nn.masked",
    "rounding_mode": "burnrt.functional.rounding",
}
_AVERAGE = ("kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override")
_VIEWS = "burnrt.views"


def named_in(model: Path) -> list[str]:
    """Return the modules with the layers and functions that a source names, as `nn.Conv2d` or imported.

    Operators and indices count: they may be of values. So do the methods that values have, and arguments
    that have a module of their own. Files beside it that it imports count, too.
    """
    found: set[str] = set()
    nodes = _nodes(model)
    modules = {bound for node in nodes for bound in _bound(node)}
    for node in nodes:
        found.update(_homes()[name] for name in _names(node) if name in _homes())
        is_method = isinstance(node, ast.Attribute) and not _is_of(node, modules)
        names = [name for name in _called(node) if name in _functions()]
        names = [
            name for name in names if not is_method or name not in _homes()
        ]  # which values have themselves
        found.update(_functions()[name] for name in names)
        found |= {_VIEWS} if is_method and names else set()
    return sorted(found)


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that an import binds."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)


def _is_of(node: ast.Attribute, modules: set[str]) -> bool:
    """Tell whether an attribute is one of a module, as in `F.relu` and `torch.nn.functional.relu`."""
    value: ast.AST = node.value
    while isinstance(value, ast.Attribute):
        value = value.value
    return isinstance(value, ast.Name) and value.id in modules


def _names(node: ast.AST) -> Iterator[str]:
    """Yield names of layers, of values' own methods and of arguments."""
    if isinstance(node, ast.Attribute):
        yield node.attr
    elif type(node) in _LAYERS:
        yield _LAYERS[type(node)]
    elif isinstance(node, ast.keyword):
        yield node.arg or ""
    elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("AvgPool2d"):
        yield from _AVERAGE[: len(node.args)]
    elif isinstance(node, ast.ImportFrom):
        yield from (alias.name for alias in node.names)


def _called(node: ast.AST) -> Iterator[str]:
    """Yield names of functions."""
    if isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare | ast.AugAssign):
        for operator in _operators(node):
            yield from _computing(_OPERATORS.get(type(operator), ""))
    elif isinstance(node, ast.Name) and node.id in _BUILT_IN:
        yield node.id
    elif isinstance(node, ast.ImportFrom):
        yield from (alias.name for alias in node.names)


def _operators(node: ast.BinOp | ast.UnaryOp | ast.Compare | ast.AugAssign) -> list[ast.AST]:
    """Return the operators of an expression that may have a value in it: not of numbers or texts alone."""
    operands = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
    constants = [each.value for each in operands if isinstance(each, ast.Constant)]
    if len(constants) == len(operands) or any(isinstance(each, str) for each in constants):
        return []
    return list(node.ops) if isinstance(node, ast.Compare) else [node.op]


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
    """Return {name of a layer, of a value's own method, or of an argument: the module that has it}."""
    from burnrt.views import METHODS

    return needs.layers() | _ARGUMENTS | dict.fromkeys([*METHODS, "ndim"], _VIEWS)


@cache
def _functions() -> dict[str, str]:
    """Return {name of a function, or of what computes with one: the module that has it}."""
    from burnrt import functional

    return dict.fromkeys(("T", "mT"), "burnrt.functional.ordering") | {
        name: f"burnrt.functional.{module}"
        for module, *names in needs.lines(functional.HOMES)
        for name in names
    }


def _computing(operator: str) -> Iterator[str]:
    """Yield the functions that compute an operator, with a value on its left or on its right."""
    from burnrt import functional

    for name, function in needs.lines(functional.OPERATORS):
        if name in (operator, "r" + operator):
            yield function
