"""How alike two names are."""

if False:  # for type checkers
    from collections.abc import Sequence


ALIKE = 0.7  # from here on, one may be meant by the other
_LONGEST = 200  # letters of a text that is compared: the time grows with their square
_MOST = 200  # names
_WORK = 300_000  # pairs of letters that are compared for one name


def closest(path: str, names: "Sequence[str]") -> str | None:
    """Return the name most like `path`, or None if none is like enough."""
    best, best_score = None, ALIKE
    work = 0
    for name in names[:_MOST]:
        work += len(path) * len(name) if len(name) <= _LONGEST else 0
        if work > _WORK:
            break
        score = similarity(path, name)
        if score >= best_score:
            best, best_score = name, score
    return best


def similarity(one: str, other: str) -> float:
    """Return 1 - edits / length of the longer: 1 for equal texts, 0 for texts that are less than `ALIKE`.

    Edits are Levenshtein's: letters put in, taken out or exchanged. Long texts count as 0.
    """
    longest = max(len(one), len(other))
    if longest == 0:
        return 1.0
    # Most texts have too few letters in common, which is quickly seen.
    if longest > _LONGEST or _common(one, other) < ALIKE * longest:
        return 0.0
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one):
        diagonal, row[0] = number, number + 1
        for column, candidate in enumerate(other):
            above = row[column + 1]
            row[column + 1] = min(above + 1, row[column] + 1, diagonal + (letter != candidate))
            diagonal = above
    score = 1.0 - row[-1] / longest
    return score if score >= ALIKE else 0.0


def _common(one: str, other: str) -> int:
    """Return how many letters the texts have in common, wherever they stand."""
    left: dict[str, int] = {}
    for letter in one:
        left[letter] = left.get(letter, 0) + 1
    common = 0
    for letter in other:
        if left.get(letter, 0):
            left[letter] -= 1
            common += 1
    return common
