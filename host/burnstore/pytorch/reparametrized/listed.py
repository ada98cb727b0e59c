"""Weights that `torch.nn.utils.parametrize` keeps below a name of its own.

    c.parametrizations.weight.original              what the first parametrization is given,
    c.parametrizations.weight.original0, original1  or the several tensors that it is given
    c.parametrizations.weight.0._u                  what parametrization 0 keeps

The classes are not in the file: weight_norm shows in two originals that fit, spectral_norm in `_u` and `_v`.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import count

from burnpack.tensor import Tensor
from burnstore.pytorch.reparametrized.hooked import Made
from burnstore.pytorch.reparametrized.weights import spectral_norm, weight_norm

MARK = "parametrizations."
_NAME = re.compile(r"((?:.*?\.)?)parametrizations\.([^.]+)\.(.+)", re.DOTALL)

Parts = dict[str, Tensor]


def groups(tensors: Iterable[Tensor]) -> dict[str, Parts]:
    """Return {name of a weight: its parts, by what stands behind the name}."""
    found: dict[str, Parts] = {}
    for tensor in tensors:
        match = _NAME.fullmatch(tensor.name) if MARK in tensor.name else None
        if match is not None:
            found.setdefault(match[1] + match[2], {})[match[3]] = tensor
    return found


def made_of(name: str, parts: Mapping[str, Tensor]) -> Made | None:
    """Return the weight that the parts make, or None where they do not say how."""
    rest = dict(parts)
    kinds, weight = _first(name, rest)
    for number in count(len(kinds)):
        if weight is None or f"{number}._u" not in rest:
            break
        left, right = rest.pop(f"{number}._u"), rest.pop(f"{number}._v", None)
        weight = spectral_norm(name, weight, left, right) if right else None
        kinds.append("spectral_norm")
    if weight is None or rest or not kinds:
        return None
    return Made(", then ".join(kinds), weight, list(parts.values()))


def _first(name: str, rest: Parts) -> tuple[list[str], Tensor | None]:
    """Take the originals out of the parts; return what was applied to them, and the weight so far."""
    if "original" in rest:
        return [], rest.pop("original")
    if "original0" in rest and "original1" in rest:
        return ["weight_norm"], weight_norm(name, rest.pop("original0"), rest.pop("original1"))
    return [], None
