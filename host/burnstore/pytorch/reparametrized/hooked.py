"""Weights whose parts stand beside each other: `c.weight_g` and `c.weight_v` are `c.weight`."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from burnpack.tensor import Tensor
from burnstore.pytorch.reparametrized.weights import pruned, spectral_norm, weight_norm

# what PyTorch calls it, the endings of its parts, what makes a weight of them in this order
_KINDS: tuple[tuple[str, tuple[str, ...], Callable[..., Tensor | None]], ...] = (
    ("weight_norm", ("_g", "_v"), weight_norm),
    ("spectral_norm", ("_orig", "_u", "_v"), spectral_norm),
    ("pruning", ("_orig", "_mask"), pruned),
)
ENDINGS = ("_orig", "_g")  # each kind has one of them
_PART = {ending for _, endings, _ in _KINDS for ending in endings}
_USUAL = ("weight", "bias")  # in the last segment of what layers have


class Made(NamedTuple):
    """A weight, made of its parts. kind: by what, as PyTorch calls it."""

    kind: str
    weight: Tensor
    parts: list[Tensor]


def made_with(name: str, known: Mapping[str, Tensor]) -> Made | None:
    """Return the weight that the tensor called `name` is a part of, if all parts are there and fit."""
    for kind, endings, make in _KINDS:
        for stem in _stems(name, endings):
            parts = [known[stem + ending] for ending in endings if stem + ending in known]
            if stem in known or len(parts) < len(endings) or not _is_meant(stem, parts):
                continue
            weight = make(stem, *parts)
            if weight is not None:
                return Made(kind, weight, parts)
    return None


def is_left_over(name: str, known: Mapping[str, Tensor]) -> bool:
    """Return whether a tensor looks like a part of a layer's weight, which is not there."""
    ending = next((ending for ending in ENDINGS if name.endswith(ending)), "")
    stem = name[: len(name) - len(ending)]
    if not ending or stem in known or not _is_usual(stem):
        return False
    return ending == "_orig" or stem + "_v" in known


def _stems(name: str, endings: tuple[str, ...]) -> Iterator[str]:
    for ending in endings:
        if name.endswith(ending) and len(name) > len(ending):
            yield name[: -len(ending)]


def _is_usual(stem: str) -> bool:
    return any(word in stem.rsplit(".", 1)[-1] for word in _USUAL)


def _is_meant(stem: str, parts: list[Tensor]) -> bool:
    """Return whether name or shapes say that these are parts: two vectors called so may be anything."""
    return _is_usual(stem) or len(parts[0].shape) > 1
