"""burnstore help"""

import io
import shutil

import click

from burnstore.cli.command import Command
from burnstore.cli.echo import answer, lines_of

_WIDEST = 100  # letters in a line


@click.command(
    cls=Command,
    examples="""
    burnstore help
    burnstore help convert
    burnstore help exit-codes
    """,
)
@click.argument("topic", metavar="[TOPIC]", required=False)
@click.pass_context
def help(context: click.Context, topic: str | None) -> None:
    """Show the help of a command, or a guide, or a part of one.

    Without a TOPIC, all topics are listed.
    """
    from burnstore.guides import GUIDES, PARTS, guide

    group = context.find_root().command
    assert isinstance(group, click.Group)
    names = group.list_commands(context)
    if topic is None:
        topics = {"commands": names, "guides": list(GUIDES), "parts of guides": sorted(PARTS)}
        answer(topics, (f"{kind}: {', '.join(found)}" for kind, found in topics.items()))
        return
    command = group.get_command(context, topic)
    if topic in names and command is not None:
        with click.Context(command, context.parent, topic) as about:
            text = command.get_help(about)
    elif topic in PARTS or topic in GUIDES:
        text = _plain(guide(topic))
    else:
        raise click.BadParameter(f"no topic is called {topic!r}; burnstore help lists them", context)
    answer({"topic": topic, "text": text}, lines_of(text))


def _plain(markdown: str) -> str:
    """Return Markdown as text for a terminal of this width."""
    from rich.console import Console
    from rich.markdown import Markdown

    width = min(shutil.get_terminal_size().columns, _WIDEST)
    console = Console(file=io.StringIO(), width=width, color_system=None)
    with console.capture() as captured:
        console.print(Markdown(markdown, hyperlinks=False))
    return "\n".join(line.rstrip() for line in captured.get().splitlines())
