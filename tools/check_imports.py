"""Checks that imports point one way: burnstore -> burnpack <- burnrt.

    python -m tools.check_imports

No files import each other in a circle, but for those in `CIRCLES`, and there inside functions only.

Imports inside functions count like those at the top; only those for type
checkers, under `if TYPE_CHECKING` or `if False`, don't.
"""

import ast
import sys
from collections.abc import Container, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from tools.portable_names import MODULES

ROOT = Path(__file__).resolve().parent.parent

# package: its folder, the packages of ours that it may import
PACKAGES = {
    "burnpack": ("shared/burnpack", frozenset(("burnpack",))),
    "burnrt": ("device/burnrt", frozenset(("burnpack", "burnrt"))),
    "burnstore": ("host/burnstore", frozenset(("burnpack", "burnstore"))),
}

# What may import a package beside these: the commands that need a model, and what reads a board's tables.
EXCEPTIONS = {
    "burnrt": (
        "burnstore.models.answering",
        "burnstore.models.comparison",
        "burnstore.models.eager",
        "burnstore.models.ends",
        "burnstore.models.loaded",
        "burnstore.models.model",
        "burnstore.models.passes",
        "burnstore.models.program",
        "burnstore.models.running",
        "burnstore.models.selftest",
        "burnstore.classes.*",
        "burnstore.boards.link.*",
        "burnstore.boards.runtime.layers",
        "burnstore.boards.runtime.needs",
        "burnstore.boards.fit.*",
        "burnstore.graph.*",
        "burnstore.programs.*",
        "burnstore.quantize",
        "burnstore.quantize.*",
        "burnstore.reporting.observing",
        "burnstore.reporting.report",
        "burnstore.cli",
        "burnstore.cli.*",
    ),
}

# What must work without anything installed may import these, and ours, and no more.
SELF_CONTAINED = {"burnpack": MODULES}

# What stands under these conditions is for type checkers.
_NEVER_RUN = ("TYPE_CHECKING", "False")

# Files that import each other, and why. At the top of a file none does.
CIRCLES = {
    "burnpack.adapters.base burnpack.adapters.chain": "adapters chain; a chain is an adapter",
    "burnpack.apply burnpack.collect burnpack.module": "a module loads and saves itself",
    "burnpack.descriptor burnpack.scheme": "the scheme of quantized tensors is brought in for those alone",
    "burnrt.advice burnrt.functional burnrt.functional.operands burnrt.nn.add burnrt.nn.index "
    "burnrt.nn.layer burnrt.nn.module burnrt.plan burnrt.trace burnrt.value "
    "burnrt.views": "operators on values are layers, which make values",
}

NOBODY = frozenset(("tests", "tools", "examples", "conftest", "kit"))


def refusals(module: str, source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, text) for each import in `source`, the text of `module`, that points the wrong way."""
    for line, target in imports(ast.parse(source), module):
        reason = _refusal(module, target)
        if reason:
            yield line, "%s imports %s: %s" % (module, target, reason)


def _refusal(module: str, target: str) -> str:
    own, root = module.split(".")[0], target.split(".")[0]
    if root in NOBODY:
        return "tests, tools and examples are imported by nobody"
    if root in PACKAGES:
        if root in PACKAGES[own][1] or _is_excepted(module, root):
            return ""
        return "%s must not need %s" % (own, root)
    if own in SELF_CONTAINED and root not in SELF_CONTAINED[own]:
        return "%s imports itself and what MicroPython has built in" % own
    return ""


def _is_excepted(module: str, root: str) -> bool:
    return any(fnmatchcase(module, pattern) for pattern in EXCEPTIONS.get(root, ()))


def imports(tree: ast.AST, module: str) -> Iterator[tuple[int, str]]:
    """Yield (line, full name) of every module that a source file imports."""
    for node in _run_nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, _absolute(node, module)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "__import__":
            yield from ((node.lineno, name) for name in _leading_text(node.args))


def _run_nodes(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) in _NEVER_RUN:
            continue
        yield child
        yield from _run_nodes(child)


def _absolute(node: ast.ImportFrom, module: str) -> str:
    """Return what `from ..x import y` means in `module`, as if that were no package itself."""
    if not node.level:
        return node.module or ""
    parents = module.split(".")[: -node.level] or module.split(".")[:1]
    return ".".join([*parents, node.module] if node.module else parents)


def _leading_text(arguments: list[ast.expr]) -> Iterator[str]:
    """Yield the text that the first argument is known to begin with: `__import__("burnpack." + name)`."""
    first = arguments[0] if arguments else None
    if isinstance(first, ast.BinOp):
        first = first.left
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        yield first.value.rstrip(".")


def circles(found: Iterable[tuple[str, Path]]) -> set[str]:
    """Return the groups of modules that import each other, each as their names in order."""
    paths = dict(found)
    targets = {module: _targets(module, path, paths) for module, path in paths.items()}
    reached = {module: _reached(module, targets) for module in targets}
    groups = ({other for other in reached[module] if module in reached[other]} for module in reached)
    return {" ".join(sorted(group)) for group in groups if group}


def _targets(module: str, path: Path, paths: Container[str]) -> set[str]:
    """Return the modules of ours that a module imports, its own packages aside."""
    found: set[str] = set()
    for node in _run_nodes(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = _absolute(node, module)
            inner = [f"{base}.{alias.name}" for alias in node.names]
            found.update(name if name in paths else base for name in inner)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return {name for name in found if name in paths and name != module}


def _reached(module: str, targets: Mapping[str, set[str]]) -> set[str]:
    """Return all modules that a module imports, or that those import; itself only by a circle."""
    found: set[str] = set()
    waiting = list(targets[module])
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += targets[name]
    return found


def modules() -> Iterator[tuple[str, Path]]:
    """Yield (full name, path) of every module of ours."""
    for folder, _ in PACKAGES.values():
        base = (ROOT / folder).parent
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(base).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def check(found: Iterable[tuple[str, Path]]) -> list[str]:
    """Return a line of text for each import that points the wrong way."""
    wrong = []
    for module, path in found:
        for line, text in refusals(module, path.read_text(encoding="utf-8")):
            wrong.append("%s:%d: %s" % (path, line, text))
    return wrong


def main() -> int:
    found = list(modules())
    wrong = check(found)
    for circle in sorted(circles(found) ^ set(CIRCLES)):
        wrong.append("files that import each other, or no longer do: %s" % circle)
    print("\n".join(wrong or ["imports: %d modules" % len(found)]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
