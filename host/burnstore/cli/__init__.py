"""The command line: one file a command, one place where an error becomes a line and an exit code."""

import io
import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from types import FrameType

import click

from burnpack.errors import BurnpackError, printable
from burnpack.version import VERSION

# Each a module of this package.
COMMANDS = ("convert", "deploy", "fit", "freeze", "golden", "inspect", "quantize", "romfs", "verify")

FAILED = 1
USAGE = 2
INTERRUPTED = 130
# A hint names what helps in Python and on the command line; here the latter is meant.
_BY_OPTION = re.compile(r"[a-z_]+(?:\((?:True|\w+\(\))\))?, or (--[\w-]+(?: \w+)?),")
_LINE = 2000  # letters of a usage error, which repeats what was given


class Commands(click.Group):
    """Commands that are imported when they are called, each from the module of its name."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return the command of this name, or None."""
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"burnstore.cli.{name}"), name)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="burnstore")
def commands() -> None:
    """Burn's model store: read PyTorch, SafeTensors and Burnpack checkpoints, write Burnpack."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with 0 when it is done, 1 when it failed, 2 when it was called wrongly.

    A signal that asks to end leaves no scratch file behind, and with 128 and its number.
    """
    _prepare()
    try:
        commands.main(arguments, prog_name="burnstore", standalone_mode=False)
        code = 0
    except click.ClickException as error:
        code = _tell(printable(error.format_message(), _LINE), USAGE)
    except (click.Abort, KeyboardInterrupt):
        code = _tell("interrupted", INTERRUPTED)
    except Ended as signal_number:
        code = _tell("ended by a signal", 128 + int(str(signal_number)))
    except BrokenPipeError:
        code = FAILED
    except BurnpackError as error:
        code = _tell(_BY_OPTION.sub(r"\1", str(error)), FAILED)
    except OSError as error:
        code = _tell(
            f"{printable(str(error.filename))}: {error.strerror}" if error.filename else str(error), FAILED
        )
    except MemoryError:
        code = _tell("out of memory", FAILED)
    sys.exit(_flushed(code))


class Ended(BaseException):
    """A signal asked the process to end; its text is the signal's number."""


def _end(number: int, frame: FrameType | None) -> None:
    raise Ended(str(number))


def _prepare() -> None:
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _end)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names may hold what the terminal can't show


def _flushed(code: int) -> int:
    """Write out what is left to say. Where nobody reads on, there is nothing to complain of."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            code = code or FAILED
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code


def _tell(text: str, code: int) -> int:
    with suppress(OSError, ValueError):
        click.echo(f"burnstore: {text}", err=True)
    return code
