"""Words held to their ranges."""

from array import array

if False:  # for type checkers
    from burnrt.memory import Memory
    from burnrt.types import Words


def hold(place: "int | str", value: int, least: int, most: int) -> None:
    """Refuse the value of word `place`, a number or a name, that is not in least..most, by a `ValueError`.

    Its arguments are what is wrong, what was expected, and what was found.
    """
    if not least <= value <= most:
        raise ValueError("word %s" % place, "%d to %d" % (least, most), value)


def row(memory: "Memory", at: int, kinds: bytes) -> "Words":
    """Return the words from word `at` on, each held to its kind.

    kinds: of each twice its bits, and 1 more where it is counted from 1, not from 0; 0 where it may be any.
    """
    words = array("i", bytes(memory.view[4 * at : 4 * (at + len(kinds))]))
    place = 0
    for kind in kinds:
        word, least = words[place], kind & 1
        if kind and word - least >> (kind >> 1):
            hold(place, word, least, (1 << (kind >> 1)) - 1 + least)
        place += 1
    return words
