"""Cases of copy and fill.

Geometry of copy, each name optional:

    extents, steps, out_steps     of five dimensions, the outermost first
    source                        0 to 2
    offset                        bytes from a multiple of 4 to where the numbers come from
    into                          and to where they go
"""

from typing import Any

import numpy as np

DIMENSIONS = 5

Five = tuple[int, ...]


def copy(
    arena_of: Any,
    g: np.random.Generator,
    extents: Five | None = None,
    steps: Five | None = None,
    out_steps: Five | None = None,
    source: int | None = None,
    offset: int | None = None,
    into: int | None = None,
) -> Any:
    """Return a case of copy; `arena_of` makes an arena of the sizes of its parts."""
    extents = extents or _extents(g)
    steps = steps or tuple(int(step) for step in g.choice([1, 0, -1, g.integers(-9, 10)], DIMENSIONS))
    out_steps = out_steps or _spread(g, extents)
    source = int(g.integers(3)) if source is None else source
    offset, into = (int(g.integers(4)) if start is None else start for start in (offset, into))
    low, high = (_reach(extents, steps, sign) for sign in (-1, 1))
    size = high - low + 1
    filled = into + 1 + _reach(extents, out_steps, 1) + int(g.integers(4))
    arena = arena_of(g, INPUT=offset + size, OUTPUT=filled)
    arena.fill("INPUT", g.integers(0, 256, offset + size, np.uint8))
    arena.offsets["INPUT"] += offset
    words = {"SOURCE": source, "FIRST": -low, "INTO": into, "FILLED": filled}
    for name, numbers in (("EXTENTS", extents), ("STEPS", steps), ("OUT_STEPS", out_steps)):
        words |= {f"{name}{axis}": number for axis, number in enumerate(numbers)}
    weight = (b"", g.integers(0, 256, 256, np.uint8), g.integers(0, 256, size, np.uint8))[source]
    return arena.case("copy", weight, b"", {**words, **arena.offsets}, int(np.prod(extents)))


def rows(size: int, offset: int, into: int, source: int = 0, out_step: int = 1) -> dict[str, Any]:
    """Return the geometry of a few rows, each 5 places behind the one before."""
    return {
        "extents": (1, 1, 2, 3, size),
        "steps": (1, 1, 3, size + 5, 1),
        "out_steps": (1, 1, 3 * size * out_step, size * out_step, out_step),
        "offset": offset,
        "into": into,
        "source": source,
    }


def fill(arena_of: Any, g: np.random.Generator, count: int = 0, into: int | None = None) -> Any:
    count = count or int(g.integers(1, 40))
    into = int(g.integers(4)) if into is None else into
    arena = arena_of(g, OUTPUT=into + count)
    arena.offsets["OUTPUT"] += into
    arena.sizes["OUTPUT"] = count
    return arena.case("fill", b"", b"", {**arena.offsets, "COUNT": count, "PAD": int(g.integers(256))}, count)


def _extents(g: np.random.Generator) -> Five:
    """Return few numbers along most dimensions, and many along one."""
    found = g.integers(1, 4, DIMENSIONS)
    found[g.integers(DIMENSIONS)] = g.integers(1, 40) if g.random() < 0.5 else 1
    return tuple(found.tolist())


def _spread(g: np.random.Generator, extents: Five) -> Five:
    """Return steps that lead to a place of its own for each number; dimensions lie in any order."""
    steps, step = [1] * DIMENSIONS, int(g.choice([1, 1, 2, 3]))
    order = range(DIMENSIONS - 1, -1, -1) if g.random() < 0.5 else g.permutation(DIMENSIONS)
    for axis in order:
        steps[axis] = step
        step = step * extents[axis] + int(g.choice([0, 0, 1, 5]))
    return tuple(steps)


def _reach(extents: Five, steps: Five, sign: int) -> int:
    """Return how far the steps of a sign lead, at most."""
    reaches = [(extent - 1) * step for extent, step in zip(extents, steps, strict=True)]
    return sum(reach for reach in reaches if reach * sign > 0)
