"""One buffer for values of which each lives for a while: where each of them lies."""

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    from burnrt.types import Lives


_ENDLESS: "Any" = float("inf")  # taken for a whole number


def place(
    sizes: "Sequence[int]",
    births: "Sequence[int]",
    deaths: "Sequence[int]",
    alignment: int = 1,
    fixed: "Sequence[int]" = (),
) -> tuple[list[int], int]:
    """Return (offsets, total): where each value lies, and how much is needed for all.

    sizes, births, deaths: a number each of every value. From its birth to its death, both included, a value
    shares its place with no other. Sizes and offsets are in one unit, and offsets multiples of `alignment`.
    fixed: where the first of the values lie already.
    Values of which each meets only the one before and the one after get the least that is possible.
    """
    sizes = [-(-size // alignment) * alignment for size in sizes]
    values = range(len(sizes))
    by_size = sorted(values, key=lambda value: (-sizes[value], births[value], value))
    by_birth = sorted(values, key=lambda value: (births[value], -sizes[value], value))
    lives = (sizes, births, deaths)
    from_below = _placed(by_size, 0, lives, fixed)
    from_both_ends = _placed(by_birth, _least(lives), lives, fixed)
    return from_below if from_below[1] <= from_both_ends[1] else from_both_ends


def _least(lives: "Lives") -> int:
    """Return the most that is alive at one time: less is never enough."""
    sizes, births, deaths = lives
    most = 0
    for now in births:
        alive = [size for size, birth, death in zip(sizes, births, deaths) if birth <= now <= death]
        most = max(most, sum(alive))
    return most


def _placed(
    order: "Sequence[int]", ceiling: int, lives: "Lives", fixed: "Sequence[int]"
) -> tuple[list[int], int]:
    """Place values in this order: at the bottom, else close below the ceiling, else at the lowest place."""
    sizes, births, deaths = lives
    offsets = list(fixed) + [0] * (len(sizes) - len(fixed))
    placed = list(range(len(fixed)))
    for value in order:
        if value < len(fixed):
            continue
        birth, death = births[value], deaths[value]
        met = [other for other in placed if births[other] <= death and birth <= deaths[other]]
        taken = sorted([(offsets[other], offsets[other] + sizes[other]) for other in met])
        offsets[value] = _free(sizes[value], taken, ceiling)
        placed.append(value)
    return offsets, max([offset + size for offset, size in zip(offsets, sizes)] + [0])


def _free(size: int, taken: list[tuple[int, int]], ceiling: int) -> int:
    """Return where `size` is free. taken: (start, end) of what is not, sorted."""
    lowest = highest = None
    start = 0
    for begin, end in taken + [(_ENDLESS, _ENDLESS)]:
        if lowest is None and begin - start >= size:
            lowest = start
        top = min(begin, ceiling)
        if top - start >= size:
            highest = top - size
        start = max(start, end)
    # Behind all that is taken there is always a place: `lowest` is none no more.
    return lowest if highest is None or lowest == 0 else highest  # type: ignore[return-value]
