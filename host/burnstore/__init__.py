"""Burn's model store on a computer: reads PyTorch, SafeTensors and Burnpack, writes the latter two.

Each name is imported when it is first used: numpy, which some need, takes longer to import than most
commands take to run.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from burnpack.version import VERSION as __version__

if TYPE_CHECKING:
    from burnpack.adapters import Context as Context
    from burnpack.adapters import ModuleAdapter as ModuleAdapter
    from burnpack.errors import BurnpackError as BurnpackError
    from burnpack.errors import DuplicateName as DuplicateName
    from burnpack.errors import InvalidTensor as InvalidTensor
    from burnpack.errors import LimitExceeded as LimitExceeded
    from burnpack.errors import LoadFailed as LoadFailed
    from burnpack.errors import Malformed as Malformed
    from burnpack.errors import NotFound as NotFound
    from burnpack.errors import SaveFailed as SaveFailed
    from burnpack.errors import Truncated as Truncated
    from burnpack.errors import UnknownFormat as UnknownFormat
    from burnpack.errors import Unsupported as Unsupported
    from burnpack.limits import Limits as Limits
    from burnpack.module import Enum as Enum
    from burnpack.module import Module as Module
    from burnpack.module import Param as Param
    from burnpack.qfloat import QFloat as QFloat
    from burnpack.result import ApplyResult as ApplyResult
    from burnpack.tensor import Tensor as Tensor
    from burnstore.api import convert as convert
    from burnstore.api import inspect as inspect
    from burnstore.api import load_file as load_file
    from burnstore.api import open as open
    from burnstore.api import save_file as save_file
    from burnstore.comparing.checking import Checked as Checked
    from burnstore.comparing.checking import Finding as Finding
    from burnstore.comparing.checking import check as check
    from burnstore.comparing.differing import Difference as Difference
    from burnstore.comparing.differing import diff as diff
    from burnstore.comparing.opening import digest as digest
    from burnstore.io.opened import OpenedFile as OpenedFile
    from burnstore.io.opened import open_model as open_model
    from burnstore.io.writer import Writer as Writer
    from burnstore.models.answering import run as run
    from burnstore.models.comparison import verify as verify
    from burnstore.naming.filters import PathFilter as PathFilter
    from burnstore.naming.indices import map_indices_contiguous as map_indices_contiguous
    from burnstore.naming.indices import map_indices_contiguous_except as map_indices_contiguous_except
    from burnstore.naming.remap import KeyRemapper as KeyRemapper
    from burnstore.numerics.adapters import BurnToPyTorchAdapter as BurnToPyTorchAdapter
    from burnstore.numerics.adapters import ChainAdapter as ChainAdapter
    from burnstore.numerics.adapters import FloatCastAdapter as FloatCastAdapter
    from burnstore.numerics.adapters import HalfPrecisionAdapter as HalfPrecisionAdapter
    from burnstore.numerics.adapters import IdentityAdapter as IdentityAdapter
    from burnstore.numerics.adapters import PyTorchToBurnAdapter as PyTorchToBurnAdapter
    from burnstore.numerics.adapters import SplitAdapter as SplitAdapter
    from burnstore.numerics.arrays import array_from_tensor as array_from_tensor
    from burnstore.numerics.arrays import tensor_from_array as tensor_from_array
    from burnstore.pipeline.param_ids import give_param_ids as give_param_ids
    from burnstore.pipeline.param_ids import new_param_id as new_param_id
    from burnstore.pipeline.writing import save_burnpack as save_burnpack
    from burnstore.pipeline.writing import save_safetensors as save_safetensors
    from burnstore.pytorch.config import load_config as load_config
    from burnstore.pytorch.config import metadata as metadata
    from burnstore.pytorch.torch_modules import torch_module as torch_module
    from burnstore.quantize import quantize_model as quantize_model
    from burnstore.stores import BurnpackStore as BurnpackStore
    from burnstore.stores import PytorchStore as PytorchStore
    from burnstore.stores import SafetensorsStore as SafetensorsStore

_HOMES = {
    "check": "burnstore.comparing.checking",
    "Checked": "burnstore.comparing.checking",
    "Finding": "burnstore.comparing.checking",
    "diff": "burnstore.comparing.differing",
    "Difference": "burnstore.comparing.differing",
    "digest": "burnstore.comparing.opening",
    "convert": "burnstore.api",
    "inspect": "burnstore.api",
    "load_file": "burnstore.api",
    "open": "burnstore.api",
    "save_file": "burnstore.api",
    "Context": "burnpack.adapters",
    "ModuleAdapter": "burnpack.adapters",
    "ApplyResult": "burnpack.result",
    "Enum": "burnpack.module",
    "Limits": "burnpack.limits",
    "QFloat": "burnpack.qfloat",
    "BurnpackError": "burnpack.errors",
    "Truncated": "burnpack.errors",
    "Malformed": "burnpack.errors",
    "UnknownFormat": "burnpack.errors",
    "Unsupported": "burnpack.errors",
    "LimitExceeded": "burnpack.errors",
    "DuplicateName": "burnpack.errors",
    "NotFound": "burnpack.errors",
    "InvalidTensor": "burnpack.errors",
    "LoadFailed": "burnpack.errors",
    "SaveFailed": "burnpack.errors",
    "Module": "burnpack.module",
    "Param": "burnpack.module",
    "Tensor": "burnpack.tensor",
    "BurnToPyTorchAdapter": "burnstore.numerics.adapters",
    "ChainAdapter": "burnstore.numerics.adapters",
    "FloatCastAdapter": "burnstore.numerics.adapters",
    "HalfPrecisionAdapter": "burnstore.numerics.adapters",
    "IdentityAdapter": "burnstore.numerics.adapters",
    "PyTorchToBurnAdapter": "burnstore.numerics.adapters",
    "SplitAdapter": "burnstore.numerics.adapters",
    "array_from_tensor": "burnstore.numerics.arrays",
    "tensor_from_array": "burnstore.numerics.arrays",
    "run": "burnstore.models.answering",
    "verify": "burnstore.models.comparison",
    "PathFilter": "burnstore.naming.filters",
    "map_indices_contiguous": "burnstore.naming.indices",
    "map_indices_contiguous_except": "burnstore.naming.indices",
    "KeyRemapper": "burnstore.naming.remap",
    "OpenedFile": "burnstore.io.opened",
    "open_model": "burnstore.io.opened",
    "give_param_ids": "burnstore.pipeline.param_ids",
    "new_param_id": "burnstore.pipeline.param_ids",
    "load_config": "burnstore.pytorch.config",
    "metadata": "burnstore.pytorch.config",
    "quantize_model": "burnstore.quantize",
    "save_burnpack": "burnstore.pipeline.writing",
    "save_safetensors": "burnstore.pipeline.writing",
    "BurnpackStore": "burnstore.stores",
    "PytorchStore": "burnstore.stores",
    "SafetensorsStore": "burnstore.stores",
    "torch_module": "burnstore.pytorch.torch_modules",
    "Writer": "burnstore.io.writer",
}

# What `from burnstore import *` brings: not `open`, which would take the place of Python's own.
__all__ = ["__version__", *(name for name in _HOMES if name != "open")]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(["__version__", *_HOMES])
