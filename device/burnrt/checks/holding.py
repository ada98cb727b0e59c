"""Words held to their ranges."""

if False:  # for type checkers
    from burnrt.types import Words


def hold(place: "int | str", value: int, least: int, most: int) -> None:
    """Refuse the value of word `place`, a number or a name, that is not in least..most, by a `ValueError`.

    Its arguments are what is wrong, what was expected, and what was found.
    """
    if not least <= value <= most:
        raise ValueError("word %s" % place, "%d to %d" % (least, most), value)


def row(words: "Words", at: int, kinds: bytes) -> list[int]:
    """Return the words from word `at` on, each held to its kind.

    kinds: twice the bits that a word may have, and 1 more where it may not be 0; of kind 0 all may be.
    """
    found: list[int] = []
    for kind in kinds:
        word = words[at + len(found)]
        if kind:
            hold(len(found), word, kind & 1, (1 << (kind >> 1)) - 1)
        found.append(word)
    return found
