"""Which files of burnpack and burnrt a board needs for what it does: those that `needs` says."""

import importlib.util
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from burnpack.errors import NotFound
from burnstore.boards.runtime.needs import PACKAGES, kernels_of, table

_PLAIN = "burnrt.kernels.plain"


@cache
def modules() -> dict[str, Path]:
    """Return {module: its file} of all that runs on a board."""
    return {name: _file(name) for name in table()}


@cache
def sources() -> dict[str, str]:
    """Return {module: its source} of both packages, whatever it runs on."""
    files = {path: _folder(package) for package in PACKAGES for path in _folder(package).rglob("*.py")}
    return {_module(path, folder): path.read_text(encoding="utf-8") for path, folder in sorted(files.items())}


def _module(path: Path, folder: Path) -> str:
    parts = path.relative_to(folder.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _file(module: str) -> Path:
    package, *rest = module.split(".")
    base = _folder(package).joinpath(*rest)
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


@cache
def _folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)  # nothing is imported: burnstore does not need burnrt
    if spec is None or spec.origin is None:
        raise NotFound("this package is not installed", package)
    return Path(spec.origin).parent


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


def imported(entries: Iterable[str]) -> list[str]:
    """Return the modules that importing `entries` brings, themselves among them, sorted.

    entries: names of modules; "package.*" stands for all in a package. What is imported inside a function
    is not counted: who wants it names it. Raises `NotFound` for a name that is no module's for a board.
    """
    return _reached(entries, lambda module: table()[module].imports)


def needed(entries: Iterable[str]) -> list[str]:
    """Return the modules that using `entries` takes: what `imported` has, and the kernels that they call."""
    plain = kernels_of(_PLAIN)

    def taken(module: str) -> list[str]:
        needs = table()[module]
        return [*needs.imports, *(plain[kernel] for kernel in needs.kernels)]

    return _reached(entries, taken)


def kernels_used(modules: Iterable[str]) -> set[str]:
    """Return the kernels of layers that these modules call, as in {"linear"}."""
    return {kernel for module in modules for kernel in table()[module].kernels}


def _reached(entries: Iterable[str], following: Callable[[str], Iterable[str]]) -> list[str]:
    waiting = [module for entry in entries for module in _expanded(entry)]
    reached: set[str] = set()
    while waiting:
        module = waiting.pop()
        if module and module not in reached:
            reached.add(module)
            waiting += [module.rpartition(".")[0], *following(module)]
    return sorted(reached)


def _expanded(entry: str) -> list[str]:
    package = entry.removesuffix(".*")
    if package not in table():
        raise NotFound("no such module for a board", entry)
    if package == entry:
        return [entry]
    return [name for name in table() if name == package or name.startswith(package + ".")]
