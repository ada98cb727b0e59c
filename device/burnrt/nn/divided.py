"""Sums of windows, divided by a number that is given."""

from burnrt import kernels

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.nn.pool import AvgPool2d
    from burnrt.types import Calls
    from burnrt.value import Value


def sums(layer: "AvgPool2d", input: "Value", output: "Value") -> "Calls":
    """Return the calls that fill `output` with the sums of an AvgPool2d's windows by its divisor_override.

    They take the mean first, of what counts in a window, and multiply it by how much that is.
    """
    sizes = [_sizes(layer, input.shape, output.shape, axis) for axis in range(2)]
    # Called where there is a divisor_override.
    factors = kernels.floats([a * b / layer.divisor_override for a in sizes[0] for b in sizes[1]])  # type: ignore[operator]
    zeros = kernels.floats([0.0] * len(factors))
    windows = (layer.kernel_size, layer.stride, layer.padding, True)
    out, planes = output.data, output.shape[0] * output.shape[1]
    return [
        (kernels.avg_pool2d, (input.data, input.shape, out, output.shape) + windows),
        (kernels.affine, (out, factors, zeros, out, planes, len(factors), 1)),
    ]


def _sizes(layer: "AvgPool2d", shape: "Shape", out_shape: "Shape", axis: int) -> list[int]:
    """Return how much of each window along an axis lies in the input or its padding."""
    kernel, stride, padding = layer.kernel_size[axis], layer.stride[axis], layer.padding[axis]
    end = shape[2 + axis] + 2 * padding
    return [min(kernel, end - number * stride) for number in range(out_shape[2 + axis])]
