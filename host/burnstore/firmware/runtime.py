"""Which files of burnpack and burnrt a board needs for what it does."""

import ast
import importlib.util
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from burnpack.errors import NotFound

PACKAGES = ("burnpack", "burnrt")

# Kernels that run on a computer alone, and texts that are of use there.
_HOST_ONLY = frozenset(("burnrt.advice", "burnrt.kernels.numpy", "burnrt.kernels.int8.numpy"))

# What finding, opening, loading and planning a model takes. Some of it is imported inside functions.
LOADING = (
    "burnpack.apply",
    "burnpack.module",
    "burnpack.store",
    "burnpack.summary",
    "burnrt.blob",
    "burnrt.kernels.plain.memory",
    "burnrt.nn",
    "burnrt.plan",
    "burnrt.value",
)

_KERNELS = "burnrt.kernels"
_PLAIN = "burnrt.kernels.plain"


@cache
def modules() -> dict[str, Path]:
    """Return {module: its file} of all that runs on a board."""
    found = {}
    for package in PACKAGES:
        for folder in _folders(package):
            for path in sorted(folder.rglob("*.py")):
                found[_module_name(path.relative_to(folder.parent))] = path
    return {name: path for name, path in found.items() if name not in _HOST_ONLY}


def _folders(package: str) -> list[Path]:
    spec = importlib.util.find_spec(package)  # nothing is imported: burnstore does not need burnrt
    if spec is None or spec.submodule_search_locations is None:
        raise NotFound("this package is not installed", package)
    return [Path(folder) for folder in spec.submodule_search_locations]


def _module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def file_name(module: str) -> str:
    """Return the name of a module's file on a board, as in "burnrt/nn/__init__.py"."""
    parts = module.split(".")
    if modules()[module].name == "__init__.py":
        parts.append("__init__")
    return "/".join(parts) + ".py"


def module_in(path: str) -> str:
    """Return the module of ours whose file a path ends with, as in "lib/burnrt/nn/linear.py"; else ""."""
    for package in PACKAGES:
        _, found, rest = path.rpartition(package + "/")
        if found:
            return (found + rest).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return ""


def needed(entries: Iterable[str]) -> list[str]:
    """Return the modules that using `entries` takes, themselves among them, sorted.

    entries: names of modules; "package.*" stands for all in a package. What is imported inside a function
    is not counted: who wants it names it. Kernels are: `kernels.linear` brings the file that has it.
    """
    waiting = [module for entry in entries for module in _expanded(entry)]
    brought: set[str] = set()
    while waiting:
        module = waiting.pop()
        if module in modules() and module not in brought:
            brought.add(module)
            waiting += [module.rpartition(".")[0], *_used_by(module)]
    return sorted(brought)


def kernels_used(modules: Iterable[str]) -> set[str]:
    """Return the kernels of layers that these modules call, as in {"linear"}."""
    return {name for module in modules for name in _kernels_of(module)}


def _expanded(entry: str) -> list[str]:
    if not entry.endswith(".*"):
        if entry not in modules():
            raise NotFound("no such module for a board", entry)
        return [entry]
    package = entry.removesuffix(".*")
    return [name for name in modules() if name == package or name.startswith(package + ".")]


@cache
def _used_by(module: str) -> tuple[str, ...]:
    homes = [f"{_PLAIN}.{_kernel_homes()[name]}" for name in _kernels_of(module)]
    return (*_imported_at_once(_tree(module)), *homes)


def _imported_at_once(tree: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "False":
            continue  # for type checkers
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif not isinstance(node, ast.FunctionDef | ast.Lambda | ast.expr):
            yield from _imported_at_once(node)


@cache
def _kernels_of(module: str) -> tuple[str, ...]:
    """Return the kernels that a module calls, as in `kernels.linear(...)`."""
    tree = _tree(module)
    if _KERNELS not in _imported_at_once(tree):
        return ()
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    called = [node.attr for node in found if getattr(node.value, "id", "") == "kernels"]
    return tuple(name for name in called if name in _kernel_homes())


@cache
def _kernel_homes() -> dict[str, str]:
    """Return {kernel: the module of the plain set that has it}, from the set's own table."""
    tables = [node for node in _tree(_PLAIN).body if isinstance(node, ast.Assign)]
    homes: dict[str, str] = ast.literal_eval(tables[0].value)
    return homes


def _tree(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text(encoding="utf-8"))
