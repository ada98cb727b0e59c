"""burnstore draw"""

from pathlib import Path

import click

from burnstore.cli import options
from burnstore.cli.command import Command
from burnstore.cli.echo import answer, note
from burnstore.cli.streams import is_stream, readable, shown, writable
from burnstore.cli.targets import check_new
from burnstore.drawing.folding import readable as folded
from burnstore.drawing.formats import ENDINGS, FORMATS, drawn
from burnstore.drawing.sources import picture_of
from burnstore.io.files import replace
from burnstore.io.opened import OpenedFile


@click.command(
    cls=Command,
    examples="""
    burnstore draw small.bpk -o net.svg
    burnstore draw small.bpk -o net.html --depth 1
    burnstore draw small.bpk -o - --format mermaid | tee net.md
    """,
)
@options.model("MODEL")
@options.output("OUT.svg", f"The file to write. {options.ALONE}")
@click.option(
    "--format",
    "kind",
    metavar="FORMAT",
    type=click.Choice(list(FORMATS)),
    help=f"What OUT is: {', '.join(FORMATS)}. Without it, the ending of its name tells.",
)
@click.option(
    "--depth",
    metavar="N",
    type=click.IntRange(1),
    help="How many parts of a layer's path are shown; of deeper ones, a module is one box. Without it, all.",
)
@options.overwrite()
def draw(source: str, output: Path, kind: str | None, depth: int | None, overwrite: bool) -> None:
    """Draw a network: its operations, the values between them, and its weights' shapes.

    MODEL is a .pt2, as torch.export.save writes it, or a .bpk with a program, of which the picture also shows
    where each value lies in the arena, and the scales of integers. A picture has 200 boxes at most: in larger
    networks modules are folded.
    """
    named = _kind(output, kind)
    check_new(output, overwrite, [source])
    with OpenedFile(readable(source)) as opened:
        picture, folds = folded(picture_of(opened, _name(source)), depth)
    if folds:
        note(folds)
    content = drawn(picture, named)
    with writable(output, f".{named}") as target:
        replace(target, [content], overwrite=overwrite)
    counts = {"boxes": len(picture.boxes), "edges": len(picture.edges)}
    said = ", ".join(f"{count} {what}" for what, count in counts.items())
    answer({"output": str(output), "format": named, **counts}, [f"{shown(output)}: {said}"])


def _kind(output: Path, kind: str | None) -> str:
    """Return the format to write. Raises `UsageError` where nothing tells, or two things contradict."""
    told = ENDINGS.get(output.suffix.lower())
    if kind is None and told is None:
        if is_stream(output):
            return next(iter(FORMATS))
        known = ", ".join(ENDINGS)
        raise click.UsageError(f"the name of OUT does not tell a format ({known}): --format does")
    if kind and told and kind != told:
        raise click.UsageError(f"--format {kind} contradicts {output}, the name of OUT")
    return kind or str(told)


def _name(source: str) -> str:
    return "the standard input" if is_stream(source) else Path(source).name
