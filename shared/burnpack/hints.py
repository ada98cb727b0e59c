"""What would mend a load: tried, and kept only where more of the module's parameters then fit.

A hint is a tuple, its kind first, which each front end says in its own words, here with a store's methods:

    LAYOUT, "pytorch" or "burn"   the names and the layout that the file has
    VARIANTS                      the file's names lack the variants of enums
    PARTIAL                       what there is can be loaded

These a board can act upon. A computer finds more: see `burnstore.advice`.
"""

from burnpack.apply import match
from burnpack.forms import forms_of

if False:  # for type checkers
    from collections.abc import Callable, Container, Iterable

    from burnpack.loading_store import LoadingStore
    from burnpack.module import Module
    from burnpack.result import ApplyResult
    from burnpack.types import Adapter, Advice, Hint, TensorSource

LAYOUT, VARIANTS, PARTIAL = "layout", "variants", "partial"
BURN, PYTORCH = "burn", "pytorch"

_AS_PYTORCH, _AS_BURN, _BARE = (LAYOUT, PYTORCH), (LAYOUT, BURN), (VARIANTS,)

# What is said of each, with the methods of a store.
SAID = {
    _AS_PYTORCH: "the file fits in PyTorch's names and layout: "
    "with_from_adapter(PyTorchToBurnAdapter()) reads these",
    _AS_BURN: "the file fits in Burn's names and layout: with_from_adapter(IdentityAdapter()) reads these",
    _BARE: "the file's names lack the variants of enums: skip_enum_variants(True) leaves them out",
    (PARTIAL,): "allow_partial(True) loads what there is",
}


def advice(
    store: "LoadingStore", module: "Module", source: "TensorSource", result: "ApplyResult"
) -> "Advice":
    """Return what would mend a load from a store: (hint, text) pairs that belong together.

    Tried are the options that a store has on a board.
    """
    criteria, adapter, bare = store._filter, store._from_adapter, store._skip_enum_variants
    kinds = [PARTIAL] if not store._allow_partial else []
    kinds += [VARIANTS] if hasattr(store, "skip_enum_variants") else []

    def attempt(hints: "list[Hint]") -> "ApplyResult":
        other = None if _AS_BURN in hints else adapter
        if _AS_PYTORCH in hints:
            from burnpack.adapters.pytorch import PyTorchToBurnAdapter

            other = PyTorchToBurnAdapter()
        return match(module, source, criteria, other, bare or _BARE in hints)[0]

    hints, mended = best(result, attempt, _proposals(result, adapter, kinds))
    return [(hint, SAID[hint]) for hint in (hints if is_likely(mended) else []) + in_part(mended, kinds)]


def best(
    result: "ApplyResult", attempt: "Callable[[list[Hint]], ApplyResult]", proposals: "Iterable[list[Hint]]"
) -> "tuple[list[Hint], ApplyResult]":
    """Return the first of the proposals with which most fits, [] for none, and what becomes of the load."""
    hints = []
    for proposal in proposals:
        tried = attempt(proposal)
        if len(tried.applied) > len(result.applied):
            hints, result = proposal, tried
    return hints, result


def in_part(result: "ApplyResult", kinds: "Container[str]") -> "list[Hint]":
    """Return the hint that a load in part is possible, where that is likely to be meant, in a list."""
    meant = PARTIAL in kinds and result.missing and not result.errors and is_likely(result)
    return [(PARTIAL,)] if meant else []


def is_likely(result: "ApplyResult", percent: int = 50) -> bool:
    """Return whether file and module belong together: so much of one fits, and two parameters or all."""
    fit, rest = len(result.applied), len(result.errors)
    tensors = fit + rest + len(result.unused)
    parameters = fit + rest + len(result.missing)
    return fit * 100 >= percent * min(tensors, parameters) and fit >= min(2, parameters)


def _proposals(
    result: "ApplyResult", adapter: "Adapter | None", kinds: "Container[str]"
) -> "list[list[Hint]]":
    layouts: "list[Hint]" = [_AS_PYTORCH] if _is_pytorchs(result) else []
    if adapter is not None:
        layouts.append(_AS_BURN)
    bare: "list[list[Hint]]" = [[_BARE]] if VARIANTS in kinds else []
    return [[each] for each in layouts] + bare + [[each] + more for each in layouts for more in bare]


def _is_pytorchs(result: "ApplyResult") -> bool:
    """Return whether there is a sign of PyTorch's layout, so that the adapter is worth its import."""
    for path, containers in result.missing:
        for form in forms_of(path, containers):
            if form in result.unused:
                return True
    return len(result.errors) > 0
