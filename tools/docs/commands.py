"""What the commands print with `--help`, in Markdown, from the commands themselves."""

import click

from burnstore.cli import commands

PROGRAM = "burnstore"
_WIDTH = 100  # letters in a line


def helps() -> str:
    """Return a section with the help of the program, and of each command."""
    sections = [_section(PROGRAM, commands, None)]
    with click.Context(commands, info_name=PROGRAM) as context:
        for name in commands.list_commands(context):
            command = commands.get_command(context, name)
            assert command is not None, name
            sections.append(_section(f"{PROGRAM} {name}", command, context))
    return "\n".join(sections)


def _section(title: str, command: click.Command, parent: click.Context | None) -> str:
    context = click.Context(
        command, parent, title.split()[-1], terminal_width=_WIDTH, max_content_width=_WIDTH
    )
    return f"## {title}\n\n```text\n{command.get_help(context)}\n```\n"
