"""How a command speaks: whether as JSON, whether at all, and whether stdout is taken by a file."""

from dataclasses import dataclass

import click


@dataclass
class Manner:
    """What -q, --json and `-o -` ask for."""

    quiet: bool = False
    as_json: bool = False
    stdout_is_taken: bool = False


def manner(context: click.Context | None = None) -> Manner:
    """Return the manner of the command that runs, or of that of `context`; the usual one where none does."""
    context = context or click.get_current_context(silent=True)
    found: Manner = Manner() if context is None else context.meta.setdefault(__name__, Manner())
    return found
