"""All that the command line prints goes through here: nothing from outside reaches a terminal raw."""

import json
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from math import isfinite
from typing import Any

import click

from burnpack.errors import printable
from burnstore.cli.manner import manner
from burnstore.cli.streams import to_stdout


def echo(*lines: str, err: bool = False) -> None:
    """Print lines, an empty one if none is given. What moves a cursor or breaks a line in one is escaped.

    err: to stderr.
    """
    with nullcontext() if err else to_stdout():
        click.echo("\n".join(map(_plain, lines)), err=err)


def echo_json(value: Any) -> None:
    """Print a value as JSON, on one line.

    It is ASCII, the same in every locale, and holds no control characters.
    """
    with to_stdout():
        click.echo(json.dumps(value, allow_nan=False))


def note(*lines: str) -> None:
    """Print lines on the way to stderr: what was chosen, or left out. -q leaves them away."""
    if lines and not manner().quiet:
        echo(*lines, err=True)


def tell(*lines: str) -> None:
    """Print lines of a result to stdout, or to stderr where a file goes to stdout.

    With --json they are left away, as the JSON object has what they say.
    """
    how = manner()
    if lines and not how.quiet and not how.as_json:
        echo(*lines, err=how.stdout_is_taken)


def answer(data: Mapping[str, Any], lines: Iterable[str]) -> None:
    """Print what came of a command: its data with --json, or else the lines, which are made only then."""
    how = manner()
    if how.as_json:
        echo_json(data)
    elif not how.quiet:
        tell(*lines)


def finite(value: Any) -> Any:
    """Return a value for JSON, which has no infinities and no NaN: a number that is none becomes its name."""
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def lines_of(text: object) -> list[str]:
    """Return the lines of what is made of several on purpose."""
    return str(text).split("\n")


def _plain(line: str) -> str:
    """Return the line, whole: `printable` cuts what is longer than it is told."""
    return line if line.isascii() and line.isprintable() else printable(line, len(line))
