"""What the packages weigh on a board: bytes of .mpy, and how many they may be."""

import ast
from collections.abc import Iterator
from functools import cache

from tools import check_imports, check_portable, mpy

# What is imported, or a whole package: the most bytes of .mpy that this may bring. Of the sets of kernels a
# board has one or two, so it never brings all of burnrt.
BUDGET = {
    "burnpack.reader": 19_300,
    "burnpack.safetensors": 18_100,
    "burnpack.writer": 14_300,
    "burnpack.store": 28_200,
    "burnpack.*": 76_000,
    "burnrt.nn.linear": 10_500,
    "burnrt.plan": 16_100,
    "burnrt.int8.model": 23_700,
    "burnrt.kernels.int8.plain.*": 6_500,
    "burnrt.kernels.int8.viper.*": 17_500,
    "burnrt.kernels.int8.thumb_m0.*": 4_300,
    "burnrt.kernels.int8.thumb_dsp.*": 4_700,
    "burnrt.kernels.thumb_fpu.*": 6_200,
    "burnrt.*": 131_000,
}


@cache
def sizes() -> dict[str, int]:
    """Return {module: bytes of its .mpy} for all that runs on a board."""
    portable = set(check_portable.portable_files())
    return {module: len(mpy.compiled(path)) for module, path in check_imports.modules() if path in portable}


def weight(entry: str) -> int:
    """Return the bytes of .mpy that importing `entry` brings."""
    return sum(sizes()[module] for module in brought_by(entry))


def brought_by(entry: str) -> set[str]:
    """Return the modules that a board loads when it imports `entry`; of "package.*", all there are."""
    if entry.endswith(".*"):
        return {module for module in sizes() if (module + ".").startswith(entry[:-1])}
    paths = {module: path for module, path in check_imports.modules() if module in sizes()}
    brought: set[str] = set()
    waiting = [entry]
    while waiting:
        module = waiting.pop()
        if module in paths and module not in brought:
            brought.add(module)
            waiting += [module.rpartition(".")[0]]
            waiting += _imported_at_once(ast.parse(paths[module].read_text(encoding="utf-8")))
    return brought


def _imported_at_once(tree: ast.AST) -> Iterator[str]:
    """Yield what a module imports while it is imported itself: not what its functions import later."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "False":
            continue  # for type checkers
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from ("%s.%s" % (node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.stmt | ast.ExceptHandler) and not isinstance(node, ast.FunctionDef):
            yield from _imported_at_once(node)
