"""How a file's names may have to change, guessed from those that no parameter took and from what is missing.

A missing parameter is compared with the unused names that end as it does, or as it is called elsewhere: what
stands before the common end is a prefix too many, one too few, or another. What most parameters
agree on comes first.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from burnpack.adapters.layers import LAYERS
from burnpack.context import Context
from burnpack.errors import printable
from burnpack.forms import TORCH_NAMES, forms_of
from burnpack.result import ApplyResult
from burnstore.advice.kinds import COMPILED, RENAME, START, STRIP, Hint

_PATHS = 64  # missing parameters that are looked at
_NAMES = 4000  # unused names
_COMPARED = 300  # unused names that end alike
_ALIKE = 6  # names that end alike, for each parameter
_AGREED = 2  # parameters that have to agree on a beginning that is another altogether
_DEPTH = 32  # segments from a name's end
_TYPED = re.compile(r"[\w.\-/: ]*")  # what a prefix can have that is typed as it is

Names = dict[str, list[str]]  # {an end of names: the names}
Change = tuple[str, str, str]  # what names begin with, what they should, and the segment that follows


def renamings(result: ApplyResult, most: int) -> list[Hint]:
    """Return changes of names that may help, the most likely ones first."""
    ends = _by_end(result.unused[:_NAMES])
    changes: list[set[Change]] = []
    votes: Counter[Hint] = Counter()
    step = len(result.missing) // _PATHS + 1
    for path, containers in result.missing[::step]:
        changes.append(set(_for_path(path, containers, ends)))
        votes.update({hint for change in changes[-1] for hint in _hints(*change)})
        votes.update(_last_segment(path, containers, ends))
    votes += _lacked(changes)
    enough = min(_AGREED, len(result.missing))
    found = [hint for hint, count in votes.items() if count >= enough or not is_guess(hint)]
    return sorted(found, key=lambda hint: (-votes[hint], hint[0] == RENAME, hint))[:most]


def _by_end(names: Sequence[str]) -> Names:
    ends: Names = defaultdict(list)
    for name in names:
        at = len(name)
        for _ in range(_DEPTH):
            at = name.rfind(".", 0, at)
            ends[name[at + 1 :]].append(name)
            if at < 0:
                break
    return ends


def _for_path(path: str, containers: tuple[str, ...], ends: Names) -> Iterator[Change]:
    for form in [path, *forms_of(path, containers)]:
        for change in _for_form(form, ends):
            if change[0] != change[1] and is_typed(*change):
                yield change


def _for_form(form: str, ends: Names) -> Iterator[Change]:
    """Yield what makes a parameter's name of those that have the most segments of its end."""
    at = 0
    while at < len(form):
        if names := ends.get(form[at:]):
            new, end = form[:at], form[at:]
            beginnings = [name[: len(name) - len(end)] for name in names[:_COMPARED]]
            if len(names) > 1 and "." not in end:  # as "weight", which says nothing
                beginnings = [old for old in beginnings if _is_part(old, new) or _is_part(new, old)]
            for old in beginnings[:_ALIKE]:
                yield old, new, end.partition(".")[0]
            return
        at = form.find(".", at) + 1 or len(form)


def _hints(old: str, new: str, first: str) -> Iterator[Hint]:
    """Yield what makes one beginning of names into another."""
    if not new:
        yield STRIP, old
        return
    if not old:
        yield RENAME, START, new
        return
    shared = _shared(old, new)
    inner, wanted = old[shared:], new[shared:]
    if shared and inner == COMPILED and not wanted:
        yield STRIP, COMPILED
    elif shared and inner:
        yield RENAME, f"\\.{_pattern(inner)}", f".{wanted}"
    yield RENAME, f"^{_pattern(old)}", new


def _lacked(changes: list[set[Change]]) -> Counter[Hint]:
    """Return what puts a prefix before those names alone that lack it."""
    firsts: dict[str, Counter[str]] = defaultdict(Counter)
    for old, new, first in set().union(*changes):
        if not old:
            firsts[new][first] += 1
    found: Counter[Hint] = Counter()
    for new, counts in firsts.items():
        pattern = "|".join(sorted(counts))
        found[RENAME, f"^({pattern})\\.", f"{new}$1."] = sum(counts.values())
    return found


def _last_segment(path: str, containers: tuple[str, ...], ends: Names) -> Iterator[Hint]:
    """Yield what gives a parameter Burn's name where no adapter knows its layer."""
    if (Context(path, containers).module_type or "").removeprefix("Struct:") in LAYERS:
        return
    head, _, last = path.rpartition(".")
    torch = f"{head}.{TORCH_NAMES[last]}" if head and last in TORCH_NAMES else ""
    if torch and torch in ends.get(torch, ()) and is_typed(torch):
        layer = head.rpartition(".")[2]
        yield RENAME, f"{_pattern(layer)}\\.{TORCH_NAMES[last]}$", f"{layer}.{last}"


def _is_part(one: str, other: str) -> bool:
    """Return whether one beginning is another without some segments that follow each other."""
    short, long = one.split("."), other.split(".")
    more = len(long) - len(short)
    cuts = range(len(short) + 1)
    return more >= 0 and any(short == long[:cut] + long[cut + more :] for cut in cuts)


def is_guess(hint: Hint) -> bool:
    """Return whether names are changed into such as have nothing to do with them."""
    if hint[0] != RENAME or hint[1] == START or hint[1].endswith("$"):
        return False
    old, new = hint[1].strip("^").replace("\\.", "."), hint[2]
    return "$" not in new and not (_is_part(old, new) or _is_part(new, old))


def _shared(one: str, other: str) -> int:
    """Return how many letters of whole segments two beginnings share."""
    size = 0
    for segment in one.split(".")[:-1]:
        if not other.startswith(segment + ".", size):
            break
        size += len(segment) + 1
    return min(size, len(one), len(other))


def _pattern(text: str) -> str:
    return text.replace(".", "\\.")


def is_typed(*texts: str) -> bool:
    """Return whether texts can be typed as they are shown."""
    return all(_TYPED.fullmatch(text) and printable(text) == text for text in texts)
