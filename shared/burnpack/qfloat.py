"""Burn's quantized dtype: how integers or small floats and their scales make up a tensor.

The bytes of a quantized tensor are the values, then the block scales or the one tensor scale, then,
where there are both, the tensor scale; nothing is padded in between.
"""

from burnpack.dtype import count
from burnpack.errors import InvalidTensor

if False:  # for type checkers
    from collections.abc import Sequence

    from burnpack.types import QBlock, QStore


# value kind: bits
VALUES: dict[str, int] = {
    "Q8F": 8,
    "E5M2": 8,
    "E4M3": 8,
    "Q4F": 4,
    "E2M1": 4,
    "Q2F": 2,
    "Q8S": 8,
    "Q4S": 4,
    "Q2S": 2,
}
# scale dtype: bytes
SCALES: dict[str, int] = {"F32": 4, "F16": 2, "BF16": 2, "UE8M0": 1, "UE4M3": 1}
MODES: tuple[str, ...] = ("Symmetric", "Lookup")
NATIVE = "Native"
PACKED: tuple[str, ...] = ("PackedNative", "PackedU32")
BLOCK_RANK = 5
BLOCK_MOST = 255


class QFloat:
    """A quantization scheme, as Burn 0.22 writes it.

    value: the kind of the values: "Q8S", "Q8F", "Q4S", "Q4F", "Q2S", "Q2F", "E5M2", "E4M3" or "E2M1".
    store: "Native", or ("PackedNative", d) or ("PackedU32", d), packed along the d-th dimension from the
        innermost.
    mode: "Symmetric" or "Lookup".
    tensor: the dtype of the one scale of the whole tensor, "F32", "F16", "BF16", "UE8M0" or "UE4M3", or None.
    block: (tuple of extents of a block, dtype of the block scales), or None.

    With neither `tensor` nor `block` there is one F32 scale. The bytes of a tensor are the values, then the
    scales of blocks, then that of the tensor, as far as there are any.
    """

    value: str
    store: "QStore"
    mode: str
    tensor: str | None
    block: "QBlock | None"

    def __init__(
        self,
        value: str = "Q8S",
        store: "QStore" = NATIVE,
        mode: str = "Symmetric",
        tensor: str | None = None,
        block: "QBlock | None" = None,
    ) -> None:
        self.value = value
        self.store = store
        self.mode = mode
        self.tensor = tensor
        self.block = block

    def parts(self) -> "tuple[str, QStore, str, str | None, QBlock | None]":
        """Return all that makes the scheme, as one tuple."""
        return self.value, self.store, self.mode, self.tensor, self.block

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QFloat) and self.parts() == other.parts()

    def __hash__(self) -> int:
        return hash(self.parts())

    def __repr__(self) -> str:
        parts = [self.value]
        if self.store != NATIVE:
            parts.append("%s(%d)" % self.store)
        if self.mode != MODES[0]:
            parts.append(self.mode)
        if self.block:
            parts.append(
                "block %s %s" % ("x".join([str(extent) for extent in self.block[0] or (1,)]), self.block[1])
            )
        if self.tensor:
            parts.append("tensor %s" % self.tensor)
        return "QFloat(%s)" % ", ".join(parts)

    def nbytes(self, shape: "Sequence[int]") -> int:
        """Return the bytes of a tensor of this scheme: values, then scales."""
        return self.values_nbytes(shape) + self.scales_nbytes(shape)

    def values_nbytes(self, shape: "Sequence[int]") -> int:
        """Return the bytes of the values. A packed store rounds up the packed dimension alone.

        Raises `InvalidTensor` where the shape lacks that dimension.
        """
        unit, per_unit = self.packing()
        if per_unit == 1 or not shape:
            return count(shape) * unit
        axis = len(shape) - 1 - self.store[1]  # type: ignore[operator] # a pair, as values share a unit
        if axis < 0:
            raise InvalidTensor(
                "packed along a dimension it does not have", None, None, None, len(shape), self.store[1]
            )
        lines = count(shape[:axis]) * count(shape[axis + 1 :])
        return lines * -(-shape[axis] // per_unit) * unit

    def packing(self) -> tuple[int, int]:
        """Return the bytes of a unit of the store, and the values that share one.

        Of the small ones only E2M1 is packed natively, in pairs; the others then take a byte each.
        """
        if self.store == NATIVE:
            return 1, 1
        if self.store[0] == PACKED[0]:
            return 1, 2 if self.value == "E2M1" else 1
        return 4, 32 // VALUES[self.value]

    def scales_nbytes(self, shape: "Sequence[int]") -> int:
        """Return the bytes of the scales."""
        if self.block is None:
            return SCALES[self.tensor or "F32"]
        return count(self.grid(shape)) * SCALES[self.block[1]] + (SCALES[self.tensor] if self.tensor else 0)

    def grid(self, shape: "Sequence[int]") -> tuple[int, ...]:
        """Return how many blocks there are along each dimension; blocks apply to the last ones.

        Raises `InvalidTensor` where blocks have more dimensions than the shape.
        """
        extents = self.block[0]  # type: ignore[index] # asked of schemes with blocks only
        missing = len(shape) - len(extents)
        if missing < 0:
            raise InvalidTensor(
                "blocks of more dimensions than the tensor", None, None, None, len(shape), len(extents)
            )
        sizes = (1,) * missing + extents
        return tuple([-(-extent // size) for extent, size in zip(shape, sizes)])
