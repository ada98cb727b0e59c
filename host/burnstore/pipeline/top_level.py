"""The key of a PyTorch checkpoint under which the weights are, or keys joined with dots; "" for none.

Without a module, a key is taken off where exactly one entry of the dict holds weights, and the others are a
trainer's. With a module it is the one under which most of that fits, and none where none fits as well.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from burnpack.apply import refusal
from burnpack.errors import BurnpackError, LoadFailed, NotFound, printable
from burnpack.forms import forms_of
from burnpack.module import Module, walk
from burnpack.result import ApplyResult
from burnpack.tensor import Tensor
from burnstore.advice.kinds import KEY, said
from burnstore.pipeline.trainers import RNG_MOST, is_kept
from burnstore.pytorch.flatten import key_text
from burnstore.pytorch.modules import module_state
from burnstore.pytorch.objects import Dict, Opaque
from burnstore.pytorch.reader import PytorchReader
from burnstore.pytorch.reparametrized.fold import fold

if TYPE_CHECKING:
    from burnpack.types import Filter

# What trainers call the weights: enough of a sign where no name in them has a dot.
_USUAL = ("state_dict", "model_state_dict")
_TRIED = 32  # keys under which a module is tried
_SHOWN = 8  # keys in a note

Pair = tuple[str, object]  # a key of the checkpoint's dict, and what is under it
Choice = tuple[str, list[str]]  # a key, and notes that say why
Fit = Callable[[str], ApplyResult]  # what becomes of the module with the tensors under a key


def chosen(reader: PytorchReader) -> Choice:
    """Return the key that is taken off where there is no module."""
    pairs = reader.entries()
    if not reader.is_dict() or not any(reader.holds_tensors(value) for _, value in pairs):
        return "", []
    kept, weights = _divided(reader, pairs)
    likely = [key for key, value in weights if _is_state(reader, key, value, bool(kept))]
    if likely and len(weights) == 1:
        return _taken(reader, likely[0])
    return "", [_several(reader, weights)] if likely else []


def chosen_for(module: Module, reader: PytorchReader, fit: Fit, filter: "Filter | None") -> Choice:
    """Return the key that is taken off for a module.

    filter: what is asked for of the module. Raises `LoadFailed` where it fits alike under two keys.
    """
    results = {"": _tried(fit, "")}
    if not _is_whole(results[""]):
        keys = [key for key, value in reader.entries() if key and reader.holds_tensors(value)]
        results.update((key, _tried(fit, key)) for key in keys[:_TRIED])
    if not any(map(_is_whole, results.values())):
        keys = _keys_before(module, reader, filter)[:_TRIED]
        results.update(_convincing({key: _tried(fit, key) for key in keys}, results))
    most = max(len(result.applied) for result in results.values())
    best = [key for key, result in results.items() if len(result.applied) == most]
    if not most:
        return chosen(reader)
    if "" in best:
        return "", []
    if len(best) > 1:
        raise _unclear(results[best[0]], best, reader)
    return _taken(reader, best[0])


def _unclear(result: ApplyResult, keys: list[str], reader: PytorchReader) -> LoadFailed:
    hints = [(KEY, key) for key in keys[:_SHOWN]]
    result.advice = lambda _: [(hint, said(hint, f"the key {hint[1]}")) for hint in hints]
    what = f"the module fits alike under several top-level keys: choose one of {_names(keys)}"
    return refusal(what, result, reader.source)


def tensors_under(reader: PytorchReader, key: str) -> list[Tensor]:
    """Return the tensors under a key, named from there on; all for "". Raises `NotFound`, with the keys."""
    start = key + "."
    tensors = [
        tensor.renamed(tensor.name[len(start) :]) for tensor in reader if tensor.name.startswith(start)
    ]
    if not key or tensors:
        return tensors if key else list(reader)
    known = _names(text for text, _ in reader.entries()) or "none"
    raise NotFound(
        "no tensors under this top-level key", key, source=reader.source, expected=f"one of: {known}"
    )


def _divided(reader: PytorchReader, pairs: Iterable[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Return what a trainer keeps, and what else holds tensors."""
    names = sorted(reader.names())
    kept, weights = [], []
    for key, value in pairs:
        inside = names[bisect_left(names, key + ".") : bisect_left(names, key + "/")]  # "/" comes after "."
        alone = key in reader and not reader.holds_tensors(value)
        first = [key] if alone else inside[: RNG_MOST + 1]
        if is_kept(key, value, [reader.tensor(name) for name in first]):
            kept.append((key, value))
        elif alone or reader.holds_tensors(value):
            weights.append((key, value))
    return kept, weights


def _is_state(reader: PytorchReader, key: str, value: object, of_a_trainer: bool) -> bool:
    """Return whether a value is a state dict, which has the dotted names of a module's parts, or a module.

    of_a_trainer: whether a trainer's values stand beside it: then names without dots do, too.
    """
    if type(value) is Opaque and value.pairs is None:
        return reader.holds_tensors(value) and module_state(value) is not None
    if not isinstance(value, (Dict, Opaque)):
        return False
    inside = (key_text(name) or "" for name, _ in value.pairs or ())
    names = [name for name in inside if f"{key}.{name}" in reader]
    return any("." in name for name in names) or (bool(names) and (of_a_trainer or key in _USUAL))


def _keys_before(module: Module, reader: PytorchReader, filter: "Filter | None") -> list[str]:
    """Return what stands in the checkpoint before the name of the first parameter that is asked for."""
    tensors = list(reader)
    names = dict.fromkeys(tensor.name for tensor in [*tensors, *fold(tensors)[0]])
    for path, containers, _ in walk(module):
        if filter is None or filter.matches(path, containers):
            ends = ["." + form for form in [path, *forms_of(path, containers)]]
            found = (name[: -len(end)] for end in ends for name in names if name.endswith(end))
            return list(dict.fromkeys(found))
    return []


def _convincing(found: dict[str, ApplyResult], others: dict[str, ApplyResult]) -> dict[str, ApplyResult]:
    """Return what of `found` may be meant: where all of a module fits, or the most, if nothing else fits."""
    whole = {key: result for key, result in found.items() if _is_whole(result)}
    if whole or not found or any(result.applied for result in others.values()):
        return whole
    most = max(len(result.applied) for result in found.values())
    best = {key: result for key, result in found.items() if len(result.applied) == most}
    return best if len(best) == 1 else {}


def _tried(fit: Fit, key: str) -> ApplyResult:
    try:
        return fit(key)
    except BurnpackError:  # such as two names that become one: if it is the choice, loading says so
        return ApplyResult()


def _is_whole(result: ApplyResult) -> bool:
    return bool(result.applied) and not result.missing and not result.errors


def _several(reader: PytorchReader, weights: Iterable[Pair]) -> str:
    """Return a note on why no key is taken off."""
    keys = [key for key, value in weights if reader.holds_tensors(value)]
    alone = _names(key for key, value in weights if not reader.holds_tensors(value))
    if len(keys) > 1:
        what = "weights are under several top-level keys, and names stay as nested"
        beside = f"; beside them: {alone}" if alone else ""
        return f"{what}: choose one of {_names(keys)}{beside}"
    what = f"names stay as nested, as there are tensors beside the top-level key {_names(keys)}: {alone}"
    return f"{what}; choose the key to take what is under it alone"


def _taken(reader: PytorchReader, key: str) -> Choice:
    what = "the top-level key " if key in [text for text, _ in reader.entries()] else ""
    note = f'the weights are those under {what}"{printable(key)}"'
    others = _names(_beside(reader.names(), key.split(".")))
    return key, [f"{note}; tensors that are left out are under {others}" if others else note]


def _beside(names: Iterable[str], taken: list[str]) -> Iterable[str]:
    """Return what else holds tensors: the names' first segments, as far as to where they leave the key's."""
    found: dict[str, None] = {}
    for name in names:
        segments = name.split(".")
        same = 0
        while same < len(taken) and segments[same : same + 1] == taken[same : same + 1]:
            same += 1
        if same < len(taken):
            found[".".join(segments[: same + 1])] = None
    return found


def _names(keys: Iterable[str]) -> str:
    known = list(keys)
    shown = ", ".join(printable(key) for key in known[:_SHOWN])
    return shown if len(known) <= _SHOWN else f"{shown} and {len(known) - _SHOWN} more"
