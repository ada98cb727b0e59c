"""The one error of a program that can't be run: `burnpack`'s, or the same without `burnpack`."""

if False:  # for type checkers
    from typing import NoReturn, Self

try:
    from burnpack.errors import Malformed as Malformed
except ImportError:  # a bundle stands alone

    class Malformed(ValueError):  # type: ignore[no-redef]
        """The bytes break a rule of their format."""

        def __init__(
            self, what: str, item: str, source: "str | None", offset: object, expected: object, found: object
        ) -> None:
            self.facts = (what, item, None, None, expected, found)
            source = source + ": " if source else ""
            super().__init__("%s%s: %s (expected %s, found %s)" % (source, item, what, expected, found))

        def within(self, source: "str | None") -> "Self":
            return type(self)(self.facts[0], self.facts[1], source, None, self.facts[4], self.facts[5])


def refuse(item: str, what: str, expected: object, found: object) -> "NoReturn":
    """Raise `Malformed`: `what` is wrong with `item`. expected, found: what should be, and what is there."""
    raise Malformed(what, item, None, None, expected, found)


def hold(item: str, place: "int | str", value: int, least: int, most: int) -> None:
    """Refuse the word `place`, a number or a name, whose value is not in least..most."""
    if not least <= value <= most:
        refuse(item, "word %s" % place, "%d to %d" % (least, most), value)
