"""burnstore convert"""

import re
from typing import Any

import click

from burnpack.limits import Limits
from burnstore.cli.echo import echo, echo_text
from burnstore.cli.expansion import max_expansion
from burnstore.cli.progress import progress
from burnstore.files import check_target
from burnstore.model import load_module
from burnstore.opened import OpenedFile
from burnstore.pipeline import conversion
from burnstore.pipeline.layouts import LAYOUTS
from burnstore.pipeline.options import Options

FLOATS = ("F64", "F32", "F16", "BF16")

_SIZE = re.compile(r"([0-9]{1,15})\s*([kmgt]i?b|b)?", re.IGNORECASE)
_UNITS = {"": 1, "B": 1}
for _power, _prefix in enumerate("KMGT", 1):
    _UNITS |= {_prefix + "B": 1000**_power, _prefix + "IB": 1024**_power}

Pairs = tuple[tuple[str, str], ...]


def _pair(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> Pairs:
    """Return what was given as "A=B", each as (A, B); the first "=" divides."""
    pairs = []
    for value in values:
        left, equals, right = value.partition("=")
        if not equals:
            raise click.BadParameter(f'"{value}" has no "="', context, parameter)
        pairs.append((left, right))
    return tuple(pairs)


def _size(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """Return a number of bytes, given as in "5000", "500MB" or "4GiB"."""
    if value is None:
        return None
    found = _SIZE.fullmatch(value)
    if not found or not int(found[1]):
        raise click.BadParameter(f'"{value}" is no size, as in 5000, 500MB or 4GiB', context, parameter)
    return int(found[1]) * _UNITS[(found[2] or "").upper()]


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--module", metavar="FILE:CLASS", help="The model: its class gives names and layout.")
@click.option(
    "--from-layout", type=click.Choice(LAYOUTS), help="Layout of IN; else found from names and shapes."
)
@click.option(
    "--to-layout",
    type=click.Choice(LAYOUTS),
    help="Layout of OUT; else burn in .bpk, pytorch in .safetensors.",
)
@click.option(
    "--top-level-key",
    metavar="KEY",
    help='Where the weights are in IN\'s dict, as in a or a.b; "" for no key; else found if it is clear.',
)
@click.option(
    "--fold/--no-fold",
    default=True,
    help="Make one weight of what weight_norm, spectral_norm and pruning keep; done unless turned off.",
)
@click.option("--strip-prefix", is_flag=True, help="Take off module., _orig_mod. and model. if all have it.")
@click.option(
    "--rename",
    metavar="PATTERN=REPL",
    multiple=True,
    callback=_pair,
    help="Change names: a regular expression, and what takes the place of what it finds ($1 a group). "
    'Repeatable, in order. A "=" in the pattern is written \\x3d.',
)
@click.option(
    "--contiguous/--no-contiguous",
    default=None,
    help="Close gaps in the numbering of lists; else done for a PyTorch file with --module.",
)
@click.option("--filter", metavar="REGEX", multiple=True, help="Take the tensors that it matches.")
@click.option("--exact", metavar="NAME", multiple=True, help="Take the tensor of this name.")
@click.option("--half", is_flag=True, help="F32 becomes F16 and F16 F32, where that does no harm.")
@click.option(
    "--cast",
    type=click.Choice(FLOATS, case_sensitive=False),
    help="Every float becomes this; quantized tensors become the numbers that they stand for.",
)
@click.option(
    "--saturate",
    is_flag=True,
    help="With --half or --cast: a number that is too large becomes the largest there is.",
)
@click.option(
    "--shard-size",
    metavar="SIZE",
    callback=_size,
    help="Write several .safetensors of at most this many bytes of tensors, as in 500MB, and an index.",
)
@click.option("--allow-partial", is_flag=True, help="Leave out parameters of the module that IN lacks.")
@click.option("--metadata", metavar="K=V", multiple=True, callback=_pair, help="Write this text, too.")
@click.option("--overwrite", is_flag=True, help="Replace OUT if it exists.")
@max_expansion
@click.option("--dry-run", is_flag=True, help="Say what would be done, and write nothing.")
def convert(
    source: str, target: str, module: str | None, dry_run: bool, expansion: int | None, **given: Any
) -> None:
    """Convert a checkpoint: .pt, .safetensors or .bpk to .bpk or .safetensors.

    The format of IN follows from what is in it, that of OUT from its name. Names that --rename gives are
    what --filter, --exact and --module see.
    """
    if module is None and any(given[name] for name in ("from_layout", "to_layout", "allow_partial")):
        what = "a layout can only be changed, and --allow-partial used, with --module"
        raise click.UsageError(what)
    if given["half"] and given["cast"]:
        raise click.UsageError("--half and --cast exclude each other")
    if given["saturate"] and not (given["half"] or given["cast"]):
        raise click.UsageError("--saturate says how --half or --cast rounds, and neither is given")
    options = Options.asked(**given)
    path = conversion.target_path(target)
    check_target(path, options.overwrite, str(path))  # before anything takes time
    model = load_module(module) if module else None
    with OpenedFile(source, Limits(expansion=expansion)) as opened:
        plan = conversion.plan(opened, target, model, options)
        for note in plan.notes:
            echo(note, err=True)
        if dry_run:
            if plan.result is not None:
                echo_text(plan.result)
            echo(f"{plan.outcome()} (nothing is written)")
            return
        with progress("writing", plan.size) as advance:
            plan.run(advance)
    echo(plan.outcome())
