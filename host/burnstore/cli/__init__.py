"""The command line: one file a command, one place where an error becomes a line and an exit code."""

import io
import os
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from types import FrameType

import click

from burnpack.errors import BurnpackError, LoadFailed, printable
from burnpack.version import VERSION
from burnstore.cli.command import FAILED, INTERRUPTED, USAGE, write_exit_codes
from burnstore.cli.echo import echo, lines_of

# Each a module of this package.
COMMANDS = (
    "bundle",
    "check",
    "convert",
    "deploy",
    "describe",
    "diff",
    "draw",
    "fit",
    "freeze",
    "golden",
    "inspect",
    "profile",
    "quantize",
    "report",
    "romfs",
    "run",
    "verify",
)

HELP = "help"  # takes no file, as all others do

_LINE = 2000  # letters of a usage error, which repeats what was given


class Commands(click.Group):
    """Commands that are imported when they are called, each from the module of its name."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of all commands."""
        return [*COMMANDS, HELP]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return the command of this name, or None."""
        if name not in (*COMMANDS, HELP):
            return None
        command: click.Command = getattr(import_module(f"burnstore.cli.{name}"), name)
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with its whole first sentence; click cuts it to one line."""
        found = [(name, self.get_command(context, name)) for name in self.list_commands(context)]
        rows = [(name, command.get_short_help_str(_LINE)) for name, command in found if command is not None]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def format_epilog(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the exit codes, which all commands have."""
        write_exit_codes(formatter)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="burnstore")
def commands() -> None:
    """Convert, inspect and quantize model weights for Burn, and bring them to boards with MicroPython.

    PyTorch, SafeTensors and Burnpack checkpoints are read, and the latter two are written. `burnstore COMMAND
    --help` shows examples of each command, and `burnstore help` lists guides.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command, and end the process with an exit code of those in `burnstore.cli.command`.

    A signal that asks to end leaves no scratch file behind.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names may hold what the terminal can't show
    with _ended_by_signals(), warnings.catch_warnings():
        if not sys.warnoptions:
            warnings.simplefilter("ignore")  # Python's own, such as of a pattern's form, are for programmers
        code = _flushed(_run(arguments))
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    """Run a command, tell on one line what went wrong, and return the exit code."""
    try:
        _call(arguments)
        return 0
    except click.exceptions.NoArgsIsHelpError as error:
        echo(*lines_of(error.format_message()), err=True)
        return USAGE
    except click.ClickException as error:
        return _tell(printable(error.format_message(), _LINE) + _where_to_look(error), USAGE)
    except (click.Abort, KeyboardInterrupt):
        return _tell("interrupted", INTERRUPTED)
    except Ended as error:
        what = "interrupted" if error.number == signal.SIGINT else "ended by a signal"
        return _tell(what, 128 + error.number)
    except BrokenPipeError:
        return FAILED
    except LoadFailed as error:
        return _tell(_in_options(error), FAILED)
    except BurnpackError as error:
        return _tell(str(error), FAILED)
    except OSError as error:
        return _tell(_of_system(error), FAILED)
    except MemoryError:
        return _tell("out of memory", FAILED)


def _where_to_look(error: click.ClickException) -> str:
    """Return what to add to a usage error of a command."""
    context = getattr(error, "ctx", None)
    return f" ({context.command_path} --help shows how it is called)" if context is not None else ""


def _in_options(error: LoadFailed) -> str:
    if not hasattr(error, "result"):
        return str(error)
    from burnstore.advice.conversions import in_options  # and with it much of the library

    return in_options(error)


def _call(arguments: Sequence[str] | None) -> None:
    try:
        commands.main(arguments, prog_name="burnstore", standalone_mode=False)
    except BaseException:
        if _received:  # a library that is interrupted while it is imported may raise an error of its own
            raise Ended(_received[0]) from None
        raise


class Ended(BaseException):
    """A signal of this number asked the process to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


_received: list[int] = []


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let signals raise `Ended` meanwhile, but those that are ignored, as after `nohup`."""
    _received.clear()
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    heard = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]
    before = [(number, signal.signal(number, _end)) for number in heard]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def _end(number: int, frame: FrameType | None) -> None:
    _received.append(number)
    raise Ended(number)


def _of_system(error: OSError) -> str:
    what = error.strerror or str(error)
    return f"{printable(os.fsdecode(error.filename))}: {what}" if _is_path(error.filename) else what


def _is_path(name: object) -> bool:
    return isinstance(name, (str, bytes)) and bool(name)


def _flushed(code: int) -> int:
    """Write out what is left to say. Where nobody reads on, there is nothing to complain of."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError) as error:
            is_told = code != 0
            code = code or FAILED
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            if isinstance(error, OSError) and not isinstance(error, BrokenPipeError) and not is_told:
                _tell(f"the output can't be written: {_of_system(error)}", code)
    return code


def _tell(text: str, code: int) -> int:
    with suppress(OSError, ValueError):
        echo(*lines_of(f"burnstore: {text}"), err=True)
    return code
