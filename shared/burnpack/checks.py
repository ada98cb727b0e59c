"""What a reader refuses and a writer does not write: the same rules for both."""

from burnpack.dtype import nbytes as bytes_of
from burnpack.errors import InvalidTensor, LimitExceeded, Unsupported

if False:  # for type checkers
    from collections.abc import Iterable, Sequence

    from burnpack.limits import Limits
    from burnpack.types import Dtype


RANK_MOST = 64  # as many as numpy has
_WORD = 1 << 64


def check_shape(name: str | None, shape: "Sequence[int]", offset: int | None = None) -> None:
    """Refuse a shape whose extents no machine could count, before they are multiplied elsewhere."""
    if len(shape) > RANK_MOST:
        raise InvalidTensor("too many dimensions", name, None, offset, "at most %d" % RANK_MOST, len(shape))
    product = 1
    for extent in shape:
        if not isinstance(extent, int):
            raise InvalidTensor("an extent that is no integer", name, None, offset, None, repr(extent))
        if extent < 0:
            raise InvalidTensor("a negative extent", name, None, offset, "0 or more", extent)
        product *= extent or 1
        if product >= _WORD:
            raise InvalidTensor("a shape of more than 64 bits", name, None, offset, None, shape)


def check_size(
    name: str | None,
    dtype: "Dtype",
    shape: "Sequence[int]",
    size: int,
    limits: "Limits",
    offset: int | None = None,
) -> None:
    """Refuse bytes that are not as many as dtype and shape make, or more than the limit.

    The length of a quantized tensor is checked by whoever decodes it.
    """
    if isinstance(dtype, str):
        expected = bytes_of(dtype, shape)
        if expected is None:
            raise Unsupported("unknown dtype", name, None, offset, None, dtype)
        if size != expected:
            what = "the bytes do not match %s %s" % (dtype, shape_text(shape))
            raise InvalidTensor(what, name, None, offset, "%d bytes" % expected, "%d bytes" % size)
    if size > limits.tensor:
        raise LimitExceeded(
            "the tensor is too large", name, None, offset, "at most %d bytes" % limits.tensor, size
        )


def shape_text(shape: "Iterable[int]") -> str:
    """Return a shape as text, as in "[2, 3]"."""
    return "[%s]" % ", ".join([str(extent) for extent in shape])
