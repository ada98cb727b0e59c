from typing import Self

from burnpack.adapters.cast import CastingAdapter
from burnpack.context import Context
from burnpack.tensor import Tensor

class FloatCastAdapter(CastingAdapter):
    def __init__(self, dtype: str, saturate: bool = False) -> None: ...
    @classmethod
    def to(cls, dtype: str, saturate: bool = False) -> Self: ...
    def adapt(self, tensor: Tensor, context: Context) -> Tensor: ...
