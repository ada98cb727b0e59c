"""Sizes of windows that slide over lines, planes and solids."""

from burnpack.errors import InvalidTensor, Unsupported

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import AnySizes, Windows


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
    check_at_least(1, name, kernel_size=layer.kernel_size, stride=layer.stride, dilation=layer.dilation)
    check_at_least(0, name, padding=layer.padding)


def check_padding_mode(name: str, padding_mode: str) -> None:
    """Raise `Unsupported` for padding with anything but zeros."""
    if padding_mode != "zeros":
        found = repr(padding_mode)
        raise Unsupported("padding_mode: only zeros are padded", name, found=found)


def sliding(extent: int, kernel: int, stride: int, padding: int, dilation: int, excess: int = 0) -> int:
    """Return how many windows fit into `extent` numbers with `padding` on both sides; 0 or less for none.

    excess: how much more padding there is behind.
    """
    return (extent + 2 * padding + excess - dilation * (kernel - 1) - 1) // stride + 1


def check_groups(name: str, in_channels: int, out_channels: int, groups: int) -> None:
    """Raise `InvalidTensor` where the channels of the layer called `name` don't divide into groups."""
    sizes = per_dimension(name, (in_channels, out_channels, groups), 3)
    check_at_least(0, name, in_channels=sizes[:1])
    check_at_least(1, name, out_channels=sizes[1:2])
    if groups < 1 or in_channels % groups or out_channels % groups:
        found = "%d and %d" % (in_channels, out_channels)
        raise InvalidTensor("wrong channels", name, expected="multiples of groups, %d" % groups, found=found)


def check_at_least(least: int, name: str, **sizes: tuple[int, ...]) -> None:
    """Raise `InvalidTensor` where a tuple in `sizes`, of the layer called `name`, goes below `least`."""
    for what in sorted(sizes):
        if min(sizes[what]) < least:
            found = " and ".join([str(size) for size in sizes[what]])
            raise InvalidTensor("%s is too small" % what, name, expected="at least %d" % least, found=found)


def as_planes(extents: "Shape", leading: int, filling: int) -> "Shape":
    """Return the extents for planes. To those of lines, `filling` is added behind the `leading` ones."""
    extents = tuple(extents)
    return extents if len(extents) == leading + 2 else extents[:leading] + (filling,) + extents[leading:]
