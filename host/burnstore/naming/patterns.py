"""Regular expressions as a user gives them: Python's, and Rust's way of naming a group."""

import re

from burnpack.errors import Malformed

_RUST_GROUP = re.compile(r"(\\.)|\(\?<(?=[A-Za-z_])", re.DOTALL)  # an escaped letter, or what names a group


def compiled(pattern: str) -> re.Pattern[str]:
    """Return the compiled pattern; `(?<name>...)` names a group as `(?P<name>...)` does.

    Raises `Malformed` for what is no regular expression.
    """
    if not isinstance(pattern, str):
        raise Malformed("a pattern is text", found=repr(pattern))
    try:
        return re.compile(pattern)
    except re.error as error:
        return _of_rust(pattern, error)
    except (OverflowError, RecursionError) as error:
        raise Malformed(f"not a regular expression: {error}", pattern) from None


def _of_rust(pattern: str, first: re.error) -> re.Pattern[str]:
    try:
        return re.compile(_RUST_GROUP.sub(lambda found: found[1] or "(?P<", pattern))
    except re.error:
        raise Malformed(f"not a regular expression: {first}", pattern) from None
