"""Writing a SafeTensors container: the same bytes as the reference implementation writes."""

import struct

from burnpack import json_encode
from burnpack.checks import check_shape, check_size
from burnpack.compat import const, rising
from burnpack.errors import DuplicateName, InvalidTensor, LimitExceeded, Unsupported
from burnpack.limits import Limits
from burnpack.provider import Streamed, fetched
from burnpack.safetensors_header import DTYPES, HEADER_MOST, METADATA, SIZE, burn_name, check_whole
from burnpack.tensor import Tensor

if False:  # for type checkers
    from collections.abc import Iterable, Iterator

    from burnpack.types import Buffer, Dtype


_ALIGNMENT = const(8)  # of the data; spaces fill the header up

# Burn's dtypes that SafeTensors has no name for, and those of the same meaning that it has.
_STORED_AS = (("Bool(U8)", "Bool"), ("Bool(U32)", "Bool"), ("Flex32", "F32"))
_NAMES = tuple([burn_name(dtype) for dtype in DTYPES])


class Writer(Streamed):
    """A container, planned from the declared lengths of its tensors; no tensor's bytes are read for that.

    tensors: `Tensor`s, in any order: the data is laid out by dtype, the wide ones first, then by name.
    metadata: (key, value) texts, written in this order.
    limits: as a reader's; what it would refuse is not written.
    size: the bytes of the whole container.

    The format holds less than Burn's own. A `param_id` is left out. A Flex32 is written as F32, the
    same bytes. Each of Burn's stores of a Bool is written as BOOL, one byte an element; of the four
    that a Bool(U32) takes, what is not 0 becomes 1. A quantized tensor, and C32, C128 and the Bits
    kinds, raise `Unsupported`.
    """

    size: int

    def __init__(
        self,
        tensors: "Iterable[Tensor]",
        metadata: "Iterable[tuple[str, str]]" = (),
        limits: "Limits | None" = None,
    ) -> None:
        limits = limits or Limits()
        tensors = [_storable(tensor, limits) for tensor in tensors]
        _check_names(tensors, limits)
        self._tensors = _ordered(tensors)
        self._front = _front(self._tensors, metadata, min(limits.metadata, HEADER_MOST))
        self.size = len(self._front) + sum([tensor.nbytes for tensor in self._tensors])
        if self.size > limits.file:
            raise LimitExceeded("the file is too large", None, None, None, limits.file, self.size)

    def chunks(self) -> "Iterator[Buffer]":
        """Yield the container's bytes in buffers, one tensor's after the other.

        Each tensor's bytes are fetched when their turn comes; raises `InvalidTensor` where there are
        not as many as it declared.
        """
        yield self._front
        for tensor in self._tensors:
            if tensor.nbytes:
                piece: "Buffer | None"
                for piece in fetched(tensor):
                    yield piece
                    piece = None  # so that the next one is not made beside it


def _storable(tensor: "Tensor", limits: "Limits") -> "Tensor":
    """Return `tensor` in a dtype that SafeTensors has; refuse what no reader would take."""
    dtype = _stored_as(tensor.dtype)
    if dtype is None:
        raise Unsupported("SafeTensors has no such dtype", tensor.name, None, None, None, tensor.dtype)
    check_shape(tensor.name, tensor.shape)
    check_size(tensor.name, tensor.dtype, tensor.shape, tensor.nbytes, limits)
    check_whole(tensor.name, tensor.dtype, tensor.shape)  # type: ignore[arg-type] # no QFloat is stored
    return tensor if dtype == tensor.dtype else _converted(tensor, dtype)


def _stored_as(dtype: "Dtype") -> str | None:
    """Return the dtype of `_NAMES` that `dtype` is written as, or None."""
    for burns, stored in _STORED_AS:
        if dtype == burns:
            return stored
    return dtype if isinstance(dtype, str) and dtype in _NAMES else None


def _converted(tensor: "Tensor", dtype: str) -> "Tensor":
    def narrowed() -> bytes:
        return _truths(tensor.data())

    return Tensor(tensor.name, dtype, tensor.shape, narrowed if tensor.dtype == "Bool(U32)" else tensor.data)


def _truths(words: "Buffer") -> bytes:
    """Return one byte, 0 or 1, for each four bytes."""
    zero = bytes(4)
    return bytes([0 if words[at : at + 4] == zero else 1 for at in range(0, len(words), 4)])


def _check_names(tensors: "list[Tensor]", limits: "Limits") -> None:
    if len(tensors) > limits.tensors:
        raise LimitExceeded("too many tensors", None, None, None, limits.tensors, len(tensors))
    for tensor in tensors:
        json_encode.text(tensor.name, "tensor's name")
    names = rising([tensor.name for tensor in tensors])
    for at, name in enumerate(names):
        if name == METADATA:
            raise InvalidTensor("no tensor can be called so in SafeTensors", name)
        if at and name == names[at - 1]:
            raise DuplicateName("the same name twice", name)


def _ordered(tensors: "list[Tensor]") -> "list[Tensor]":
    keys = [(-_NAMES.index(tensor.dtype), tensor.name, number) for number, tensor in enumerate(tensors)]
    return [tensors[key[2]] for key in rising(keys)]


def _front(tensors: "list[Tensor]", metadata: "Iterable[tuple[str, str]]", most: int) -> bytes:
    """Return the size field and the header of at most `most` bytes."""
    members = _metadata(metadata)
    start = 0
    for tensor in tensors:
        end = start + tensor.nbytes
        members.append(_member(tensor, start, end))
        start = end
    header = b"{" + b",".join(members) + b"}"
    header += b" " * (-len(header) % _ALIGNMENT)
    if len(header) > most:
        raise LimitExceeded("the header is too large", None, None, None, most, len(header))
    return struct.pack(SIZE, len(header)) + header


def _member(tensor: "Tensor", start: int, end: int) -> bytes:
    dtype = DTYPES[_NAMES.index(tensor.dtype)].encode()
    shape = ",".join([str(extent) for extent in tensor.shape]).encode()
    name = json_encode.text(tensor.name, "tensor's name")
    return b'%s:{"dtype":"%s","shape":[%s],"data_offsets":[%d,%d]}' % (name, dtype, shape, start, end)


def _metadata(pairs: "Iterable[tuple[str, str]]") -> list[bytes]:
    """Return the member with the metadata in a list, or an empty list where there is none."""
    members = []
    keys = []
    for key, text in pairs:
        keys.append(json_encode.text(key, "metadata key"))
        members.append(keys[-1] + b":" + json_encode.text(text, "metadata value"))
    keys = rising(keys)
    for at in range(1, len(keys)):
        if keys[at] == keys[at - 1]:
            raise DuplicateName("the same metadata key twice", str(keys[at], "utf-8"))
    return [b'"%s":{%s}' % (METADATA.encode(), b",".join(members))] if members else []
