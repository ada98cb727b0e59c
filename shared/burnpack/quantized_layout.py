"""Where the values and the scales of a quantized tensor lie.

A tensor is walked line by line; a line is its last dimension. The numbers of a store follow each other
without gaps, least significant bits first, and words are little-endian: the value at bit b is in byte
b // 8, from its bit b % 8 upwards, and never straddles two bytes, as its bits divide eight.
"""

from burnpack.dtype import count

if False:  # for type checkers
    from collections.abc import Iterable

    from burnpack.qfloat import QFloat
    from burnpack.types import Shape


class Layout:
    """The places of a shape's values and scales under a scheme; it holds no data.

    lines, length: how many lines there are, and the values in each.
    bits: what a value takes.
    step: bits from a value to the next of its line.
    block: values of a line that share a scale.
    line_scales: scales along a line.
    """

    lines: int
    length: int
    bits: int
    step: int
    block: int
    line_scales: int

    def __init__(self, scheme: "QFloat", shape: "Iterable[int]") -> None:
        packed_along: int  # the second of a packed store
        packed_along = scheme.store[1] if shape and scheme.packing()[1] > 1 else 0  # type: ignore[assignment]
        shape = tuple(shape) or (1,)
        self.length = shape[-1]
        self.lines = count(shape[:-1]) if self.length else 0
        self._place_values(scheme, shape, len(shape) - 1 - packed_along)
        self._place_scales(scheme, shape)

    def value_at(self, line: int) -> int:
        """Return the bit where the line's first value begins."""
        if self._packed is None:
            return line * self._line_bits
        extent, units, inner = self._packed
        rest = line // inner
        at = rest % extent
        unit_line = (rest // extent * units + at // self._per_unit) * inner + line % inner
        return unit_line * self._line_bits + at % self._per_unit * self.bits

    def scale_at(self, line: int) -> int:
        """Return the number of the first scale that the line uses."""
        at = 0
        stride = self.line_scales
        for extent, size, blocks in self._grid:
            at += line % extent // size * stride
            line //= extent
            stride *= blocks
        return at

    def _place_values(self, scheme: "QFloat", shape: "Shape", axis: int) -> None:
        unit, self._per_unit = scheme.packing()
        self.bits = unit * 8 // self._per_unit
        if axis == len(shape) - 1:
            self.step = self.bits
            self._line_bits = -(-self.length // self._per_unit) * unit * 8
            self._packed: tuple[int, int, int] | None = None
        else:
            # A unit holds neighbours along another dimension: one of each of `per_unit` lines.
            self.step = unit * 8
            self._line_bits = self.length * self.step
            self._packed = shape[axis], -(-shape[axis] // self._per_unit), count(shape[axis + 1 : -1])

    def _place_scales(self, scheme: "QFloat", shape: "Shape") -> None:
        self.block = self.length
        self.line_scales = 1
        # Of the dimensions before the last, innermost first: extents, of a block, blocks.
        self._grid: list[tuple[int, int, int]] = []
        if scheme.block is None:
            return
        grid = scheme.grid(shape)
        extents = scheme.block[0]
        sizes = (1,) * (len(shape) - len(extents)) + extents
        self.block = sizes[-1]
        self.line_scales = grid[-1]
        for axis in range(len(shape) - 2, -1, -1):
            self._grid.append((shape[axis], sizes[axis], grid[axis]))
