"""Which of the packages' modules a model takes: by its program, or by the source of the class that runs it.

A bundle has less: this is for firmware with the packages in it.
"""

from pathlib import Path

from burnpack.errors import Malformed, printable
from burnstore.boards.runtime import kernel_sets, layers, needs
from burnstore.boards.runtime import modules as runtime
from burnstore.programs.uses import OF_ENDS, Uses

_ALL_LAYERS = ["burnrt.nn.*"]
_INTEGER = "int8."
_PLAIN = "burnrt.kernels.plain"


def entries(
    uses: Uses | None,
    source: Path | None = None,
    architecture: str | None = None,
    has_ulab: bool = False,
) -> list[str]:
    """Return the modules that finding, loading and running a model takes, as `runtime.needed` takes them.

    uses: what its program calls; None without one. source: then, the file with its class; without it, all
    layers are counted. architecture: the processor, for kernels in native code; None for bytecode. has_ulab:
    whether ulab is in the firmware. Raises `Malformed` where the source is none.
    """
    if uses is not None:
        return _of_program({*uses.steps, *uses.ends} - OF_ENDS, architecture, has_ulab)
    found = [*needs.LOADING, *needs.RUNNING, *(_layers_in(source) if source else _ALL_LAYERS)]
    used = runtime.kernels_used(runtime.needed(found))
    return found + kernel_sets.float_kernels(architecture, has_ulab, used)


def _of_program(kernels: set[str], architecture: str | None, has_ulab: bool) -> list[str]:
    plain = needs.kernels_of(_PLAIN)
    integers = {name.removeprefix(_INTEGER) for name in kernels if name.startswith(_INTEGER)}
    floats = {name for name in kernels if not name.startswith(_INTEGER)}
    found = [*needs.PROGRAM, *kernel_sets.int8_kernels(architecture, integers)]
    found += kernel_sets.float_kernels(architecture, has_ulab, floats)
    found += [plain[name] for name in (*floats, *(["weights"] if floats else [])) if name in plain]
    return found + sorted({needs.check_of(name) for name in kernels})


def _layers_in(source: Path) -> list[str]:
    try:
        return layers.named_in(source)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise Malformed(f"no source of Python: {printable(str(error))}", source=str(source)) from None
