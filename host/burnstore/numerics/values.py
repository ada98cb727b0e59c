"""Tensors out of what a script has: numpy's arrays, torch's tensors, lists and numbers."""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import BurnpackError, Unsupported
from burnpack.tensor import Tensor
from burnstore.models.told import told
from burnstore.numerics.arrays import tensor_from_array
from burnstore.pytorch.torch_modules.params import TorchParam


def tensor_from_value(name: str, value: Any) -> Tensor:
    """Return a tensor of a value: a `Tensor`, one of torch's, an array, or what numpy makes an array of.

    Nothing is copied where the bytes lie as a file has them. Raises `Unsupported` for what no file holds.
    """
    if isinstance(value, Tensor):
        return value.renamed(name)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return _tensor_of_torch(name, value)
    return tensor_from_array(name, _array(name, value))


def _tensor_of_torch(name: str, value: Any) -> Tensor:
    try:
        return TorchParam(value).tensor(name)
    except BurnpackError as error:
        raise Unsupported(error.what, name, found=error.found) from None
    except Exception as error:  # as of a nested tensor, or one without a shape yet
        raise Unsupported(f"a torch tensor that can't be stored: {told(error)}", name) from None


def _array(name: str, value: Any) -> NDArray[Any]:
    if np.ma.is_masked(value):
        raise Unsupported("no file holds an array's mask: fill what is masked, as with filled(0)", name)
    try:
        return np.asarray(value)
    except Exception as error:  # whatever a value's own `__array__` does wrong
        raise Unsupported(f"numpy makes no array of it: {told(error)}", name) from None
