"""Which of a file's names may be meant by a path that the file lacks."""

from burnpack.forms import forms_of

ALIKE = 0.7  # from here on, one may be meant by the other, as burn-store has it
_LONGEST = 200  # letters of a text that is compared: the time grows with their square
_MOST = 200  # names that are compared with one path
_SEARCHED = 2000  # names that are looked through for one path
_COMPILED = "_orig_mod."  # torch.compile leaves it in the middle of names, too
_WORK = 300_000  # pairs of letters that are compared for one path


def meant(path: str, containers: tuple[str, ...], names: list[str]) -> str | None:
    """Return the name by which a file may mean a path: PyTorch's, with another prefix, or alike; or None.

    names: those in question, sorted.
    """
    plain = dict([(name.replace(_COMPILED, ""), name) for name in names[:_SEARCHED]])
    forms = forms_of(path, containers)
    for form in [path] + forms:
        if form in plain:
            return plain[form]
        behind = [name for name in plain if name.endswith("." + form)]
        if len(behind) == 1:
            return plain[behind[0]]
        end = form
        while end.count(".") > 1:  # a last segment alone, as "weight", says nothing
            end = end[end.index(".") + 1 :]
            if end in plain:
                return plain[end]
    return closest(path, names) or (forms and closest(forms[-1], names)) or None


def closest(path: str, names: list[str]) -> str | None:
    """Return the name most like `path`, of equals the first, or None if none is like enough."""
    best, best_score = None, 0.0
    work = 0
    for name in names[:_MOST]:
        if len(name) > _LONGEST or len(path) > _LONGEST:
            continue
        work += len(path) * len(name)
        if work > _WORK:
            break
        score = similarity(path, name)
        if score >= ALIKE and score > best_score:
            best, best_score = name, score
    return best


def similarity(one: str, other: str) -> float:
    """Return how alike two texts are, from 0 to 1: Jaro's similarity, with each step back counted once.

    Letters match that are the same, within half the longer text of each other; so does burn-store compare.
    """
    if not one or not other or len(one) == len(other) == 1:
        return float(one == other)
    reach = max(len(one), len(other)) // 2 - 1
    taken = [False] * len(other)
    matches = back = last = 0
    for place, letter in enumerate(one):
        end = place + reach + 1
        found = other.find(letter, max(0, place - reach), end)
        while found >= 0 and taken[found]:
            found = other.find(letter, found + 1, end)
        if found >= 0:
            taken[found] = True
            matches += 1
            back += found < last
            last = found
    if not matches:
        return 0.0
    return (matches / len(one) + matches / len(other) + (matches - back) / matches) / 3
