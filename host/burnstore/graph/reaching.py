"""Convolutions whose padding reaches past their kernel.

No kernel of integers takes a window with nothing of the input in it. Weights of zero around the others make
every window reach the input, and change no sum.
"""

from dataclasses import replace

import numpy as np

from burnstore.graph.operations import Numbers, Window


def reaching(window: Window, weight: Numbers) -> tuple[Window, Numbers]:
    """Return windows that all have something of the input, and their weight, (out, in, height, width)."""
    for axis in (0, 1):
        if not _all_reach(window, axis):
            window, weight = _enlarged(window, weight, axis)
    return window, weight


def _all_reach(window: Window, axis: int) -> bool:
    size, step = window.size[axis], window.dilation[axis]
    starts = np.arange(window.out_size[axis]) * window.stride[axis] - window.padding[axis]
    first = np.where(starts < 0, starts % step, starts)  # the first place behind the padding in front
    return bool((first < np.minimum(size, starts + window.kernel[axis] * step)).all())


def _enlarged(window: Window, weight: Numbers, axis: int) -> tuple[Window, Numbers]:
    """Return the windows without gaps, with as many weights more as the first and the last one need."""
    step, padding = window.dilation[axis], window.padding[axis]
    kernel = (window.kernel[axis] - 1) * step + 1
    last = (window.out_size[axis] - 1) * window.stride[axis] - padding
    before, behind = max(0, last - window.size[axis] + 1), max(0, padding - kernel + 1)
    shape = list(weight.shape)
    shape[2 + axis] = before + kernel + behind
    found = np.zeros(shape)
    np.moveaxis(found, 2 + axis, 0)[before : before + kernel : step] = np.moveaxis(weight, 2 + axis, 0)
    changed = {"kernel": shape[2 + axis], "padding": padding + before, "dilation": 1}
    pairs = {name: _with(getattr(window, name), axis, number) for name, number in changed.items()}
    return replace(window, **pairs), found


def _with(pair: tuple[int, int], axis: int, number: int) -> tuple[int, int]:
    return (number, pair[1]) if axis == 0 else (pair[0], number)
