"""The code in a TorchScript archive: classes and functions by their names, as Python's own syntax trees.

The function `__torch__.a.b.f` and the class `__torch__.a.b.C` stand in `code/__torch__/a/b.py`.
"""

import ast
from dataclasses import dataclass, field

from burnpack.errors import LimitExceeded, Malformed
from burnstore.pytorch.archive import ZipArchive

FOLDER = "code/"
SIZE = 2 << 20  # bytes of code that are read, of all files together: its trees take fifty times as much


@dataclass
class Function:
    """A function or method. path: its file in the archive."""

    node: ast.FunctionDef
    path: str
    lines: list[str]

    def where(self, node: ast.stmt | ast.expr) -> str:
        """Return where a part is, as in "nets.py:12: x = torch.relu(y)"."""
        line = self.lines[node.lineno - 1].strip() if node.lineno <= len(self.lines) else ""
        return f"{self.path.rpartition('/')[2]}:{node.lineno}: {line}"


@dataclass
class File:
    """What a file of code has. constants: of classes, the attributes that are the same for all objects."""

    functions: dict[str, Function] = field(default_factory=dict)
    methods: dict[str, dict[str, Function]] = field(default_factory=dict)
    constants: dict[str, dict[str, ast.expr]] = field(default_factory=dict)


class Code:
    """The code of an archive, whose files are parsed when they are asked for."""

    def __init__(self, archive: ZipArchive) -> None:
        self._archive = archive
        self._files: dict[str, File] = {}
        self._left = SIZE

    def function(self, name: str) -> Function | None:
        """Return a function by its full name."""
        module, _, last = name.rpartition(".")
        return self._file(module).functions.get(last)

    def method(self, owner: str, name: str) -> Function | None:
        """Return a method. owner: the full name of its class."""
        module, _, last = owner.rpartition(".")
        return self._file(module).methods.get(last, {}).get(name)

    def constant(self, owner: str, name: str) -> ast.expr | None:
        """Return what a class says that an attribute is, for all of its objects."""
        module, _, last = owner.rpartition(".")
        return self._file(module).constants.get(last, {}).get(name)

    def _file(self, module: str) -> File:
        if module not in self._files:
            path = f"{FOLDER}{module.replace('.', '/')}.py"
            self._files[module] = self._parsed(path) if self._archive.has(path) else File()
        return self._files[module]

    def _parsed(self, path: str) -> File:
        record = self._archive.record(path)
        self._left -= record.size
        if self._left < 0:
            raise LimitExceeded("there is too much code", record.name, expected=f"at most {SIZE} bytes")
        text = str(record.view(), "utf-8", "replace")
        try:
            tree = ast.parse(text)
        except SyntaxError as error:
            item = f"record {record.name}: line {error.lineno}"
            raise Malformed(f"the code is not understood: {error.msg}", item) from None
        except (ValueError, RecursionError, MemoryError):
            raise Malformed("the code is not understood", f"record {record.name}") from None
        return _contents(tree, path, text.split("\n"))


def _contents(tree: ast.Module, path: str, lines: list[str]) -> File:
    file = File()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            file.functions[node.name] = Function(node, path, lines)
        elif isinstance(node, ast.ClassDef):
            methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
            file.methods[node.name] = {part.name: Function(part, path, lines) for part in methods}
            file.constants[node.name] = {
                part.target.id: part.value
                for part in node.body
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.value
            }
    return file
