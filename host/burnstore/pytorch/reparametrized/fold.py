"""Tensors with reparametrized weights in the place of their parts."""

from collections.abc import Collection, Iterable
from itertools import pairwise

from burnpack.errors import printable
from burnpack.tensor import Tensor
from burnstore.pytorch.reparametrized import hooked, listed
from burnstore.pytorch.reparametrized.hooked import Made
from burnstore.pytorch.reparametrized.weights import dimensions

_SHOWN = 5  # names in a note


def are_suspected(names: Iterable[str]) -> bool:
    """Return whether any name is one that a part of a weight may have."""
    return any(name.endswith(hooked.ENDINGS) or listed.MARK in name for name in names)


def fold(tensors: Iterable[Tensor], own: Collection[str] = ()) -> tuple[list[Tensor], list[str]]:
    """Return the tensors, each weight in the place of its first part, and notes on what was done.

    own: names of tensors that are what they are, and parts of nothing.
    """
    folding = _Folding(tensors, own)
    folding.fold_listed()
    folding.fold_hooked()
    return folding.tensors(), folding.notes()


class _Folding:
    def __init__(self, tensors: Iterable[Tensor], own: Collection[str]) -> None:
        self._known = {tensor.name: tensor for tensor in tensors}
        self._places = {name: number for number, name in enumerate(self._known)}
        self._own = own
        self._made: dict[str, list[str]] = {}  # names of weights by what they were made by
        self._unclear: list[str] = []  # spectral norms of which a shape does not say the dimension
        self._kept: list[str] = []

    def fold_listed(self) -> None:
        for name, parts in listed.groups(list(self._known.values())).items():
            names = [part.name for part in parts.values()]
            if any(part in self._own for part in names):
                continue
            made = listed.made_of(name, parts) if name not in self._known else None
            if made is None:
                self._kept.append(names[0])
            else:
                self._take(made)

    def fold_hooked(self) -> None:
        pending = [name for name in self._known if name not in self._own]
        for name in pending:  # which grows: a weight may itself be a part
            made = hooked.made_with(name, self._known) if name in self._known else None
            if made is not None and not any(part.name in self._own for part in made.parts):
                self._take(made)
                pending.append(made.weight.name)
        self._kept += [name for name in self._known if self._is_left_over(name)]

    def tensors(self) -> list[Tensor]:
        return sorted(self._known.values(), key=lambda tensor: self._places[tensor.name])

    def notes(self) -> list[str]:
        texts = [
            f"{kind} is folded into its weights, as PyTorch computes them in eval mode: {_names(names)}"
            for kind, names in self._made.items()
        ]
        if self._unclear:
            what = "the shapes leave open which dimension spectral_norm takes for rows: the one that its"
            texts.append(f"{what} vectors fit, the first where none does: {_names(self._unclear)}")
        if self._kept:
            what = "kept as they are, as the file does not say what PyTorch computes of them"
            texts.append(f"{what}: {_names(self._kept)}")
        return texts

    def _take(self, made: Made) -> None:
        place = min(self._places[part.name] for part in made.parts)
        for part in made.parts:
            del self._known[part.name]
        self._known[made.weight.name] = made.weight
        self._places[made.weight.name] = place
        self._made.setdefault(made.kind, []).append(made.weight.name)
        if "spectral_norm" in made.kind and _is_unclear(made):
            self._unclear.append(made.weight.name)

    def _is_left_over(self, name: str) -> bool:
        return name not in self._own and hooked.is_left_over(name, self._known)


def _is_unclear(made: Made) -> bool:
    vectors = [part for part in made.parts if len(part.shape) == 1]
    return any(len(dimensions(made.weight, left, right)) > 1 for left, right in pairwise(vectors))


def _names(names: list[str]) -> str:
    shown = ", ".join(printable(name) for name in names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"
