"""What differs between CPython and MicroPython, in one place."""

import sys

if False:  # for type checkers
    from collections.abc import Iterable

    from burnpack.types import Sortable, T

    def const(value: "T") -> "T": ...


if sys.implementation.name == "micropython":
    from heapq import heapify, heappop

    from micropython import const  # type: ignore[no-redef] # which has no types

    ON_BOARD = True

    def rising(items: "Iterable[Sortable]") -> "list[Sortable]":
        # Its own sort takes the square of the time for what is sorted already, or falls.
        heap = list(items)
        heapify(heap)
        return [heappop(heap) for _ in range(len(heap))]
else:
    ON_BOARD = False

    def const(value: "T") -> "T":
        return value

    def rising(items: "Iterable[Sortable]") -> "list[Sortable]":
        return sorted(items)
