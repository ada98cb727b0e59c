"""Where values lie in one buffer, found by trying orders in which to place them.

In every round those that lie too high go before one that was in their way, in the order of the next round.
"""

from collections.abc import Sequence
from random import Random

from burnrt.arena import place

_ROUNDS = 60
_SEED = 0


def placed_within(
    sizes: Sequence[int],
    births: Sequence[int],
    deaths: Sequence[int],
    alignment: int,
    fixed: Sequence[int],
    most: int | None,
    rounds: int = _ROUNDS,
) -> tuple[list[int], int]:
    """Return what `burnrt.arena.place` does; where that takes more than `most`, the least that is found.

    rounds: of each order to begin with.
    """
    best = place(sizes, births, deaths, alignment, fixed)
    if most is None or best[1] <= most:
        return best
    sizes = [-(-size // alignment) * alignment for size in sizes]
    met, random = _met(births, deaths), Random(_SEED)
    for order in _orders(sizes, births, deaths):
        order = order[:]
        for _ in range(rounds):
            found = _placed(order, sizes, met, fixed)
            best = min(best, found, key=lambda each: each[1])
            if best[1] <= most:
                return best
            _reorder(order, found[0], sizes, met, len(fixed), best[1], random)
    return best


def _orders(sizes: Sequence[int], births: Sequence[int], deaths: Sequence[int]) -> list[list[int]]:
    """Return orders to begin with: by size, by how much of the whole time they take, and by birth."""
    values = range(len(sizes))
    lives = [death - birth + 1 for birth, death in zip(births, deaths, strict=True)]
    return [
        sorted(values, key=lambda value: (-sizes[value], births[value])),
        sorted(values, key=lambda value: -sizes[value] * lives[value]),
        sorted(values, key=lambda value: (births[value], -sizes[value])),
    ]


def _met(births: Sequence[int], deaths: Sequence[int]) -> list[list[int]]:
    """Return of each value those that are needed at a time when it is."""
    found: list[list[int]] = [[] for _ in births]
    alive: list[int] = []
    for value in sorted(range(len(births)), key=lambda value: births[value]):
        alive = [other for other in alive if deaths[other] >= births[value]]
        for other in alive:
            found[value].append(other)
            found[other].append(value)
        alive.append(value)
    return found


def _placed(
    order: Sequence[int], sizes: Sequence[int], met: Sequence[Sequence[int]], fixed: Sequence[int]
) -> tuple[list[int], int]:
    """Place values in this order, each as low as it can lie."""
    offsets = [*fixed, *[-1] * (len(sizes) - len(fixed))]
    for value in order:
        if value < len(fixed):
            continue
        taken = sorted(
            (offsets[other], offsets[other] + sizes[other]) for other in met[value] if offsets[other] >= 0
        )
        start = 0
        for begin, end in taken:
            if begin - start >= sizes[value]:
                break
            start = max(start, end)
        offsets[value] = start
    return offsets, max(offset + size for offset, size in zip(offsets, sizes, strict=True))


def _reorder(
    order: list[int],
    offsets: Sequence[int],
    sizes: Sequence[int],
    met: Sequence[Sequence[int]],
    fixed: int,
    best: int,
    random: Random,
) -> None:
    """Let those that lie too high go before another that they meet. fixed: how many are."""
    places = {value: place for place, value in enumerate(order)}
    for value in [each for each in order if offsets[each] + sizes[each] >= best]:
        others = [other for other in met[value] if other >= fixed and places[other] < places[value]]
        if others:
            order.remove(value)
            order.insert(order.index(random.choice(others)), value)
