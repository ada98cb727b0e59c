"""Convolutions, as PyTorch and Burn define them (the kernel is not flipped)."""

from burnpack.errors import InvalidTensor
from burnpack.module import Param
from burnrt import kernels
from burnrt.nn.geometry import as_planes, check_groups, check_padding_mode, set_windows, sliding
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import AnySizes, Calls, PaddedWindows, Padding, Sizes
    from burnrt.value import Value


class Convolution(Layer):
    """What convolutions of lines, planes and solids share. rank: of how many dimensions the windows are.

    Of a convolution of lines all sizes but the weight's shape are those of planes of height 1.
    """

    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    excess: tuple[int, ...]
    groups: int
    weight: "Param"
    bias: "Param | None"

    def __init__(
        self,
        rank: int,
        in_channels: int,
        out_channels: int,
        sizes: "tuple[AnySizes, AnySizes, Padding, AnySizes]",
        groups: int,
        bias: bool,
        padding_mode: str = "zeros",
    ) -> None:
        name = type(self).__name__
        check_groups(name, in_channels, out_channels, groups)
        set_padding(name, self, rank, *sizes, padding_mode)
        self.groups = groups
        self.weight = Param((out_channels, in_channels // groups) + self.kernel_size)
        self.bias = Param((out_channels,)) if bias else None

    def output_shape(self, shape: "Shape") -> "Shape":
        rank, channels = len(self.weight.shape) - 2, self.weight.shape[1] * self.groups
        if len(shape) != rank + 2 or shape[1] != channels:
            self.refuse(shape, "[batch, %d, %s]" % (channels, ("length", "height, width")[rank - 1]))
        windows = (self.kernel_size, self.stride, self.padding, self.dilation, self.excess)
        size = tuple([sliding(*numbers) for numbers in zip(as_planes(shape, 2, 1)[2:], *windows)])
        if min(size) < 1:
            self.refuse(shape, "no smaller than the kernel")
        return (shape[0], self.weight.shape[0]) + size[-rank:]

    def bind(self, input: "Value", output: "Value") -> "Calls":
        weight, bias = self.weights("weight"), self.weights("bias")
        shapes = [as_planes(shape, 2, 1) for shape in (input.shape, self.weight.shape, output.shape)]
        numbers = (input.data, shapes[0], weight, shapes[1], bias, output.data, shapes[2])
        return [(kernels.conv2d, numbers + (self.stride, self.padding, self.dilation, self.groups))]


class Conv2d(Convolution):
    """Convolve planes. The kernel is not flipped.

    in_channels, out_channels: the extents `in` and `out`, both multiples of groups.
    kernel_size, stride, padding, dilation: one number, or (vertical, horizontal); padding also "same" or
        "valid".
    padding_mode: "zeros", as no other is computed.
    weight: (out, in / groups, kernel height, kernel width).
    bias: (out), or None where the argument is False.

    Input [batch, in, height, width], output [batch, out, height, width].
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: "Sizes",
        stride: "Sizes" = 1,
        padding: "Sizes | str" = 0,
        dilation: "Sizes" = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: object = None,
        dtype: object = None,
    ) -> None:
        sizes = (kernel_size, stride, padding, dilation)
        super().__init__(2, in_channels, out_channels, sizes, groups, bias, padding_mode)


class Conv1d(Convolution):
    """Convolve lines. The kernel is not flipped.

    in_channels, out_channels: the extents `in` and `out`, both multiples of groups.
    kernel_size, stride, padding, dilation: one number; padding also "same" or "valid".
    padding_mode: "zeros", as no other is computed.
    weight: (out, in / groups, kernel).
    bias: (out), or None where the argument is False.

    Input [batch, in, length], output [batch, out, length].
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int],
        stride: int | tuple[int] = 1,
        padding: int | tuple[int] | str = 0,
        dilation: int | tuple[int] = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: object = None,
        dtype: object = None,
    ) -> None:
        sizes = (kernel_size, stride, padding, dilation)
        super().__init__(1, in_channels, out_channels, sizes, groups, bias, padding_mode)
        # A line is a plane of height 1, and so is the kernel.
        self.kernel_size, self.stride = (1,) + self.kernel_size, (1,) + self.stride
        self.padding, self.excess, self.dilation = (
            (0,) + self.padding,
            (0,) + self.excess,
            (1,) + self.dilation,
        )


def set_padding(
    name: str,
    layer: "PaddedWindows",
    rank: int,
    kernel_size: "AnySizes",
    stride: "AnySizes",
    padding: "Padding",
    dilation: "AnySizes",
    padding_mode: str,
) -> None:
    """Give a convolution its windows' sizes, as `set_windows` does, and how much more padding is behind.

    padding: also "valid" for none, or "same" for as much as makes the output as large as the input; of an odd
        number the larger half is behind, as in PyTorch.
    """
    check_padding_mode(name, padding_mode)
    named = isinstance(padding, str)
    if named and padding not in ("same", "valid"):
        raise InvalidTensor("padding: is 'same', 'valid' or numbers", name, found=repr(padding))
    set_windows(name, layer, rank, kernel_size, stride, 0 if named else padding, dilation)  # type: ignore[arg-type]
    layer.excess = (0,) * rank
    if padding == "same":
        if max(layer.stride) > 1:
            raise InvalidTensor("padding='same' is for a stride of 1", name, found=list(layer.stride))
        both = [(kernel - 1) * step for kernel, step in zip(layer.kernel_size, layer.dilation)]
        layer.padding = tuple([size // 2 for size in both])
        layer.excess = tuple([size % 2 for size in both])
