"""Channels that become places of planes, and back; windows that become columns."""

from burnpack.dtype import count
from burnrt.nn.copying import filled, row_major
from burnrt.nn.geometry import set_windows, sliding
from burnrt.nn.moving import Moving
from burnrt.nn.pad import ZeroPad2d

if False:  # for type checkers
    from collections.abc import Sequence

    from burnpack.types import Shape
    from burnrt.types import AnySizes, Copied, Spans
    from burnrt.value import Value


class PixelShuffle(Moving):
    """Make planes larger by numbers of their channels.

    upscale_factor: r.

    Input [..., channels · r², height, width], output [..., channels, height · r, width · r].
    """

    upscale_factor: int

    def __init__(self, upscale_factor: int) -> None:
        self.check_sizes(1, upscale_factor=upscale_factor)
        self.upscale_factor = upscale_factor

    def moved(self, shape: "Shape") -> "tuple[Shape, Copied]":
        """Return the output's shape, and what is copied, as `Moving` has it."""
        times = self.upscale_factor
        if len(shape) < 3 or shape[-3] % (times * times):
            self.refuse(shape, "[..., channels, height, width], channels a multiple of %d" % (times * times))
        spans = row_major(shape)
        channels, plane = spans[-3]
        height, width = spans[-2:]
        spans[-3:] = [
            (channels // (times * times), times * times * plane),
            height,
            (times, times * plane),
            width,
            (times, plane),
        ]
        return _joined(spans, (1, 2, 2))


class PixelUnshuffle(Moving):
    """Make planes smaller, and of the numbers between those that stay more channels.

    downscale_factor: r.

    Input [..., channels, height · r, width · r], output [..., channels · r², height, width].
    """

    downscale_factor: int

    def __init__(self, downscale_factor: int) -> None:
        self.check_sizes(1, downscale_factor=downscale_factor)
        self.downscale_factor = downscale_factor

    def moved(self, shape: "Shape") -> "tuple[Shape, Copied]":
        """Return the output's shape, and what is copied, as `Moving` has it."""
        times = self.downscale_factor
        if len(shape) < 3 or shape[-2] % times or shape[-1] % times:
            self.refuse(shape, "[..., channels, height, width], both multiples of %d" % times)
        spans = row_major(shape)
        (height, row), (width, _) = spans[-2:]
        spans[-2:] = [(times, row), (times, 1), (height // times, times * row), (width // times, times)]
        return _joined(spans, (3, 1, 1))


class ChannelShuffle(Moving):
    """Put the channels of groups in turn: the first of each group, then the second of each...

    groups: how many groups there are.

    Input and output [batch, channels, ...].
    """

    groups: int

    def __init__(self, groups: int) -> None:
        self.check_sizes(1, groups=groups)
        self.groups = groups

    def moved(self, shape: "Shape") -> "tuple[Shape, Copied]":
        """Return the output's shape, and what is copied, as `Moving` has it."""
        if len(shape) < 3 or shape[1] % self.groups:
            self.refuse(shape, "[batch, channels, ...], channels a multiple of %d" % self.groups)
        spans = row_major(shape)
        channels, step = spans[1]
        size = channels // self.groups
        spans[1:2] = [(size, step), (self.groups, size * step)]
        return _joined(spans, (1, 2) + (1,) * (len(shape) - 2))


class Unfold(Moving):
    """Make a column of each window that slides over planes.

    kernel_size, dilation, padding, stride: of the windows, as of Conv2d; the padding is of zeros.

    Input [batch, channels, height, width], output [batch, channels · numbers of a window, windows].
    """

    kernel_size: "Shape"
    dilation: "Shape"
    padding: "Shape"
    stride: "Shape"

    def __init__(
        self,
        kernel_size: "AnySizes",
        dilation: "AnySizes" = 1,
        padding: "AnySizes" = 0,
        stride: "AnySizes" = 1,
    ) -> None:
        set_windows("Unfold", self, 2, kernel_size, stride, padding, dilation)

    def forward(self, input: "Value", *others: "Value") -> "Value":
        """Return the columns of an input, which is padded first."""
        if max(self.padding):
            down, right = self.padding
            input = ZeroPad2d((right, right, down, down))(input)
        return super().forward(input, *others)

    def moved(self, shape: "Shape") -> "tuple[Shape, Copied]":
        """Return what `Moving` does, of a padded input."""
        sizes = zip(shape[2:], self.kernel_size, self.stride, self.dilation)
        windows = [sliding(extent, kernel, stride, 0, dilation) for extent, kernel, stride, dilation in sizes]
        if len(shape) != 4 or min(windows) < 1:
            self.refuse(shape, "[batch, channels, height, width] as large as a window")
        spans = row_major(shape)
        steps = (spans.pop(2)[1], spans.pop(2)[1])
        spans += [(self.kernel_size[axis], self.dilation[axis] * steps[axis]) for axis in range(2)]
        spans += [(windows[axis], self.stride[axis] * steps[axis]) for axis in range(2)]
        return _joined(spans, (1, 3, 2))


def _joined(spans: "Spans", groups: "Sequence[int]") -> "tuple[Shape, Copied]":
    """Return what `Moving.moved` does. groups: how many of the last spans each dimension of the output is."""
    shape = [extent for extent, _ in spans[: len(spans) - sum(groups)]]
    at = len(shape)
    for size in groups:
        shape.append(count([extent for extent, _ in spans[at : at + size]]))
        at += size
    return tuple(shape), [(0, 0, filled(spans))]
