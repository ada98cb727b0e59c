"""Transposed convolutions, as one convolution for each place that the output has in a stride.

Output number q · stride + r is a sum over those taps k of the kernel that reach it: where r + padding - k ·
dilation is a multiple of the stride, an input that many strides away. For each r that is a convolution of
stride 1 with some of the taps, the last one first. All together multiply as often as the whole.
"""

from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np

from burnstore.graph.moves import Moved
from burnstore.graph.operations import Convolution, Numbers, Operation, Pair, Window
from burnstore.graph.reaching import reaching


@dataclass(kw_only=True, eq=False)
class Transposed(Operation):
    """weight: (out, in / groups, kernel height, kernel width). bias: (out).

    window: of the transpose, which goes from what comes out to what comes in. lines: it is one over lines.
    scales: as in `Linear`.
    """

    window: Window
    groups: int
    weight: Numbers
    bias: Numbers
    lines: bool = False
    scales: Numbers | None = None

    @property
    def layout(self) -> Pair:
        return len(self.bias), prod(self.window.size)

    @property
    def macs(self) -> int:
        return self.weight.size * prod(self.window.out_size)


class Phase(NamedTuple):
    """convolution: makes what is at some places of the output. moved: where they are."""

    convolution: Convolution
    moved: Moved


class _Axis(NamedTuple):
    """taps: which of the kernel's, None for a weight of zero; step: from one to the next. padding: in front.
    windows: how many.
    """

    taps: list[int | None]
    padding: int
    step: int
    windows: int


def phases(whole: Transposed) -> list[Phase]:
    """Return the convolutions of a transposed one, each with a value of its own: -1, -2 and so on."""
    window = whole.window
    rows = [_along(window, 0, start) for start in range(min(window.stride[0], window.size[0]))]
    columns = [_along(window, 1, start) for start in range(min(window.stride[1], window.size[1]))]
    found: list[Phase] = []
    for row, down in enumerate(rows):
        for column, right in enumerate(columns):
            made = _convolution(whole, down, right, -1 - len(found))
            found.append(Phase(made, _moved(whole, (row, column), (down.windows, right.windows))))
    return found


def _along(window: Window, axis: int, start: int) -> _Axis:
    """Return what makes the places of the output from `start` on, a stride apart."""
    stride, dilation = window.stride[axis], window.dilation[axis]
    count = -(-(window.size[axis] - start) // stride)
    ahead = [start + window.padding[axis] - tap * dilation for tap in range(window.kernel[axis])]
    reached = [(far // stride, tap) for tap, far in enumerate(ahead) if far % stride == 0][::-1]
    places = [place for place, _ in reached] or [0]
    taps: list[int | None] = [*(tap for _, tap in reached)] or [None]
    step = places[1] - places[0] if len(places) > 1 else 1
    # Windows begin in the padding, or with the input, and end at most one number further behind it.
    behind = places[-1] + count - window.out_size[axis]
    more = max(0, -(-places[0] // step), -(-(behind - 1 + places[0]) // step))
    return _Axis([*[None] * more, *taps], more * step - places[0], step, count)


def _convolution(whole: Transposed, down: _Axis, right: _Axis, value: int) -> Convolution:
    chosen = [[-1 if tap is None else tap for tap in axis.taps] for axis in (down, right)]
    weight = np.pad(whole.weight, ((0, 0), (0, 0), (0, 1), (0, 1)))[:, :, chosen[0]][..., chosen[1]]
    window, weight = reaching(
        Window(
            size=whole.window.out_size,
            out_size=(down.windows, right.windows),
            kernel=(len(down.taps), len(right.taps)),
            padding=(down.padding, right.padding),
            dilation=(down.step, right.step),
        ),
        weight,
    )
    return Convolution(
        name=whole.name,
        inputs=whole.inputs,
        output=value,
        count=len(whole.bias) * down.windows * right.windows,
        low=whole.low,
        high=whole.high,
        window=window,
        groups=whole.groups,
        weight=weight,
        bias=whole.bias,
        lines=whole.lines,
        scales=whole.scales,
    )


def _moved(whole: Transposed, start: Pair, counts: Pair) -> Moved:
    (height, width), (down, right) = whole.window.size, whole.window.stride
    rows, columns = counts
    planes = (len(whole.bias), rows * columns, height * width)
    dims = (planes, (rows, columns, down * width), (columns, 1, right))
    return Moved(0, 0, start[0] * width + start[1], tuple(dim for dim in dims if dim[0] > 1))
