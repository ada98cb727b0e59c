"""Sizes of windows that slide over lines, planes and solids."""

from burnpack.errors import InvalidTensor, Unsupported

if False:  # for type checkers
    from burnrt.types import AnySizes, PaddedWindows, Padding, SpreadWindows, Windows


def per_dimension(name: str, value: "AnySizes", rank: int) -> tuple[int, ...]:
    """Return a tuple of `rank` numbers from one number for all or from a sequence of so many."""
    numbers = (value,) * rank if isinstance(value, int) else value
    if not isinstance(numbers, (tuple, list)) or [type(number) for number in numbers] != [int] * rank:
        what = "kernel sizes, strides, padding and the like are whole numbers, one or one a dimension"
        raise InvalidTensor(what, name, expected=rank, found=repr(value))
    return tuple(numbers)


def set_windows(
    name: str,
    layer: "Windows",
    rank: int,
    kernel_size: "AnySizes",
    stride: "AnySizes",
    padding: "AnySizes",
    dilation: "AnySizes",
) -> None:
    """Give `layer` its windows' sizes, `rank` numbers each; raise `InvalidTensor` where one can't be."""
    layer.kernel_size = per_dimension(name, kernel_size, rank)
    layer.stride = per_dimension(name, stride, rank)
    layer.dilation = per_dimension(name, dilation, rank)
    layer.padding = per_dimension(name, padding, rank)
    check_windows(name, layer)


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


def check_padding_mode(name: str, padding_mode: str) -> None:
    """Raise `Unsupported` for padding with anything but zeros."""
    if padding_mode != "zeros":
        found = repr(padding_mode)
        raise Unsupported("padding_mode: only zeros are padded", name, found=found)


def set_output_padding(name: str, layer: "SpreadWindows", rank: int, output_padding: "AnySizes") -> None:
    """Give a transposed convolution what its output is longer by; raise `InvalidTensor` where it can't be."""
    layer.output_padding = per_dimension(name, output_padding, rank)
    check_at_least(0, name, output_padding=layer.output_padding)
    for more, stride, dilation in zip(layer.output_padding, layer.stride, layer.dilation):
        if more >= max(stride, dilation):
            expected = "less than the stride or the dilation, %d" % max(stride, dilation)
            raise InvalidTensor("output_padding is too large", name, expected=expected, found=more)


def sliding(extent: int, kernel: int, stride: int, padding: int, dilation: int, excess: int = 0) -> int:
    """Return how many windows fit into `extent` numbers with `padding` on both sides; 0 or less for none.

    excess: how much more padding there is behind.
    """
    return (extent + 2 * padding + excess - dilation * (kernel - 1) - 1) // stride + 1


def covering(extent: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    """Return how many windows it takes to leave no number out; none begins in the padding at the end."""
    windows = -((dilation * (kernel - 1) + 1 - extent - 2 * padding) // stride) + 1
    return windows - 1 if (windows - 1) * stride >= extent + padding else windows


def spreading(extent: int, kernel: int, stride: int, padding: int, dilation: int, more: int) -> int:
    """Return the extent of which `extent` windows can be taken, and `more`: the inverse of `sliding`."""
    return (extent - 1) * stride - 2 * padding + dilation * (kernel - 1) + more + 1


def check_groups(name: str, in_channels: int, out_channels: int, groups: int) -> None:
    """Raise `InvalidTensor` where the channels of the layer called `name` don't divide into groups."""
    sizes = per_dimension(name, (in_channels, out_channels, groups), 3)
    check_at_least(0, name, in_channels=sizes[:1])
    check_at_least(1, name, out_channels=sizes[1:2])
    if groups < 1 or in_channels % groups or out_channels % groups:
        found = "%d and %d" % (in_channels, out_channels)
        raise InvalidTensor("wrong channels", name, expected="multiples of groups, %d" % groups, found=found)


def check_windows(name: str, layer: "Windows") -> None:
    """Raise `InvalidTensor` where a size of a convolution's windows can't be."""
    check_at_least(1, name, kernel_size=layer.kernel_size, stride=layer.stride, dilation=layer.dilation)
    check_at_least(0, name, padding=layer.padding)


def check_at_least(least: int, name: str, **sizes: tuple[int, ...]) -> None:
    """Raise `InvalidTensor` where a tuple in `sizes`, of the layer called `name`, goes below `least`."""
    for what in sorted(sizes):
        if min(sizes[what]) < least:
            found = " and ".join([str(size) for size in sizes[what]])
            raise InvalidTensor("%s is too small" % what, name, expected="at least %d" % least, found=found)
