"""Sizes of windows that slide over lines, planes and solids."""

from burnpack.errors import InvalidTensor


def per_dimension(name, value, rank):
    """Return a tuple of `rank` numbers from one number for all or from a sequence of so many."""
    numbers = (value,) * rank if isinstance(value, int) else value
    if not isinstance(numbers, (tuple, list)) or [type(number) for number in numbers] != [int] * rank:
        what = "kernel sizes, strides, padding and the like are whole numbers, one or one a dimension"
        raise InvalidTensor(what, name, expected=rank, found=repr(value))
    return tuple(numbers)


def set_windows(name, layer, rank, kernel_size, stride, padding, dilation):
    """Give `layer` its windows' sizes, `rank` numbers each; raise `InvalidTensor` where one can't be."""
    layer.kernel_size = per_dimension(name, kernel_size, rank)
    layer.stride = per_dimension(name, stride, rank)
    layer.padding = per_dimension(name, padding, rank)
    layer.dilation = per_dimension(name, dilation, rank)
    check_windows(name, layer)


def set_output_padding(name, layer, rank, output_padding):
    """Give a transposed convolution what its output is longer by; raise `InvalidTensor` where it can't be."""
    layer.output_padding = per_dimension(name, output_padding, rank)
    check_at_least(0, name, output_padding=layer.output_padding)


def sliding(extent, kernel, stride, padding, dilation):
    """Return how many windows fit into `extent` numbers with `padding` on both sides; 0 or less for none."""
    return (extent + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def covering(extent, kernel, stride, padding, dilation):
    """Return how many windows it takes to leave no number out; none begins in the padding at the end."""
    windows = -((dilation * (kernel - 1) + 1 - extent - 2 * padding) // stride) + 1
    return windows - 1 if (windows - 1) * stride >= extent + padding else windows


def spreading(extent, kernel, stride, padding, dilation, more):
    """Return the extent of which `extent` windows can be taken, and `more`: the inverse of `sliding`."""
    return (extent - 1) * stride - 2 * padding + dilation * (kernel - 1) + more + 1


def check_groups(name, in_channels, out_channels, groups):
    """Raise `InvalidTensor` where the channels of the layer called `name` don't divide into groups."""
    if groups < 1 or in_channels % groups or out_channels % groups:
        found = "%d and %d" % (in_channels, out_channels)
        raise InvalidTensor("wrong channels", name, expected="multiples of groups, %d" % groups, found=found)


def check_windows(name, layer):
    """Raise `InvalidTensor` where a size of a convolution's windows can't be."""
    check_at_least(1, name, kernel_size=layer.kernel_size, stride=layer.stride, dilation=layer.dilation)
    check_at_least(0, name, padding=layer.padding)


def check_at_least(least, name, **sizes):
    """Raise `InvalidTensor` where a tuple in `sizes`, of the layer called `name`, goes below `least`."""
    for what in sorted(sizes):
        if min(sizes[what]) < least:
            found = " and ".join([str(size) for size in sizes[what]])
            raise InvalidTensor("%s is too small" % what, name, expected="at least %d" % least, found=found)
