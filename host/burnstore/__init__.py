"""Burn's model store on a computer: reads PyTorch, SafeTensors and Burnpack, writes the latter two.

Each name is imported when it is first used: numpy, which some need, takes longer to import than most
commands take to run.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from burnpack.version import VERSION as __version__

if TYPE_CHECKING:
    from burnpack.errors import BurnpackError as BurnpackError
    from burnpack.module import Module as Module
    from burnpack.module import Param as Param
    from burnpack.tensor import Tensor as Tensor
    from burnstore.adapters import BurnToPyTorchAdapter as BurnToPyTorchAdapter
    from burnstore.adapters import ChainAdapter as ChainAdapter
    from burnstore.adapters import FloatCastAdapter as FloatCastAdapter
    from burnstore.adapters import HalfPrecisionAdapter as HalfPrecisionAdapter
    from burnstore.adapters import IdentityAdapter as IdentityAdapter
    from burnstore.adapters import PyTorchToBurnAdapter as PyTorchToBurnAdapter
    from burnstore.adapters import SplitAdapter as SplitAdapter
    from burnstore.arrays import array_from_tensor as array_from_tensor
    from burnstore.arrays import tensor_from_array as tensor_from_array
    from burnstore.comparison import verify as verify
    from burnstore.naming.filters import PathFilter as PathFilter
    from burnstore.naming.remap import KeyRemapper as KeyRemapper
    from burnstore.opened import OpenedFile as OpenedFile
    from burnstore.opened import open_model as open_model
    from burnstore.pytorch.config import load_config as load_config
    from burnstore.pytorch.config import metadata as metadata
    from burnstore.quantize import quantize_model as quantize_model
    from burnstore.saving import save_burnpack as save_burnpack
    from burnstore.saving import save_safetensors as save_safetensors
    from burnstore.stores import BurnpackStore as BurnpackStore
    from burnstore.stores import PytorchStore as PytorchStore
    from burnstore.stores import SafetensorsStore as SafetensorsStore
    from burnstore.torch_modules import torch_module as torch_module

_HOMES = {
    "BurnpackError": "burnpack.errors",
    "Module": "burnpack.module",
    "Param": "burnpack.module",
    "Tensor": "burnpack.tensor",
    "BurnToPyTorchAdapter": "burnstore.adapters",
    "ChainAdapter": "burnstore.adapters",
    "FloatCastAdapter": "burnstore.adapters",
    "HalfPrecisionAdapter": "burnstore.adapters",
    "IdentityAdapter": "burnstore.adapters",
    "PyTorchToBurnAdapter": "burnstore.adapters",
    "SplitAdapter": "burnstore.adapters",
    "array_from_tensor": "burnstore.arrays",
    "tensor_from_array": "burnstore.arrays",
    "verify": "burnstore.comparison",
    "PathFilter": "burnstore.naming.filters",
    "KeyRemapper": "burnstore.naming.remap",
    "OpenedFile": "burnstore.opened",
    "open_model": "burnstore.opened",
    "load_config": "burnstore.pytorch.config",
    "metadata": "burnstore.pytorch.config",
    "quantize_model": "burnstore.quantize",
    "save_burnpack": "burnstore.saving",
    "save_safetensors": "burnstore.saving",
    "BurnpackStore": "burnstore.stores",
    "PytorchStore": "burnstore.stores",
    "SafetensorsStore": "burnstore.stores",
    "torch_module": "burnstore.torch_modules",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
