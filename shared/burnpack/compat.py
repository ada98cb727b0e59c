"""What differs between CPython and MicroPython, in one place."""

import sys

if False:  # for type checkers
    from collections.abc import Iterable
    from typing import Any

    from burnpack.types import T


if sys.implementation.name == "micropython":
    from heapq import heapify, heappop

    from micropython import const

    ON_BOARD = True

    def rising(items: "Iterable[Any]") -> "list[Any]":
        # Its own sort takes the square of the time for what is sorted already, or falls.
        heap = list(items)
        heapify(heap)
        return [heappop(heap) for _ in range(len(heap))]
else:
    ON_BOARD = False

    def const(value: "T") -> "T":
        return value

    def rising(items: "Iterable[Any]") -> "list[Any]":
        return sorted(items)
