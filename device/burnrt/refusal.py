"""The one error of a program that can't be run: `burnpack`'s, or one like it where there is no `burnpack`."""

if False:  # for type checkers
    from typing import NoReturn, Self

try:
    from burnpack.errors import Malformed as Malformed

    def refuse(item: str, what: str, expected: object = None, found: object = None) -> "NoReturn":
        """Raise `Malformed`: `what` is wrong with `item`. expected, found: what should be, what is there."""
        raise Malformed(what, item, None, None, expected, found)

except ImportError:  # a bundle stands alone

    class Malformed(ValueError):  # type: ignore[no-redef]
        """The bytes break a rule of their format."""

        def within(self, source: "str | None") -> "Self":
            return type(self)("%s: %s" % (source, self)) if source else self

    def refuse(item: str, what: str, expected: object = None, found: object = None) -> "NoReturn":
        """Raise `Malformed`: `what` is wrong with `item`. expected, found: what should be, what is there."""
        raise Malformed("%s: %s (expected %s, found %s)" % (item, what, expected, found))
