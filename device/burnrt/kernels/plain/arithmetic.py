"""Sums and products, number by number, in plain Python.

All buffers hold (count) numbers; `out` may be one of the others.
"""


def add(a, b, out, count):
    """out = a + b."""
    for place in range(count):
        out[place] = a[place] + b[place]


def multiply(a, b, out, count):
    """out = a · b."""
    for place in range(count):
        out[place] = a[place] * b[place]


def lerp(start, end, share, out, count):
    """out = start + share · (end - start): from start to end, as far as share says."""
    for place in range(count):
        value = start[place]
        out[place] = value + share[place] * (end[place] - value)
