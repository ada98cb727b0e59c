"""What every command has: -q, --json, examples and exit codes in its help, one way to be called wrongly."""

from typing import Any

import click

from burnstore.cli.manner import manner
from burnstore.cli.streams import is_stream, take_stdout

DONE = 0
FAILED = 1
USAGE = 2
INTERRUPTED = 130

_FAILURE = "he command failed, for the reason that stderr gives on one line."
# Exit codes, the same for all commands; what else 1 means is said by each.
CODES = (
    (DONE, "The command did its work."),
    (FAILED, f"T{_FAILURE}"),
    (
        USAGE,
        "The command was called wrongly: a word of the command line is unknown, missing, given twice, of "
        "another form, or contradicts another. No file was looked at.",
    ),
    (INTERRUPTED, "Ctrl-C ended the command. Other signals give 128 and their number."),
)


class Command(click.Command):
    """A command with --json and -q, and with examples and exit codes at the end of its help.

    examples: lines as they are typed, of one command each, of which tests run each.
    failed: what exit code 1 means besides a failure, as a whole sentence.
    """

    def __init__(self, *words: Any, examples: str, failed: str = "", **settings: Any) -> None:
        super().__init__(*words, **settings)
        self.examples = [line.strip() for line in examples.strip().splitlines()]
        self.failed = failed
        self.params += [_json_option(), _quiet_option()]

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Refuse an option that is given twice and can have one value: click would take the last."""
        if args and not context.resilient_parsing:
            _, _, order = self.make_parser(context).parse_args(list(args))
            for option in order:
                if isinstance(option, click.Option) and _has_one_value(option) and order.count(option) > 1:
                    raise click.UsageError(f"{option.opts[-1]} is given twice", context)
        rest = super().parse_args(context, args)
        if not context.resilient_parsing and is_stream(context.params.get("output") or ""):
            take_stdout(manner(context))
        return rest

    def collect_usage_pieces(self, context: click.Context) -> list[str]:
        """Return the pieces of the usage, with the options that must be given."""
        needed = [option for option in self.params if isinstance(option, click.Option) and option.required]
        given = [f"{option.opts[0]} {option.make_metavar(context)}" for option in needed]
        return [*super().collect_usage_pieces(context), *given]

    def format_epilog(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples and the exit codes."""
        with formatter.section("Examples"):
            for line in self.examples:
                formatter.write(f"  {line}\n")
        write_exit_codes(formatter, self.failed)


def write_exit_codes(formatter: click.HelpFormatter, failed: str = "") -> None:
    """Write the table of exit codes. failed: what else exit code 1 means."""
    rows = [(str(code), text) for code, text in CODES]
    if failed:
        rows[FAILED] = (str(FAILED), f"{failed} Or t{_FAILURE}")
    with formatter.section("Exit codes"):
        formatter.write_dl(rows)


def _has_one_value(option: click.Option) -> bool:
    return not (option.multiple or option.is_flag or option.count)


def _json_option() -> click.Option:
    return click.Option(
        ["--json"],
        is_flag=True,
        expose_value=False,
        callback=_wants_json,
        help="Print the result as one JSON object, and no text.",
    )


def _quiet_option() -> click.Option:
    return click.Option(
        ["-q", "--quiet"],
        is_flag=True,
        expose_value=False,
        callback=_wants_quiet,
        help="Print nothing but errors, and the JSON object if it is asked for.",
    )


def _wants_json(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    manner(context).as_json = value


def _wants_quiet(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    manner(context).quiet = value
