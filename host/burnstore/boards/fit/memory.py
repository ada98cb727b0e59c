"""What a model and its runtime take of a 32-bit board's heap, by where they lie.

The figures were fitted to gc.mem_alloc(), and to the least heaps in which models run, of MicroPython 1.29 on
an emulated Cortex-M3; docs/performance.md has what was measured beside what is foretold.
"""

import ast
from dataclasses import dataclass

from burnstore.boards.fit.steps import Facts
from burnstore.boards.runtime.bundle import Bundle

BLOCK = 16  # what the heap is given out in

_MODEL, _STEP, _FLOAT_STEP, _FILE = (
    780,
    40,
    300,
    160,
)  # bytes: a model's objects, each step's, a file's besides
_NATIVE = ("asm_thumb", "viper")


@dataclass(frozen=True)
class Runtime:
    """A runtime. size: bytes of its .mpy, `native` of which are machine code. functions: how many it has."""

    size: int
    functions: int
    native: int


@dataclass(frozen=True)
class Place:
    """Where the runtime and the model lie: "frozen", "rom" or "file".

    byte, function, native, base: what importing the runtime keeps of the heap, for each of these.
    least: slope and base of the least heap in which it is imported, by what it keeps. slack: what the least
    heap of all is larger by, as a factor.
    """

    name: str
    title: str
    byte: float
    function: int
    native: float
    base: int
    imported: tuple[float, int]
    slack: float

    def of_runtime(self, runtime: Runtime) -> int:
        """Return what the imported runtime keeps."""
        counted = self.byte * runtime.size + self.function * runtime.functions + self.native * runtime.native
        return round(counted) + self.base

    def of_model(self, facts: Facts) -> int:
        """Return what the model keeps, with its arena."""
        floats = sum(not step.kernel.startswith("int8.") for step in facts.steps)
        found = rounded(facts.arena) + _MODEL + _STEP * (len(facts.steps) - floats) + _FLOAT_STEP * floats
        if self.name == "file":
            found += rounded(facts.copied) + rounded(facts.program) + _FILE
        return found

    def piece(self, facts: Facts) -> int:
        """Return the largest piece of the heap."""
        return rounded(max(facts.arena, facts.copied if self.name == "file" else 0))

    def least(self, facts: Facts, runtime: Runtime) -> int:
        """Return the least heap, free before the import, in which the model runs."""
        imported = self.imported[0] * self.of_runtime(runtime) + self.imported[1]
        return round((imported + self.of_model(facts) + rounded(facts.answer)) * self.slack)


FROZEN = Place("frozen", "frozen into the firmware", 0, 17, 0, 1300, (1.2, 1600), 1.0)
ROM = Place("rom", "in a ROM partition, read in place", 0, 75, 1.0, 800, (1.3, 800), 1.01)
FILE = Place("file", "in files, read into the heap", 1.1, 50, 0, 1950, (1.2, 3300), 1.03)
PLACES = (FROZEN, ROM, FILE)


def rounded(size: int) -> int:
    """Return what `size` bytes in one piece take."""
    return -(-size // BLOCK) * BLOCK


def runtime_of(made: Bundle) -> Runtime:
    """Return what a bundle takes of flash, and what of it is machine code."""
    size = len(made.compiled())
    tree = ast.parse(made.source)
    nodes = list(ast.walk(tree))
    native = [node for node in nodes if isinstance(node, ast.FunctionDef) and _is_native(node)]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.Lambda)]
    for node in native:
        node.body, node.decorator_list = [ast.Pass()], []
    bare = Bundle(made.kernels, ast.unparse(tree), made.architecture)
    return Runtime(size, len(functions), max(0, size - len(bare.compiled())) if native else 0)


def _is_native(node: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr in _NATIVE for each in node.decorator_list)
