"""A pattern that is read from its beginning to its end."""

import re

from burnpack.errors import Malformed


class Cursor:
    """A text, and how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def at_end(self) -> bool:
        """Return whether nothing is left."""
        return self.at >= len(self.text)

    def starts(self, text: str) -> bool:
        """Return whether `text` comes next."""
        return self.text.startswith(text, self.at)

    def skipped(self, text: str) -> bool:
        """Pass over `text` if it comes next; return whether it did."""
        found = self.starts(text)
        self.at += len(text) if found else 0
        return found

    def taken(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Pass over what `pattern` matches here; return the match, or None."""
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found

    def character(self) -> str:
        """Pass over one character and return it. Raises `Malformed` at the end."""
        if self.at_end():
            raise self.wrong("it ends too early")
        self.at += 1
        return self.text[self.at - 1]

    def wrong(self, what: str) -> Malformed:
        """Return the error that says what is wrong here."""
        return Malformed(f"not a regular expression: {what} at position {self.at}", self.text)
