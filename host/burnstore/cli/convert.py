"""burnstore convert"""

from pathlib import Path
from typing import Any

import click

from burnpack.errors import printable
from burnpack.limits import Limits
from burnpack.module import Module
from burnstore.cli import options as shared
from burnstore.cli.command import Command
from burnstore.cli.echo import answer, lines_of, note, tell
from burnstore.cli.progress import progress
from burnstore.cli.streams import is_stream, readable, shown, writable
from burnstore.io.files import check_target, with_default_suffix
from burnstore.io.opened import OpenedFile
from burnstore.models.model import load_module
from burnstore.pipeline import conversion
from burnstore.pipeline.options import LAYOUTS, Options

FLOATS = ("F64", "F32", "F16", "BF16")


@click.command(
    cls=Command,
    examples="""
    burnstore convert digits.pt -o digits.bpk --module model.py:DigitsNet
    burnstore convert digits.pt -o board.bpk --module model.py:DigitsNet --shape 1,1,8,8
    burnstore convert digits.pt2 -o net.bpk
    burnstore convert activity.pt2 -o activity.bpk --state h=1
    burnstore convert digits.pt -o half.bpk --module model.py:DigitsNet --half --dry-run
    burnstore convert digits.pt -o digits.safetensors --filter '^conv' --json
    cat digits.pt | burnstore convert - -o - --format safetensors > copy.safetensors
    """,
)
@shared.model("MODEL")
@shared.output(
    "OUT", f"The file to write. A name without .bpk or .safetensors gets what --format says. {shared.ALONE}"
)
@click.option(
    "--format",
    "suffix",
    metavar="FORMAT",
    type=click.Choice([suffix[1:] for suffix in conversion.FORMATS]),
    help="What OUT is, bpk or safetensors, where its name does not tell: bpk if this is not given.",
)
@shared.module("The model's class, which gives names and layout.")
@click.option(
    "--from-layout",
    type=click.Choice(LAYOUTS),
    help="The layout of MODEL. Without it, the layout is found from names and shapes.",
)
@click.option(
    "--to-layout",
    type=click.Choice(LAYOUTS),
    help="The layout of OUT. Without it, that is burn in .bpk and pytorch in .safetensors.",
)
@shared.top_level_key
@click.option(
    "--fold/--no-fold",
    default=True,
    help="Whether one weight is made of what weight_norm, spectral_norm and pruning keep in parts, as is "
    "usual.",
)
@click.option(
    "--strip-prefix",
    metavar="[PREFIX]",
    is_flag=False,
    flag_value="",
    multiple=True,
    help="Take PREFIX off the names that have it; without one, module., _orig_mod. and model. if all have "
    "it. Repeatable, in order.",
)
@click.option(
    "--rename",
    metavar="PATTERN=REPL",
    multiple=True,
    callback=shared.pairs_of,
    help="Change names: a regular expression, and what takes the place of what it finds ($1 a group). "
    'Repeatable, in order. A "=" in the pattern is written \\x3d.',
)
@click.option(
    "--contiguous/--no-contiguous",
    default=None,
    help="Whether gaps in the numbering of lists are closed. Without either, they are in a PyTorch file with "
    "--module.",
)
@click.option(
    "--filter",
    metavar="REGEX",
    multiple=True,
    help="Take the tensors whose names it matches. It can be repeated.",
)
@click.option(
    "--exact", metavar="NAME", multiple=True, help="Take the tensor of this name. It can be repeated."
)
@click.option("--half", is_flag=True, help="Convert F32 to F16 and F16 to F32, where that does no harm.")
@click.option(
    "--cast",
    type=click.Choice(FLOATS, case_sensitive=False),
    help="Convert every float to this, and quantized tensors to the numbers that they stand for.",
)
@click.option(
    "--saturate",
    is_flag=True,
    help="With --half or --cast, write a number that is too large as the largest that there is.",
)
@click.option(
    "--param-ids",
    is_flag=True,
    help="Give each tensor of a .bpk that has no identity a new, random one, as Burn gives parameters.",
)
@click.option(
    "--shard-size",
    metavar="SIZE",
    callback=shared.some_bytes_of,
    help="Write several .safetensors of at most this many bytes of tensors, as in 500MB, and an index.",
)
@shared.shapes(
    "With --module, a .bpk then has a program, which boards run without the class. Of a .pt2 it decides what "
    "the export left open."
)
@click.option(
    "--program/--no-program",
    default=True,
    help="Whether the program of a .pt2 is written, as is usual, or its tensors alone, as they are.",
)
@shared.states()
@click.option("--allow-partial", is_flag=True, help="Leave out parameters of the module that MODEL lacks.")
@click.option(
    "--metadata",
    metavar="K=V",
    multiple=True,
    callback=shared.pairs_of,
    help="Write this text into the metadata. It can be repeated.",
)
@shared.digest("Write the SHA-256 of the content into the metadata, which `check` and `deploy` hold OUT to.")
@shared.overwrite()
@shared.max_expansion
@click.option("--dry-run", is_flag=True, help="Say what would be done, and write nothing.")
def convert(
    source: str,
    output: Path,
    suffix: str | None,
    module: str | None,
    shapes: tuple[shared.Shape, ...],
    states: tuple[tuple[str, int], ...],
    dry_run: bool,
    expansion: int | None,
    **given: Any,
) -> None:
    """Convert a checkpoint: .pt, .pt2, .safetensors or .bpk to .bpk or .safetensors.

    Of a .pt2, which torch.export.save writes, a .bpk has the program, too, and a self-test. The format of
    MODEL follows from its content, that of OUT from its name. "-" is the standard input. Names that --rename
    gives are those that --filter, --exact and --module see.
    """
    if module is None and any(given[name] for name in ("from_layout", "to_layout", "allow_partial")):
        what = "a layout can only be changed, and --allow-partial used, with --module"
        raise click.UsageError(what)
    if given["half"] and given["cast"]:
        raise click.UsageError("--half and --cast exclude each other")
    if given["saturate"] and not (given["half"] or given["cast"]):
        raise click.UsageError("--saturate says how --half or --cast rounds, and neither is given")
    if given["shard_size"] and is_stream(output):
        raise click.UsageError("--shard-size writes several files, which no stream takes")
    options = Options.asked(**given, shape=shapes, state=states)
    named = _named(output, suffix)
    if not is_stream(named):
        check_target(named, options.overwrite, str(named))  # before anything takes time
    model = _model(module) if module else None
    with (
        OpenedFile(readable(source), Limits(expansion=expansion)) as opened,
        writable(named, f".{suffix or 'bpk'}") as path,
    ):
        plan = conversion.plan(opened, path, model, options)
        note(*plan.notes)
        if dry_run:
            tell(*(lines_of(plan.result) if plan.result is not None else []))
        else:
            with progress("writing", plan.size) as advance:
                plan.run(advance)
    _answer(plan, named, dry_run)


def _model(spec: str) -> Module:
    """Return the module, whose forward pass says where it fails."""
    from burnstore.models.passes import guarded  # which a conversion without a module does not wait for

    return guarded(load_module(spec))


def _named(output: Path, suffix: str | None) -> Path:
    """Return the file to write, its name with an ending, or "-"."""
    if is_stream(output):
        return output
    path = with_default_suffix(output, f".{suffix or 'bpk'}")
    if suffix is not None and path.suffix.lower() != f".{suffix}":
        raise click.UsageError(f"--format {suffix} contradicts {output}, the name of OUT")
    return conversion.target_path(path)


def _answer(plan: conversion.Conversion, target: Path, dry_run: bool) -> None:
    said = plan.outcome()
    if is_stream(target):
        said = said.replace(printable(str(plan.target)), shown(target))
    data = {"output": str(target), "tensors": len(plan.tensors), "size": plan.size, "written": not dry_run}
    answer({**data, "notes": plan.notes}, [said + " (nothing is written)" * dry_run])
