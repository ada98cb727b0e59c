"""Sets of kernels in native code, and which of them a processor is worth."""

import ast
from collections.abc import Iterable
from functools import cache

from burnstore.firmware import runtime
from burnstore.firmware.cross import ARCHITECTURES

_DSP = ("armv7em", "armv7emsp", "armv7emdp")
_THUMB = ("armv6m", "armv7m", *_DSP)
_NO_EMITTER = ("rv64imc",)

_INT8 = "burnrt.kernels.int8"
_FPU = "burnrt.kernels.thumb_fpu"
_ULAB = "burnrt.kernels.ulab"

# A set, a module or a package: the processors that run it, as mpy-cross calls them. All else is bytecode.
NATIVE = {
    "burnrt.kernels.int8.thumb_dsp": _DSP,
    "burnrt.kernels.int8.thumb_m0": _THUMB,
    "burnrt.kernels.int8.viper": tuple(name for name in ARCHITECTURES if name not in _NO_EMITTER),
    _FPU: ("armv7emsp", "armv7emdp"),
}

# A Cortex-M3 says that it is an armv7em without floats, as an M4 does, and can't run all of its code: the set
# finds that out on the board, which then needs another.
_UNSURE = frozenset((("burnrt.kernels.int8.thumb_dsp", "armv7em"),))


def processors(module: str) -> tuple[str, ...] | None:
    """Return the processors that run a module with native code; None for bytecode, which runs everywhere."""
    for found, names in NATIVE.items():
        if module == found or module.startswith(found + "."):
            return names
    return None


def runs_on(module: str, processor: str | None) -> bool:
    """Return whether a processor, or with None a board without native code, runs a module."""
    names = processors(module)
    return names is None or processor in names


def int8_kernels(processor: str | None, operations: Iterable[str]) -> list[str]:
    """Return the modules with a processor's fastest kernels for these operations of `burnrt.int8`.

    Sets and families of kernels without one of them are left out: a board pays for what it has.
    """
    chosen: set[str] = set()
    missing = set(operations)
    for name in _int8_sets():
        homes = _homes(name) if runs_on(name, processor) else {}
        found = missing & set(homes)
        chosen |= {homes[operation] for operation in found}
        missing -= set() if (name, processor) in _UNSURE else found
    return sorted(chosen)


def float_kernels(processor: str | None, has_ulab: bool, used: Iterable[str]) -> list[str]:
    """Return the modules with fast kernels among those that layers use; "plain" has them all, besides."""
    wanted = set(used)
    able = [_FPU] * runs_on(_FPU, processor) + [_ULAB] * has_ulab
    return sorted({home for name in able for kernel, home in _homes(name).items() if kernel in wanted})


@cache
def _int8_sets() -> tuple[str, ...]:
    """Return the sets of integer kernels for boards, fastest first, from the table in their package."""
    names = [f"{_INT8}.{name}" for name in _table(_INT8, "_SETS")]
    return tuple(name for name in names if name in runtime.modules())


@cache
def _homes(name: str) -> dict[str, str]:
    """Return {kernel: the module that has it} of a set: one module, or a package of families.

    A package has a table of them, or imports each kernel from its family.
    """
    families = _table(name, "_HOMES")
    if isinstance(families, dict):
        return {kernel: f"{name}.{family}" for kernel, family in families.items()}
    found = {}
    for node in _tree(name).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = name
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(name + "."):
            found |= {alias.name: node.module or name for alias in node.names}
    return found


def _table(module: str, name: str) -> "dict[str, str] | tuple[str, ...]":
    """Return the table that a module assigns to a name at its top; an empty one where there is none."""
    for node in _tree(module).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            found: dict[str, str] | tuple[str, ...] = ast.literal_eval(node.value)
            return found
    return ()


def _tree(module: str) -> ast.Module:
    return ast.parse(runtime.modules()[module].read_text(encoding="utf-8"))
