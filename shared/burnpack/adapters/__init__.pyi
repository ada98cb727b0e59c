from typing import Protocol, type_check_only

from burnpack.adapters.base import IdentityAdapter as IdentityAdapter
from burnpack.adapters.base import ModuleAdapter as ModuleAdapter
from burnpack.adapters.chain import ChainAdapter as ChainAdapter
from burnpack.adapters.float_cast import FloatCastAdapter as FloatCastAdapter
from burnpack.adapters.half_precision import HalfPrecisionAdapter as HalfPrecisionAdapter
from burnpack.adapters.pytorch import BurnToPyTorchAdapter as BurnToPyTorchAdapter
from burnpack.adapters.pytorch import PyTorchToBurnAdapter as PyTorchToBurnAdapter
from burnpack.adapters.pytorch import transposed as transposed
from burnpack.adapters.split import SplitAdapter as SplitAdapter
from burnpack.context import Context as Context
from burnpack.tensor import Tensor

@type_check_only
class Adapter(Protocol):
    def adapt(self, tensor: Tensor, context: Context, /) -> Tensor: ...
    def alternative_param_name(self, name: str, module_type: str | None, /) -> str | None: ...
