"""Lines and planes made larger or smaller, by numbers of the input and between them."""

from array import array

from burnrt import kernels
from burnrt.nn.copying import copying, filled, row_major
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import Call, Calls, Lines
    from burnrt.value import Value


# mode: of how many dimensions its inputs are
_RANKS = {"nearest": (1, 2), "nearest-exact": (1, 2), "linear": (1,), "bilinear": (2,)}

_NAMES = ("", "length", "height, width")


class Upsample(Layer):
    """Give lines or planes other extents.

    size: the output's extents, one number or one a dimension.
    scale_factor: instead of size, what the input's extents are multiplied by.
    mode: "nearest", "nearest-exact", "linear" for lines, "bilinear" for planes.
    align_corners: whether the first and the last numbers stay where they are, in "linear" and "bilinear".
    recompute_scale_factor: whether places go by the extents, and not by a scale_factor that leaves a rest.

    Input [batch, channels, length] or [batch, channels, height, width], output the same with its own extents.
    """

    size: "int | Sequence[int] | None"
    scale_factor: "float | Sequence[float] | None"
    mode: str
    align_corners: bool | None

    def __init__(
        self,
        size: "int | Sequence[int] | None" = None,
        scale_factor: "float | Sequence[float] | None" = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        if mode not in _RANKS:
            self.refuse_argument("mode", mode, "is %s" % ", ".join(sorted(_RANKS)))
        if (size is None) == (scale_factor is None):
            self.refuse_argument("size", size, "one of size and scale_factor is needed")
        if align_corners is not None and mode.startswith("nearest"):
            self.refuse_argument("align_corners", align_corners, "nearest has nothing to align")
        if recompute_scale_factor and size is not None:
            self.refuse_argument("recompute_scale_factor", recompute_scale_factor, "there is a size")
        for number in _each(size):
            self.check_sizes(1, size=number)
        for number in _each(scale_factor):
            if not (isinstance(number, (int, float)) and 0 < number < 1e9):
                self.refuse_argument("scale_factor", scale_factor, "is above 0")
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners = align_corners
        self._is_exact = scale_factor is not None and not recompute_scale_factor

    def output_shape(self, shape: "Shape") -> "Shape":
        rank = len(shape) - 2
        sizes = self._sizes(rank)
        if rank not in _RANKS[self.mode] or len(sizes) != rank or min(shape) < 1:
            expected = " or ".join(["[batch, channels, %s]" % _NAMES[number] for number in _RANKS[self.mode]])
            self.refuse(shape, expected + ", as many extents as there are sizes")
        if self.size is None:
            sizes = [int(extent * factor) for extent, factor in zip(shape[2:], sizes)]
        if min(sizes) < 1:
            self.refuse(shape, "enough to leave one number")
        return tuple(shape[:2]) + tuple(sizes)

    def bind(self, input: "Value", output: "Value") -> "Calls":
        lines = self.planar_lines(input.shape, output.shape)
        extents = zip(input.shape[2:], lines[-len(input.shape[2:]) :])
        repeated = [_times(extent, numbers) for extent, numbers in extents]
        if all(repeated):
            return [_repeating(input, output, repeated)]
        shapes = [(shape[0], shape[1]) + ((1,) + shape[2:])[-2:] for shape in (input.shape, output.shape)]
        return [(kernels.resample2d, (input.data, shapes[0], output.data, shapes[1], lines[0], lines[1]))]

    def planar_lines(self, shape: "Shape", out_shape: "Shape") -> "list[Lines]":
        """Return of rows and of columns what `kernels.resample2d` takes.

        shape, out_shape: of what goes in and comes out; a line is a plane of one row.
        """
        extents = zip(shape[2:], out_shape[2:], self._sizes(len(shape) - 2))
        lines = [self._lines(len(shape) == 4, *numbers) for numbers in extents]
        return lines if len(lines) == 2 else [[(0, 0, 0.0)]] + lines

    def _sizes(self, rank: int) -> "list[Any]":
        return _each(self.scale_factor if self.size is None else self.size, rank)

    def _lines(self, is_plane: bool, extent: int, out_extent: int, factor: float) -> "Lines":
        """Return for each number along a dimension of the output what `kernels.resample2d` takes."""
        scale = 1 / factor if self._is_exact else extent / out_extent
        if is_plane and self.mode == "nearest" and out_extent in (extent, 2 * extent):
            scale = extent / out_extent  # as PyTorch has it, whatever the factor
        if self.mode.startswith("nearest"):
            return _nearest(extent, out_extent, scale, 0.0 if self.mode == "nearest" else 0.5)
        shift = 0.5
        if self.align_corners:
            scale, shift = (extent - 1) / max(1, out_extent - 1), 0.0
        elif extent == out_extent:
            scale = 1.0
        places = [max(0.0, scale * (number + shift) - shift) for number in range(out_extent)]
        return [_between(place, extent) for place in places]


def _each(value: "Any", rank: int = 1) -> "list[Any]":
    """Return a list of a number for each of so many dimensions; an empty one of None."""
    if isinstance(value, (tuple, list)):
        return list(value)
    return [] if value is None else [value] * rank


def _times(extent: int, lines: "Lines") -> int:
    """Return how often each number of a dimension is taken, one after the other; 0 where it is otherwise."""
    times = len(lines) // extent
    return times if lines == [(at // times, at // times, 0.0) for at in range(extent * times)] else 0


def _repeating(input: "Value", output: "Value", times: "Sequence[int]") -> "Call":
    """Return the call that takes each number so often in each dimension."""
    spans = row_major(input.shape)
    for axis in range(len(times), 0, -1):
        spans.insert(axis + 2, (times[axis - 1], 0))
    return copying(input.data, 0, output.data, 0, filled(spans))


def _nearest(extent: int, out_extent: int, scale: float, shift: float) -> "Lines":
    # In floats of 32 bits and rounded as PyTorch does: which number is the nearest depends on it.
    single = array("f", (scale, 0.0))
    found = []
    for number in range(out_extent):
        single[1] = (number + shift) * single[0]
        first = min(int(single[1]), extent - 1)
        found.append((first, first, 0.0))
    return found


def _between(place: float, extent: int) -> tuple[int, int, float]:
    first = min(int(place), extent - 1)
    return first, min(first + 1, extent - 1), min(place - first, 1.0)
