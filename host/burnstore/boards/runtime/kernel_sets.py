"""Sets of kernels in native code, and which of them a processor is worth."""

from collections.abc import Iterable

from burnstore.boards.runtime import needs
from burnstore.boards.runtime.needs import NATIVE, UNSURE

_FPU = "burnrt.kernels.thumb_fpu"
_ULAB = "burnrt.kernels.ulab"
_PLAIN = "burnrt.kernels.plain"


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
    """Return the modules with a processor's fastest kernels for these operations, and what they call.

    Sets and families of kernels without one of them are left out: a board pays for what it has.
    """
    wanted = set(operations)
    while True:
        found = _int8_kernels(processor, wanted)
        called = {operation for module in found for operation in needs.table()[module].integers}
        if called <= wanted:
            return found
        wanted |= called


def _int8_kernels(processor: str | None, operations: Iterable[str]) -> list[str]:
    chosen: set[str] = set()
    missing = set(operations)
    for name in needs.int8_sets():
        homes = needs.kernels_of(name) if runs_on(name, processor) else {}
        found = missing & set(homes)
        chosen |= {homes[operation] for operation in found}
        missing -= set() if (name, processor) in UNSURE else found
    return sorted(chosen)


def float_kernels(processor: str | None, has_ulab: bool, used: Iterable[str]) -> list[str]:
    """Return the modules with fast kernels among those that layers use; "plain" has them all, besides."""
    wanted = set(used)
    able = [_FPU] * runs_on(_FPU, processor) + [_ULAB] * has_ulab
    homes = [needs.kernels_of(name) for name in able]
    return sorted({each[kernel] for each in homes for kernel in wanted & set(each)})


def int8_homes(processor: str | None) -> dict[str, str]:
    """Return {operation of integers: the module with its fastest kernel that surely runs on a processor}."""
    return _fastest(name for name in needs.int8_sets() if _surely_runs(name, processor))


def float_homes(processor: str | None, has_ulab: bool) -> dict[str, str]:
    """Return {kernel of layers: the module with the fastest one}."""
    return _fastest([_FPU] * runs_on(_FPU, processor) + [_ULAB] * has_ulab + [_PLAIN])


def _surely_runs(name: str, processor: str | None) -> bool:
    return runs_on(name, processor) and (name, processor) not in UNSURE


def _fastest(sets: Iterable[str]) -> dict[str, str]:
    homes: dict[str, str] = {}
    for name in sets:
        homes = needs.kernels_of(name) | homes
    return homes
