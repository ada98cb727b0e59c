"""Hints as the methods of a store: what is told is what was tried."""

from collections.abc import Callable, Iterable
from copy import copy
from typing import TYPE_CHECKING, Any

from burnpack.hints import BURN, LAYOUT, PARTIAL, PYTORCH, VARIANTS
from burnpack.module import Module
from burnpack.result import ApplyResult
from burnstore.advice.kinds import CLOSED, CONTIGUOUS, KEPT, KEY, RENAME, STRIP, Hint, said
from burnstore.advice.search import hints_for
from burnstore.advice.settings import settings_of
from burnstore.numerics.adapters import IdentityAdapter, PyTorchToBurnAdapter

if TYPE_CHECKING:
    from burnstore.stores.store import Store

# A hint, or its kind: the method that acts upon it, its arguments as they are told, and the value, where that
# is not the hint's own.
_METHODS: dict[Hint, tuple[str, str, Callable[[], Any] | None]] = {
    (LAYOUT, PYTORCH): ("with_from_adapter", "PyTorchToBurnAdapter()", PyTorchToBurnAdapter),
    (LAYOUT, BURN): ("with_from_adapter", "IdentityAdapter()", IdentityAdapter),
    (VARIANTS,): ("skip_enum_variants", "True", lambda: True),
    (PARTIAL,): ("allow_partial", "True", lambda: True),
    (CONTIGUOUS, CLOSED): ("map_indices_contiguous", "True", lambda: True),
    (CONTIGUOUS, KEPT): ("map_indices_contiguous", "False", lambda: False),
    (KEY,): ("with_top_level_key", '"{0}"', None),
    (STRIP,): ("strip_prefixes", '"{0}"', None),
    (RENAME,): ("with_key_remapping", 'r"{0}", "{1}"', None),
}


def advice(store: "Store", module: Module, result: ApplyResult) -> list[tuple[Hint, str]]:
    """Return what would mend a load from a store: (hint, text) pairs that belong together."""
    is_closed = store.is_closed()
    try:
        hints = _hints(store, module, result)
    finally:
        if is_closed:  # as it was
            store.close()
    found = [(hint, said(hint, _action(hint))) for hint in hints]
    result.advice = lambda _: found
    return found


def _hints(store: "Store", module: Module, result: ApplyResult) -> list[Hint]:
    reader = store.container()

    def attempt(hints: Iterable[Hint]) -> ApplyResult:
        other = copy(store)
        for hint in hints:
            _act(other, hint)
        return other.tried(module)

    def is_there(hint: Hint) -> bool:
        fixed = hint[0] == LAYOUT and reader.format == PYTORCH  # what its store adapts anyway
        return hasattr(store, _row(hint)[0]) and not fixed

    settings = [list(filter(is_there, group)) for group in settings_of(reader)]
    done = {PARTIAL} if store.is_partial() else set()
    kinds = {hint[0] for hint in _METHODS if is_there(hint)} - done
    return hints_for(module, result, attempt, settings, kinds)


def _row(hint: Hint) -> tuple[str, str, Callable[[], Any] | None]:
    return _METHODS.get(hint) or _METHODS.get(hint[:1]) or ("", "", None)


def _act(store: "Store", hint: Hint) -> None:
    method, _, value = _row(hint)
    getattr(store, method)(*hint[1:] if value is None else (value(),))


def _action(hint: Hint) -> str:
    method, arguments, _ = _row(hint)
    return f"{method}({arguments.format(*hint[1:])})"
