"""Checks by the names that programs have for kernels; bundles have a table instead."""

if False:  # for type checkers
    from collections.abc import Callable
    from typing import Any

HOMES = """
integers int8.linear int8.conv2d int8.depthwise2d int8.max_pool2d int8.avg_pool2d
integers int8.add int8.lookup int8.softmax
"""


def find(name: str) -> "Callable[..., Any] | None":
    """Return the check of a kernel's words or arguments, or None for a kernel that there is not."""
    for line in HOMES.split("\n"):
        homes = line.split()
        if name in homes[1:]:
            name = name.split(".")[-1]
            module = __import__("burnrt.checks." + homes[0], None, None, (name,))
            return getattr(module, name)  # type: ignore[no-any-return] # by name
    return None
