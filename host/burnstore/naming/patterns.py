"""Regular expressions as a user gives them: Rust's, and what Python has besides."""

import re

from burnpack.errors import Malformed
from burnstore.naming.rust import translated


class Pattern:
    """A regular expression, which means what it means in Rust: see `burnstore.naming.rust`.

    text: as it was given. compiled: as `re` has it. Raises `Malformed` for what is no regular expression,
    and for what can't be said in Python's.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.compiled = compiled(text)

    def found_in(self, name: str) -> bool:
        """Return whether it is found anywhere in a name."""
        return self.compiled.search(name) is not None


def compiled(pattern: str) -> re.Pattern[str]:
    """Return the pattern as `re` has it; raises `Malformed` as `Pattern` does."""
    if not isinstance(pattern, str):
        raise Malformed("a pattern is text", found=repr(pattern))
    try:
        return re.compile(translated(pattern))
    except (re.error, OverflowError, RecursionError, ValueError) as error:
        raise Malformed(f"not a regular expression: {error}", pattern) from None
