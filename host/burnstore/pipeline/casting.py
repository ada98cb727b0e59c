"""What `half` and `cast` do with each tensor, with a module and without one."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from burnpack.adapters import ModuleAdapter
from burnpack.context import Context
from burnpack.errors import Unsupported
from burnpack.tensor import Tensor
from burnstore.numerics.adapters import ChainAdapter, FloatCastAdapter, HalfPrecisionAdapter
from burnstore.numerics.arrays import ARRAY_NAMES, array_from_tensor
from burnstore.pipeline.options import Options

if TYPE_CHECKING:
    from burnpack.types import Adapter

_STATISTICS = "running_mean"  # which a BatchNorm alone has
_OF_LAYERS = ("weight", "gamma", "alpha")  # a part of a model with one of these is a layer


class DecodingAdapter(ModuleAdapter):
    """Turns quantized tensors and floats of 8 bits into F32, by what they stand for."""

    def adapt(self, tensor: Tensor, context: Context) -> Tensor:
        """Return the tensor as F32; another as it is."""
        dtype = tensor.dtype
        if isinstance(dtype, str) and not (dtype.startswith("F8_") and dtype in ARRAY_NAMES):
            return tensor

        def data() -> memoryview:
            numbers = np.ascontiguousarray(array_from_tensor(tensor), "<f4")
            return numbers.reshape(-1).view(np.uint8).data

        return Tensor(tensor.name, "F32", tensor.shape, data, tensor.param_id)


class GuessingHalfAdapter(HalfPrecisionAdapter):
    """`HalfPrecisionAdapter` where no module says which layer a tensor is in: names say it.

    A layer is what has a weight; one that has running statistics too is a BatchNorm, which keeps its numbers.

    names: those of all tensors.
    """

    def __init__(self, names: Iterable[str], saturate: bool = False) -> None:
        super().__init__(saturate)
        parts: dict[str, set[str]] = {}
        for name in names:
            head, _, last = name.rpartition(".")
            parts.setdefault(head, set()).add(last)
        self._layers = {
            head for head, last in parts.items() if _STATISTICS not in last and last.intersection(_OF_LAYERS)
        }

    def adapt(self, tensor: Tensor, context: Context) -> Tensor:
        """Return the tensor, converted if it is in a layer that takes no harm."""
        if tensor.name.rpartition(".")[0] not in self._layers:
            return tensor
        return super().adapt(tensor, Context(tensor.name, ("Struct:Linear", "Param")))


def with_casting(options: Options, names: Iterable[str] | None) -> "Adapter | None":
    """Return the adapter that is asked for, followed by what `half` or `cast` takes.

    names: those of all tensors, where there is no module. Raises `Unsupported` for both at once.
    """
    if options.half and options.cast is not None:
        raise Unsupported("half and cast exclude each other", expected="one of them", found="both")
    if options.cast is not None:
        last: Adapter = DecodingAdapter().chain(FloatCastAdapter.to(options.cast, options.saturate))
    elif not options.half:
        return options.adapter
    elif names is None:
        last = HalfPrecisionAdapter(options.saturate)
    else:
        last = GuessingHalfAdapter(names, options.saturate)
    return ChainAdapter(options.adapter, last) if options.adapter is not None else last
