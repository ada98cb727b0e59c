"""Arguments as a person writes them."""

from burnstore.classes.description import Given

# What is one number for all dimensions, too; and what is one where it is a tuple of one.
_SIZES = ("kernel_size", "stride", "padding", "dilation", "output_padding", "output_size")
_ALONE = ("dim", "normalized_shape")


def in_short(given: Given, role: str) -> Given:
    """Return an argument, as one number instead of the same several times. role: what it is called."""
    if not isinstance(given, tuple) or not given or any(each != given[0] for each in given):
        return given
    return given[0] if role in _SIZES or (role in _ALONE and len(given) == 1) else given
