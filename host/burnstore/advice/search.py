"""Which hints, tried together, make most of a module's parameters fit.

Settings, such as the other layout, are tried alone and together; with each, names are changed for as long as
more fits. What is told at last is what is needed: a hint without which as much fits is left out.
"""

from collections.abc import Callable, Collection, Sequence, Sized
from contextlib import suppress
from itertools import chain, combinations
from typing import NamedTuple

from burnpack.context import has_variant
from burnpack.errors import BurnpackError
from burnpack.hints import VARIANTS, in_part, is_likely
from burnpack.module import Module, walk
from burnpack.result import ApplyResult
from burnstore.advice.classes import known_as, layer_hints, swapped_hints
from burnstore.advice.kinds import ANOTHER, CONTIGUOUS, KEY, LAYER, ORDER, RENAME, START, Hint
from burnstore.advice.names import is_guess, renamings

Hints = tuple[Hint, ...]
Attempt = Callable[[Hints], ApplyResult]  # the load with the options of hints; what it raises, it can't do

_PROPOSED = 8  # changes of names in each round
_NEARLY_ALL = 90  # in a hundred
_ROUNDS = 5
_WORK = 60_000  # names that are matched in all


class Trial(NamedTuple):
    """Hints, and what becomes of the load with them."""

    hints: Hints
    result: ApplyResult

    def score(self) -> int:
        """Return how well all fits: a parameter that is found with another shape counts half."""
        return 2 * len(self.result.applied) + len(self.result.errors)

    def rank(self) -> tuple[int, int, int]:
        """Return what the best trial has most of: what fits, then what is found, then plainness.

        A weight and a bias that would fit with a layer's arguments exchanged are no matter of options.
        """
        return len(self.result.applied) + 2 * len(swapped_hints(self.result)), *self.step()

    def step(self) -> tuple[int, int]:
        """Return the same without what fits in full, which takes several steps to find."""
        return self.score(), -_cost(self.hints)

    def is_whole(self) -> bool:
        """Return whether all of the module fits."""
        return bool(self.result.applied) and not self.result.missing and not self.result.errors


class Trials:
    """Tries hints, each set once, for as long as there is work left."""

    def __init__(self, module: Module, result: ApplyResult, attempt: Attempt) -> None:
        self.result = result
        self._module = module
        self._attempt = attempt
        self._known: dict[frozenset[Hint], Trial | None] = {frozenset(): Trial((), result)}
        self._cost = _size(result)
        self._work = _WORK

    def of(self, hints: Hints) -> Trial | None:
        """Return what becomes of hints; None for what can't be done, or where there was too much to do."""
        key = frozenset(hints)
        if key not in self._known:
            self._known[key] = None
            if self._work > 0:
                self._work -= self._cost
                options = tuple(hint for hint in hints if hint[0] != LAYER)
                with suppress(BurnpackError), known_as(self._module, hints):
                    self._known[key] = Trial(hints, self._attempt(options))
        return self._known[key]

    def best(self, trial: Trial, proposals: Sequence[Hint]) -> Trial:
        """Return what fits best, and is plainest: a trial, or it with one more of the proposals.

        What finds half of all that was missing, and loses nothing, is good enough.
        """
        best = trial
        for hint in proposals:
            tried = self.of((*trial.hints, hint)) if hint not in trial.hints else None
            if tried is not None:
                best = max(best, tried, key=Trial.step)
                found = 2 * len(tried.result.missing) <= len(trial.result.missing)
                if found and set(trial.result.applied) <= set(tried.result.applied):
                    break
        return best


def hints_for(
    module: Module,
    result: ApplyResult,
    attempt: Attempt,
    settings: Sequence[Sequence[Hint]],
    kinds: Collection[str],
) -> list[Hint]:
    """Return the hints on a load, those that belong together, in the order in which they are told.

    result: what became of the load. settings: groups of hints, of which each excludes
    the others of its group. kinds: what else the front end has options for.
    """
    trials = Trials(module, result, attempt)
    first = best = Trial((), result)
    for setting in _combined(_that_matter(module, result, settings)):
        if best.is_whole() and _cost(setting) >= _cost(best.hints):
            break
        if (trial := trials.of(setting)) is not None:
            best = max(best, _extended(module, trials, trial, kinds), key=Trial.rank)
    best = _needed(trials, _without_guesses(trials, best))
    if not best.hints or not is_likely(best.result):
        best = first
    return _told(best, kinds)


def _that_matter(
    module: Module, result: ApplyResult, settings: Sequence[Sequence[Hint]]
) -> list[Sequence[Hint]]:
    """Return the settings without those that nothing in the module or the file can depend on."""
    enums = any(has_variant(containers) for _, containers, _ in walk(module))
    numbers = any(segment.isdigit() for name in result.unused for segment in name.split("."))
    idle = ({VARIANTS} if not enums else set()) | ({CONTIGUOUS} if not numbers else set())
    return [group for group in settings if group and group[0][0] not in idle]


def _combined(settings: Sequence[Sequence[Hint]]) -> list[Hints]:
    """Return all that can be set at once, the plainest first."""
    groups = chain.from_iterable(combinations(settings, count) for count in range(len(settings) + 1))
    found: list[Hints] = []
    for group in groups:
        sets: list[Hints] = [()]
        for hints in group:
            sets = [(*chosen, hint) for chosen in sets for hint in hints]
        found += sets
    return sorted(found, key=_cost)


def _cost(hints: Hints) -> int:
    """Return how far from plain it is to act upon hints: a key is a file's own, a pattern has to be read."""
    return sum(1 if hint[0] == KEY else 3 if hint[0] == RENAME and hint[1] != START else 2 for hint in hints)


def _extended(module: Module, trials: Trials, trial: Trial, kinds: Collection[str]) -> Trial:
    """Return a trial with the classes and the changes of names that make more fit."""
    for _ in range(_ROUNDS):
        if trial.is_whole():
            break
        renames = [hint for hint in renamings(trial.result, _PROPOSED) if hint[0] in kinds]
        proposals = layer_hints(module, trial.result)[:_PROPOSED] + renames
        better = trials.best(trial, proposals)
        if better is trial:
            break
        trial = better
    return trial


def _without_guesses(trials: Trials, trial: Trial) -> Trial:
    """Return a trial without the changes of names that are guesses, unless nearly all fits by them."""
    plain = tuple(hint for hint in trial.hints if not is_guess(hint))
    if len(plain) == len(trial.hints) or is_likely(trial.result, _NEARLY_ALL):
        return trial
    return trials.of(plain) or Trial((), trials.result)


def _needed(trials: Trials, trial: Trial) -> Trial:
    """Return a trial without the hints that nothing is gained by."""
    for hint in trial.hints:
        without = trials.of(tuple(each for each in trial.hints if each != hint))
        if without is not None and len(without.result.applied) >= len(trial.result.applied):
            return _needed(trials, without)
    return trial


def _told(best: Trial, kinds: Collection[str]) -> list[Hint]:
    result = best.result
    hints = [*best.hints, *swapped_hints(result), *in_part(result, kinds)]
    if not hints and not is_likely(result) and (result.missing or result.errors):
        return [(ANOTHER,)]
    return sorted(hints, key=lambda hint: ORDER.index(hint[0]))


def _size(result: ApplyResult) -> int:
    rows: tuple[Sized, ...] = (result.applied, result.missing, result.unused, result.errors, result.skipped)
    return 100 + sum(len(row) for row in rows)
