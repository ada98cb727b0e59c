"""Writing a Burnpack container, as Burn 0.22 writes it: the same tensors give the same bytes."""

from burnpack import cbor_encode as encode
from burnpack import layout
from burnpack.checks import check_shape, check_size
from burnpack.compat import rising
from burnpack.descriptor import dtype_value, parse_dtype
from burnpack.errors import (
    BurnpackError,
    DuplicateName,
    InvalidTensor,
    LimitExceeded,
    Malformed,
)
from burnpack.limits import Limits
from burnpack.provider import Streamed, fetched
from burnpack.scalar import as_scalar, fits

if False:  # for type checkers
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from burnpack.tensor import Tensor
    from burnpack.types import Buffer, Number, Pairs, Scalar, T


_ENCODE_SCALAR: "dict[str, Callable[[Any], bytes]]" = {
    "Int": encode.integer,
    "UInt": encode.integer,
    "Float": encode.floating,
    "Bool": encode.boolean,
}
_DTYPE = encode.text("dtype")
_SHAPE = encode.text("shape")
_OFFSETS = encode.text("data_offsets")


class Writer(Streamed):
    """A container, planned from the declared lengths of its tensors; no tensor's bytes are read for that.

    tensors: `Tensor`s, whose data is laid out in this order.
    metadata: (key, value) texts, or a dict of them.
    scalars: (name, value), or a dict: each value an int, float or bool, or (kind, value) with the kind "Int",
        "UInt", "Float" or "Bool".
    limits: a `Limits`; what a reader with these would refuse is not written.
    size: the bytes of the whole container.

    Raises `BurnpackError` for what no container can hold: `DuplicateName`, `InvalidTensor`, `Malformed`,
    `LimitExceeded`.
    """

    size: int

    def __init__(
        self,
        tensors: "Iterable[Tensor]",
        metadata: "Pairs[str]" = (),
        scalars: "Pairs[Number | Scalar]" = (),
        limits: "Limits | None" = None,
    ) -> None:
        self._limits = limits or Limits()
        self._tensors = list(tensors)
        if len(self._tensors) > self._limits.tensors:
            raise LimitExceeded(
                "too many tensors", None, None, None, self._limits.tensors, len(self._tensors)
            )
        self._offsets = self._lay_out()
        self._front = self._front_of(metadata, scalars)
        self.size = len(self._front) + (self._offsets[-1][1] if self._offsets else 0)
        if self.size > self._limits.file:
            raise LimitExceeded("the file is too large", None, None, None, self._limits.file, self.size)

    def chunks(self) -> "Iterator[Buffer]":
        """Yield the container's bytes in buffers, one tensor's after the other.

        Each tensor's bytes are fetched when their turn comes; raises `InvalidTensor` where there are
        not as many as it declared, `SaveFailed` where its provider fails.
        """
        yield self._front
        end = 0
        for tensor, offsets in zip(self._tensors, self._offsets):
            if offsets[0] > end:
                yield bytes(offsets[0] - end)
            end = offsets[1]
            if tensor.nbytes:
                piece: "Buffer | None"
                for piece in fetched(tensor):
                    yield piece
                    piece = None  # so that the next one is not made beside it

    def _lay_out(self) -> list[tuple[int, int]]:
        offsets = []
        end = 0
        for tensor in self._tensors:
            check_shape(tensor.name, tensor.shape)
            check_size(tensor.name, tensor.dtype, tensor.shape, tensor.nbytes, self._limits)
            start = layout.aligned(end)
            end = start + tensor.nbytes
            offsets.append((start, end))
        return offsets

    def _front_of(self, metadata: "Pairs[str]", scalars: "Pairs[Number | Scalar]") -> bytes:
        """Return header, metadata and padding."""
        sections = [_section("tensors", self._descriptors())]
        for name, pairs in (("metadata", _texts(metadata)), ("scalars", _scalars(scalars))):
            if pairs:
                sections.append(_section(name, pairs))
        encoded = encode.mapping(sections)
        if len(encoded) > self._limits.metadata:
            raise LimitExceeded(
                "the metadata is too large", None, None, None, self._limits.metadata, len(encoded)
            )
        front = layout.header(len(encoded)) + encoded
        return front + bytes(layout.aligned(len(front)) - len(front))

    def _descriptors(self) -> list[tuple[bytes, bytes]]:
        pairs = []
        for tensor, offsets in zip(self._tensors, self._offsets):
            try:
                pairs.append((_utf8(tensor.name, "name"), _descriptor(tensor, offsets)))
            except BurnpackError as error:
                raise error.about(tensor.name, None)
        return pairs


def _descriptor(tensor: "Tensor", offsets: tuple[int, int]) -> bytes:
    dtype = dtype_value(tensor.dtype)
    if not isinstance(tensor.dtype, str):
        from burnpack.cbor import Cursor  # only quantized tensors pay for it

        parse_dtype(Cursor(encode.value(dtype)))  # refuses a scheme that no reader would take
    pairs = [
        (_DTYPE, encode.value(dtype)),
        (_SHAPE, encode.array([encode.unsigned(extent) for extent in tensor.shape])),
        (_OFFSETS, encode.array([encode.unsigned(offset) for offset in offsets])),
    ]
    if tensor.param_id is not None:
        if not fits("UInt", tensor.param_id):
            raise InvalidTensor("not an unsigned 64-bit param_id", found=repr(tensor.param_id))
        pairs.append((encode.text("param_id"), encode.unsigned(tensor.param_id)))
    return encode.mapping(pairs)


def _section(name: str, pairs: list[tuple[bytes, bytes]]) -> tuple[bytes, bytes]:
    return encode.text(name), encode.mapping(_sorted(pairs))


def _sorted(pairs: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return (key, encoded) pairs encoded and sorted by the UTF-8 of their keys."""
    ordered = rising(pairs)
    for earlier, later in zip(ordered, ordered[1:]):
        if earlier[0] == later[0]:
            raise DuplicateName("the same name twice", str(later[0], "utf-8"))
    return [(encode.utf8_text(key), content) for key, content in ordered]


def _utf8(text: str, what: str, item: str | None = None) -> bytes:
    if not isinstance(text, str):
        raise Malformed("a %s must be text" % what, item, None, None, "text", repr(text))
    try:
        # Not imported here as well: a board keeps each name that it imports.
        return encode.utf8.encode(text)  # type: ignore[attr-defined,no-any-return]
    except ValueError:
        raise Malformed("a %s that UTF-8 can't hold" % what, item, None, None, None, repr(text))


def _as_pairs(given: "Pairs[T]") -> "Iterable[tuple[str, T]]":
    return given.items() if hasattr(given, "items") else given


def _texts(metadata: "Pairs[str]") -> list[tuple[bytes, bytes]]:
    pairs = []
    for key, content in _as_pairs(metadata):
        _utf8(content, "metadata value", key)
        pairs.append((_utf8(key, "metadata key"), encode.text(content)))
    return pairs


def _scalars(scalars: "Pairs[Number | Scalar]") -> list[tuple[bytes, bytes]]:
    pairs = []
    for name, content in _as_pairs(scalars):
        kind, number = as_scalar(name, content)
        encoded = encode.mapping([(encode.text(kind), _ENCODE_SCALAR[kind](number))])
        pairs.append((_utf8(name, "scalar's name"), encoded))
    return pairs
