"""Checks that shared/ and device/ contain only what MicroPython runs.

    python -m tools.check_portable [FILE...]

Each file is held against the rules of portable_rules.py, then compiled by MicroPython's own compiler.
"""

import ast
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from burnpack.errors import BurnpackError
from tools import mpy, portable_names
from tools.portable_rules import RULES, Source

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("shared", "device")

# file, or folder: why MicroPython never sees it
FOR_CPYTHON_ONLY = {
    "device/burnrt/kernels/numpy/": "chosen where numpy can be imported",
    "device/burnrt/kernels/int8/numpy.py": "chosen where numpy can be imported",
    "device/burnrt/kernels/int8/numpy_broadcasting.py": "of numpy.py",
    "device/burnrt/kernels/int8/numpy_normalizing.py": "of numpy.py",
    "device/burnrt/kernels/int8/numpy_recurrent.py": "of numpy.py",
    "device/burnrt/kernels/int8/numpy_resampling.py": "of numpy.py",
    "device/burnrt/kernels/int8/numpy_wide.py": "of numpy.py",
}

# file: the rules that it may break, as only what brings ulab imports it, whose arrays take steps
WITH_ULAB = {"device/burnrt/kernels/ulab.py": ("module", "step-slice")}


def findings(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield (line, rule, advice) for all that breaks a rule in the source `text`."""
    try:
        tree = ast.parse(text, feature_version=(3, 11))
    except SyntaxError as error:
        yield error.lineno or 0, "syntax", str(error.msg)
        return
    source = Source(text, _in_annotations(tree), _constants(tree))
    exempt = _for_cpython(tree)
    for node, line in _nodes(tree, 0):
        if id(node) in exempt:
            continue
        for rule in RULES:
            if isinstance(node, rule.kinds) and rule.breaks(node, source):
                yield line, rule.name, rule.advice


def _nodes(node: ast.AST, line: int) -> Iterator[tuple[ast.AST, int]]:
    """Yield each node with its line, which is its parent's where it has none of its own."""
    line = getattr(node, "lineno", line)
    yield node, line
    for child in ast.iter_child_nodes(node):
        yield from _nodes(child, line)


def _in_annotations(tree: ast.AST) -> frozenset[int]:
    roots = []
    for node in ast.walk(tree):
        roots += [getattr(node, field, None) for field in ("annotation", "returns")]
    return _ids(root for root in roots if root is not None)


def _for_cpython(tree: ast.AST) -> frozenset[int]:
    """Return the nodes that MicroPython never runs: one side of an import that fails on one interpreter."""
    roots: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name in portable_names.CPYTHON_METHODS:
            roots.append(node)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "False":
            roots += node.body  # for type checkers: MicroPython compiles none of it
        elif isinstance(node, ast.Try) and any(_is_import_error(handler) for handler in node.handlers):
            modules = {name for statement in node.body for name in _imported(statement)}
            on_cpython = node.handlers if modules & portable_names.BOARD_MODULES else node.body
            roots += [*on_cpython, *(s for s in node.body if isinstance(s, ast.Import | ast.ImportFrom))]
    return _ids(roots)


def _is_import_error(handler: ast.ExceptHandler) -> bool:
    return isinstance(handler.type, ast.Name) and handler.type.id == "ImportError"


def _imported(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.ImportFrom):
        return [statement.module or ""]
    return [alias.name for alias in statement.names] if isinstance(statement, ast.Import) else []


def _ids(roots: Iterator[ast.AST] | Sequence[ast.AST]) -> frozenset[int]:
    return frozenset(id(node) for root in roots for node in ast.walk(root))


def _constants(tree: ast.Module) -> dict[str, str]:
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            for target in node.targets:
                if isinstance(target, ast.Name) and isinstance(node.value.value, str):
                    found[target.id] = node.value.value
    return found


def portable_files() -> list[Path]:
    """Return the files that MicroPython is to run."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    others = tuple(FOR_CPYTHON_ONLY)
    return sorted(path for path in found if not path.relative_to(ROOT).as_posix().startswith(others))


def check_file(path: Path) -> list[str]:
    """Return a line of text for all that is wrong with a file."""
    permitted = WITH_ULAB.get(path.relative_to(ROOT).as_posix(), ()) if path.is_relative_to(ROOT) else ()
    wrong = [
        "%s:%d: %s: %s" % (path, line, rule, advice)
        for line, rule, advice in findings(path.read_text(encoding="utf-8"))
        if rule not in permitted
    ]
    try:
        mpy.compiled(path)
    except BurnpackError as error:
        wrong.append("%s: %s" % (path, error))
    return wrong


def main(arguments: Sequence[str]) -> int:
    files = [Path(argument) for argument in arguments] or portable_files()
    wrong = [line for path in files for line in check_file(path)]
    print("\n".join(wrong or ["portable: %d files" % len(files)]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
