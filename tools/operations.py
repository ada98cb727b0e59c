"""docs/operations.md: which of PyTorch's operations become what, from the table that the conversion goes by.

python -m tools.operations           write it
python -m tools.operations --check   exit 1 where it is not what it would be
"""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from burnstore.aten import attention, composed, creating, layers, quantized, recurrent, special
from burnstore.aten.core import CORE
from burnstore.aten.table import HANDLERS, Row

TARGET = Path(__file__).resolve().parent.parent / "docs" / "operations.md"

_HEAD = """# Operations

`burnstore convert net.pt2 net.bpk` and `burnstore describe net.pt2` take a network of the operations below,
as `torch.export` leaves them or as `run_decompositions()` does. An operation that is not here is refused
before anything is written, with all others like it, the modules they are in and the lines they are from. What
depends on no input is computed once, when the file is converted; dropout and assertions leave nothing behind.

This page is made by `python -m tools.operations`.
"""

_SECTIONS: tuple[tuple[str, str, Iterable[str]], ...] = (
    (
        "Layers",
        "A weight belongs to the module that it is named after, which becomes the layer; weights that are "
        "used in two ways stay in PyTorch's layout, and functions of `burnrt.functional` compute with them.",
        [*layers.HANDLERS, *recurrent.HANDLERS],
    ),
    (
        "Core operations",
        "Written as those that a module calls, before anything else. All operations of one "
        "`MultiheadAttention` of a sequence to itself become one layer.",
        CORE,
    ),
    (
        "Parts, sizes, dtypes and masks",
        "Numbers are 32-bit floats where the network runs: a dtype that holds other numbers rounds them.",
        [*special.HANDLERS, *composed.HANDLERS],
    ),
    (
        "Made on the computer",
        "These are computed when the file is converted, of what is known then.",
        creating.HANDLERS,
    ),
    (
        "Quantized by PyTorch",
        "Weights become the floats that they stand for, and values are rounded as the program says.",
        quantized.HANDLERS,
    ),
)


def text() -> str:
    """Return the page."""
    parts = [_HEAD]
    for title, about, operations in _SECTIONS:
        parts.append(f"## {title}\n\n{about}\n\n{_listed(operations)}\n")
    parts.append(_functions(HANDLERS))
    return "\n".join(parts)


def _listed(operations: Iterable[str]) -> str:
    names = sorted(name.removeprefix("aten.") for name in operations if name not in attention.HANDLERS)
    return ", ".join(f"`{name}`" for name in names)


def _functions(handlers: Mapping[str, object]) -> str:
    lines = ["## Functions", "", "| PyTorch's | `burnrt.functional` |", "|---|---|"]
    for name, row in sorted(handlers.items()):
        if isinstance(row, Row):
            lines.append(
                f"| `{name.removeprefix('aten.')}` | {_BECOMES.get(row.function) or f'`{row.function}`'} |"
            )
    return "\n".join(lines) + "\n"


_BECOMES = {"same": "the value itself", "reshape": "the same numbers in another shape"}


def main(arguments: list[str]) -> int:
    """Write the page, or check it."""
    if "--check" in arguments:
        return int(TARGET.read_text(encoding="utf-8") != text())
    TARGET.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
