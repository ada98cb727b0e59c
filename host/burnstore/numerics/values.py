"""Tensors out of what a script has: numpy's arrays, torch's tensors, lists and numbers."""

from typing import Any

import numpy as np

from burnpack.tensor import Tensor
from burnstore.numerics.arrays import tensor_from_array
from burnstore.pytorch.torch_modules.params import TorchParam


def tensor_from_value(name: str, value: Any) -> Tensor:
    """Return a tensor of a value: a `Tensor`, one of torch's, an array, or what numpy makes an array of.

    Nothing is copied where the bytes lie as a file has them. Raises `Unsupported` for what no file holds.
    """
    if isinstance(value, Tensor):
        return value.renamed(name)
    if type(value).__module__.partition(".")[0] == "torch":
        return TorchParam(value).tensor(name)
    return tensor_from_array(name, np.asarray(value))
