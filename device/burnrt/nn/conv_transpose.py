"""Transposed convolutions, as PyTorch and Burn define them: each number is spread over a window."""

from burnpack.module import Param
from burnrt import kernels
from burnrt.nn.geometry import check_groups, check_padding_mode, set_output_padding, set_windows, spreading
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import AnySizes, Calls
    from burnrt.value import Value


class _Transposed(Layer):
    """What both share. rank: of how many dimensions, of planes or of lines, the windows are."""

    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    output_padding: tuple[int, ...]
    groups: int
    weight: "Param"
    bias: "Param | None"

    def __init__(
        self,
        rank: int,
        channels: tuple[int, int],
        kernel_size: "AnySizes",
        stride: "AnySizes",
        padding: "AnySizes",
        output_padding: "AnySizes",
        groups: int,
        bias: bool,
        dilation: "AnySizes",
    ) -> None:
        name, (inputs, outputs) = type(self).__name__, channels
        check_groups(name, inputs, outputs, groups)
        set_windows(name, self, rank, kernel_size, stride, padding, dilation)
        set_output_padding(name, self, rank, output_padding)
        self.groups = groups
        self.weight = Param((inputs, outputs // groups) + self.kernel_size)
        self.bias = Param((outputs,)) if bias else None

    def output_shape(self, shape: "Shape") -> "Shape":
        rank, channels = len(self.kernel_size), self.weight.shape[0]
        if len(shape) != rank + 2 or shape[1] != channels or min(shape) < 1:
            self.refuse(shape, "[batch, %d, %s]" % (channels, ("length", "height, width")[rank - 1]))
        sizes = (self.kernel_size, self.stride, self.padding, self.dilation, self.output_padding)
        size = tuple([spreading(*numbers) for numbers in zip(shape[2:], *sizes)])
        if min(size) < 1:
            self.refuse(shape, "more than the padding takes away")
        return (shape[0], self.weight.shape[1] * self.groups) + size

    def bind(self, input: "Value", output: "Value") -> "Calls":
        weight, bias = self.weights("weight"), self.weights("bias")
        shapes = [_as_planes(shape, 2, 1) for shape in (input.shape, self.weight.shape, output.shape)]
        settings = (
            _as_planes(self.stride, 0, 1),
            _as_planes(self.padding, 0, 0),
            _as_planes(self.dilation, 0, 1),
            self.groups,
        )
        numbers = (input.data, shapes[0], weight, shapes[1], bias, output.data, shapes[2])
        return [(kernels.conv_transpose2d, numbers + settings)]


class ConvTranspose1d(_Transposed):
    """Spread each number of a line over a window: the transpose of a convolution of lines.

    weight: (in, out / groups, kernel). bias: (out), or None.
    Input [batch, in, length], output [batch, out, length].
    output_padding: how much longer than it has to be the output is.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: "AnySizes",
        stride: "AnySizes" = 1,
        padding: "AnySizes" = 0,
        output_padding: "AnySizes" = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: "AnySizes" = 1,
        padding_mode: str = "zeros",
        device: object = None,
        dtype: object = None,
    ) -> None:
        check_padding_mode(type(self).__name__, padding_mode)
        channels = (in_channels, out_channels)
        super().__init__(1, channels, kernel_size, stride, padding, output_padding, groups, bias, dilation)


class ConvTranspose2d(_Transposed):
    """Spread each number of a plane over a window: the transpose of a convolution of planes.

    weight: (in, out / groups, kernel height, kernel width). bias: (out), or None.
    Input [batch, in, height, width], output [batch, out, height, width].
    output_padding: how much higher and wider than it has to be the output is.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: "AnySizes",
        stride: "AnySizes" = 1,
        padding: "AnySizes" = 0,
        output_padding: "AnySizes" = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: "AnySizes" = 1,
        padding_mode: str = "zeros",
        device: object = None,
        dtype: object = None,
    ) -> None:
        check_padding_mode(type(self).__name__, padding_mode)
        channels = (in_channels, out_channels)
        super().__init__(2, channels, kernel_size, stride, padding, output_padding, groups, bias, dilation)


def _as_planes(extents: "Shape", leading: int, filling: int) -> "Shape":
    """Return the extents for planes. To those of lines, `filling` is added behind the `leading` ones."""
    extents = tuple(extents)
    return extents if len(extents) == leading + 2 else extents[:leading] + (filling,) + extents[leading:]
