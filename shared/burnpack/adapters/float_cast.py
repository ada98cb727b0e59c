"""Every float to one dtype."""

from burnpack.adapters.cast import CastingAdapter, check_castable, is_float

if False:  # for type checkers
    from typing import Self

    from burnpack.context import Context
    from burnpack.tensor import Tensor


class FloatCastAdapter(CastingAdapter):
    """An adapter that casts every tensor of floats to one dtype, whatever module it is in.

    dtype: "F64", "F32", "Flex32", "F16" or "BF16".
    saturate: what becomes of a finite number that would become infinite: the largest finite one where this is
        true, and an error otherwise.

    Integers, bools and quantized tensors stay as they are.
    """

    def __init__(self, dtype: str, saturate: bool = False) -> None:
        super().__init__(saturate)
        check_castable(dtype)
        self._dtype = dtype

    @classmethod
    def to(cls, dtype: str, saturate: bool = False) -> "Self":
        """Return an adapter that casts to `dtype`, as `FloatCastAdapter(dtype, saturate)` does."""
        return cls(dtype, saturate)

    def adapt(self, tensor: "Tensor", context: "Context") -> "Tensor":
        """Return the tensor in the dtype; raises `Unsupported` for floats of 8 bits and fewer."""
        return self._cast(tensor, self._dtype) if is_float(tensor.dtype) else tensor
