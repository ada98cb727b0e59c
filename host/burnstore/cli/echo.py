"""All that the command line prints goes through here: nothing from outside reaches a terminal raw."""

import json
from typing import Any

import click

from burnpack.errors import printable


def echo(*lines: str, err: bool = False) -> None:
    """Print lines, an empty one if none is given. What moves a cursor or breaks a line in one is escaped.

    err: to stderr.
    """
    click.echo("\n".join(map(_plain, lines)), err=err)


def echo_text(text: object, err: bool = False) -> None:
    """Print what is made of several lines on purpose, each as `echo` does."""
    echo(*str(text).split("\n"), err=err)


def echo_json(value: Any, indent: int | None = None) -> None:
    """Print a value as JSON, in ASCII: it is the same in every locale, and holds no control characters."""
    click.echo(json.dumps(value, indent=indent, allow_nan=False))


def _plain(line: str) -> str:
    """Return the line, whole: `printable` cuts what is longer than it is told."""
    return line if line.isascii() and line.isprintable() else printable(line, len(line))
