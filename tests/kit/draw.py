"""Repeatable numbers for plain tests, on every interpreter."""


class Draw:
    """A linear congruential generator, whose upper bits are taken."""

    def __init__(self, seed):
        self._state = seed

    def below(self, end):
        """Return a whole number from 0 to `end` - 1."""
        self._state = (self._state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self._state >> 8) % end
