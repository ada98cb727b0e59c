"""What of the runtime a model takes: by what is in its file, by its source, by the processor."""

from pathlib import Path
from typing import Protocol

from burnpack.errors import Malformed, printable
from burnstore.boards.runtime import kernel_sets, layers, needs
from burnstore.boards.runtime import modules as runtime

# What `burnstore quantize` says in the metadata of a file whose arithmetic is integers.
_VERSION = "burnrt.version"
_STEPS = "burnrt.steps"
_LAST = "int8.last"

_ALL_LAYERS = ["burnrt.nn.*"]


class Told(Protocol):
    """An opened container, as far as it is asked here."""

    def metadata(self) -> list[tuple[str, str]]: ...


def operations(container: Told) -> frozenset[str] | None:
    """Return what an integer model does, as in {"conv2d", "LogSoftmax"}; None for any other file.

    Names are those of its steps, and of what is computed of the answer in floats.
    """
    facts = dict(container.metadata())
    if _VERSION not in facts:
        return None
    names = {line.partition(" ")[0].removeprefix("int8.") for line in facts.get(_STEPS, "").splitlines()}
    return frozenset(names | {facts[_LAST]} if _LAST in facts else names)


def entries(
    wanted: frozenset[str] | None,
    source: Path | None = None,
    architecture: str | None = None,
    has_ulab: bool = False,
) -> list[str]:
    """Return the modules that finding, loading and running a model takes, as `runtime.needed` takes them.

    wanted: of an integer model its `operations`. source: of a float model the file with its class; without
    it, all layers are counted. architecture: the processor, for kernels in native code; None for bytecode.
    has_ulab: whether ulab is in the firmware. Raises `Malformed` where the source is none.
    """
    if wanted is not None:
        plain = needs.kernels_of("burnrt.kernels.plain")
        last = [plain[kernel] for name, kernel in needs.LAST.items() if name in wanted]
        entries = (*needs.PROGRAM, *needs.SCALARS, *needs.QUANTIZED)
        return [*entries, *kernel_sets.int8_kernels(architecture, wanted), *last]
    found = [*needs.LOADING, *needs.RUNNING, *(_layers_in(source) if source else _ALL_LAYERS)]
    used = runtime.kernels_used(runtime.needed(found))
    return found + kernel_sets.float_kernels(architecture, has_ulab, used)


def _layers_in(source: Path) -> list[str]:
    try:
        return layers.named_in(source)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise Malformed(f"no source of Python: {printable(str(error))}", source=str(source)) from None
