"""Sums and products, number by number, in plain Python.

All buffers hold (count) numbers; `out` may be one of the others.
"""

if False:  # for type checkers
    from burnrt.types import NumberBuffer, Numbers


def add(a: "Numbers", b: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = a + b."""
    for place in range(count):
        out[place] = a[place] + b[place]


def multiply(a: "Numbers", b: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = a · b."""
    for place in range(count):
        out[place] = a[place] * b[place]


def lerp(start: "Numbers", end: "Numbers", share: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = start + share · (end - start): from start to end, as far as share says."""
    for place in range(count):
        value = start[place]
        out[place] = value + share[place] * (end[place] - value)
