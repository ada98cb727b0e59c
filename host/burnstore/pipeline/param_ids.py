"""Burn's identities of parameters, made for those that have none.

Burn gives every new parameter a random number of 64 bits, and an optimizer's state belongs to it. PyTorch's
and SafeTensors' files have none: without one in a .bpk, Burn keeps the number that the loading module drew.
"""

import secrets
from collections.abc import Iterable

from burnpack.module import Module, walk
from burnpack.tensor import Tensor


def new_param_id() -> int:
    """Return a new identity: a random unsigned number of 64 bits, as Burn draws one."""
    return secrets.randbits(64)


def with_param_ids(tensors: Iterable[Tensor]) -> list[Tensor]:
    """Return the tensors, each with an identity: its own, or a new one. No bytes are read."""
    return [_identified(tensor) for tensor in tensors]


def give_param_ids(module: Module) -> None:
    """Give each parameter of a module that has no identity a new one."""
    for _, _, param in walk(module):
        if param.param_id is None:
            param.param_id = new_param_id()


def _identified(tensor: Tensor) -> Tensor:
    if tensor.param_id is not None:
        return tensor
    found = tensor.renamed(tensor.name)
    found.param_id = new_param_id()
    return found
