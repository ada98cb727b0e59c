"""Half the bytes on saving, and back on loading."""

from burnpack.adapters.cast import CastingAdapter
from burnpack.adapters.layers import HALVED
from burnpack.errors import NotFound

if False:  # for type checkers
    from typing import Self

    from burnpack.context import Context
    from burnpack.tensor import Tensor


_OTHER = {"F32": "F16", "F16": "F32"}


class HalfPrecisionAdapter(CastingAdapter):
    """An adapter that turns F32 into F16, and F16 into F32, in the layers that lose little by it.

    These are Linear, Embedding, all convolutions, LayerNorm, GroupNorm, InstanceNorm, RmsNorm and PRelu.
    BatchNorm is not among them: a small running variance would become 0. The same adapter serves both ways.
    Other dtypes stay as they are.

    saturate: as in `FloatCastAdapter`.
    """

    def __init__(self, saturate: bool = False) -> None:
        super().__init__(saturate)
        self._modules = ["Struct:" + layer for layer in HALVED]

    def with_module(self, name: str) -> "Self":
        """Return another adapter that converts the modules called so, too; "X" means "Struct:X"."""
        return self._of(self._modules + [_full(name)])

    def without_module(self, name: str) -> "Self":
        """Return another adapter that leaves the modules called so as they are.

        Raises `NotFound` if they are not converted anyway.
        """
        if _full(name) not in self._modules:
            raise NotFound("not among the modules that are converted", name)
        return self._of([module for module in self._modules if module != _full(name)])

    def _of(self, modules: list[str]) -> "Self":
        other = type(self)(self._saturate)
        other._modules = modules
        return other

    def adapt(self, tensor: "Tensor", context: "Context") -> "Tensor":
        """Return the tensor, converted if it is in one of the modules."""
        target = _OTHER.get(tensor.dtype) if isinstance(tensor.dtype, str) else None
        if target is None or context.module_type not in self._modules:
            return tensor
        return self._cast(tensor, target)


def _full(name: str) -> str:
    return name if ":" in name else "Struct:" + name
