"""The command line: one file a command, one place where an error becomes a line and an exit code."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from burnpack.errors import BurnpackError, printable
from burnpack.version import VERSION

# Each a module of this package.
COMMANDS = ("convert", "deploy", "fit", "freeze", "golden", "inspect", "romfs")

FAILED = 1
USAGE = 2
INTERRUPTED = 130


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
    """Run a command and leave with 0 when it is done, 1 when it failed, 2 when it was called wrongly."""
    try:
        commands.main(arguments, prog_name="burnstore", standalone_mode=False)
        code = 0
    except click.ClickException as error:
        code = _tell(error.format_message(), USAGE)
    except (click.Abort, KeyboardInterrupt):
        code = _tell("interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads on; nothing to flush
        code = FAILED
    except BurnpackError as error:
        code = _tell(str(error), FAILED)
    except OSError as error:
        code = _tell(
            f"{printable(str(error.filename))}: {error.strerror}" if error.filename else str(error), FAILED
        )
    except MemoryError:
        code = _tell("out of memory", FAILED)
    sys.exit(code)


def _tell(text: str, code: int) -> int:
    click.echo(f"burnstore: {text}", err=True)
    return code
