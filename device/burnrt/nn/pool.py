"""Pooling layers. Input [batch, channels, height, width]; the output has its own height and width."""

from burnpack.errors import InvalidTensor
from burnrt import kernels
from burnrt.nn.geometry import check_at_least, per_dimension, set_windows, sliding
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from collections.abc import Sequence

    from burnpack.types import Shape
    from burnrt.types import Calls, Sizes
    from burnrt.value import Value


class _Windows(Layer):
    """What the layers with sliding windows share: their sizes."""

    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    ceil_mode: bool

    def __init__(
        self,
        kernel_size: "Sizes",
        stride: "Sizes | None",
        padding: "Sizes",
        dilation: "Sizes",
        ceil_mode: bool,
    ) -> None:
        name = type(self).__name__
        set_windows(name, self, 2, kernel_size, kernel_size if stride is None else stride, padding, dilation)
        self.ceil_mode = ceil_mode
        for kernel, pad in zip(self.kernel_size, self.padding):
            if 2 * pad > kernel:  # else a window could hold nothing but padding
                raise InvalidTensor(
                    "too much padding", name, expected="at most %d" % (kernel // 2), found=pad
                )

    def output_shape(self, shape: "Shape") -> "Shape":
        if len(shape) != 4:
            self.refuse(shape, "[batch, channels, height, width]")
        fit = _covering if self.ceil_mode else sliding
        sizes = zip(shape[2:], self.kernel_size, self.stride, self.padding, self.dilation)
        size = tuple([fit(*numbers) for numbers in sizes])
        if min(size) < 1:
            self.refuse(shape, "a plane no smaller than the window")
        return tuple(shape[:2]) + size


class MaxPool2d(_Windows):
    """Take the largest number of each window.

    kernel_size, padding, dilation: one number, or (vertical, horizontal).
    stride: the same; None is the kernel's size.
    return_indices: False, as indices are not computed.
    ceil_mode: whether a window may begin inside the input and end behind it.

    Input [batch, channels, height, width], output the same with its own extents.
    """

    def __init__(
        self,
        kernel_size: "Sizes",
        stride: "Sizes | None" = None,
        padding: "Sizes" = 0,
        dilation: "Sizes" = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        if return_indices:
            self.refuse_argument("return_indices", return_indices, "where the largest are is not told")
        super().__init__(kernel_size, stride, padding, dilation, ceil_mode)

    def bind(self, input: "Value", output: "Value") -> "Calls":
        sizes = (self.kernel_size, self.stride, self.padding, self.dilation)
        return [(kernels.max_pool2d, (input.data, input.shape, output.data, output.shape) + sizes)]


class AvgPool2d(_Windows):
    """Take the mean of each window.

    kernel_size, padding: one number, or (vertical, horizontal).
    stride: the same; None is the kernel's size.
    ceil_mode: whether a window may begin inside the input and end behind it.
    count_include_pad: whether padding counts, as zeros.
    divisor_override: what each sum is divided by; where it is None, by how many numbers there are.

    Input [batch, channels, height, width], output the same with its own extents.
    """

    count_include_pad: bool
    divisor_override: int | None

    def __init__(
        self,
        kernel_size: "Sizes",
        stride: "Sizes | None" = None,
        padding: "Sizes" = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__(kernel_size, stride, padding, 1, ceil_mode)
        self.count_include_pad = count_include_pad
        if divisor_override is not None and (type(divisor_override) is not int or not divisor_override):
            self.refuse_argument("divisor_override", divisor_override, "is a whole number, not 0")
        self.divisor_override = divisor_override

    def bind(self, input: "Value", output: "Value") -> "Calls":
        if self.divisor_override is not None:
            from burnrt.nn.divided import sums  # few models ask for it

            return sums(self, input, output)
        sizes = (self.kernel_size, self.stride, self.padding, self.count_include_pad)
        return [(kernels.avg_pool2d, (input.data, input.shape, output.data, output.shape) + sizes)]


class AdaptiveAvgPool2d(Layer):
    """Divide each plane evenly into parts and take the mean of each.

    output_size: one number, or (rows, columns), of which None is as many as the input has. 1 is the global
        average.

    Input [batch, channels, height, width], output [batch, channels, rows, columns].
    """

    output_size: tuple[int | None, ...]

    def __init__(self, output_size: "int | Sequence[int | None]") -> None:
        name = type(self).__name__
        sizes = output_size if isinstance(output_size, (tuple, list)) else per_dimension(name, output_size, 2)  # type: ignore[arg-type]
        numbers = per_dimension(name, [1 if size is None else size for size in sizes], 2)
        check_at_least(1, name, output_size=numbers)
        self.output_size = tuple(sizes)

    def output_shape(self, shape: "Shape") -> "Shape":
        if len(shape) != 4 or min(shape[2:]) < 1:
            self.refuse(shape, "[batch, channels, height, width]")
        extents = zip(self.output_size, shape[2:])
        return tuple(shape[:2]) + tuple([own if size is None else size for size, own in extents])

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.adaptive_avg_pool2d, (input.data, input.shape, output.data, output.shape))]


class AdaptiveMaxPool2d(AdaptiveAvgPool2d):
    """Divide each plane evenly into parts and take the largest number of each.

    output_size: one number, or (rows, columns), of which None is as many as the input has.
    return_indices: False, as indices are not computed.

    Input [batch, channels, height, width], output [batch, channels, rows, columns].
    """

    def __init__(self, output_size: "int | Sequence[int | None]", return_indices: bool = False) -> None:
        if return_indices:
            self.refuse_argument("return_indices", return_indices, "where the largest are is not told")
        super().__init__(output_size)

    def bind(self, input: "Value", output: "Value") -> "Calls":
        numbers = (input.data, input.shape, output.data, output.shape)
        size = tuple([extent // parts for extent, parts in zip(input.shape[2:], output.shape[2:])])
        if any([extent % parts for extent, parts in zip(input.shape[2:], output.shape[2:])]):
            return [(kernels.adaptive_max_pool2d, numbers)]
        return [(kernels.max_pool2d, numbers + (size, size, (0, 0), (1, 1)))]  # parts of one size


def _covering(extent: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    """Return how many windows it takes to leave no number out; none begins in the padding at the end."""
    windows = -((dilation * (kernel - 1) + 1 - extent - 2 * padding) // stride) + 1
    return windows - 1 if (windows - 1) * stride >= extent + padding else windows
