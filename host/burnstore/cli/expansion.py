"""The option that says how far tensors may be expanded."""

import click

from burnpack.limits import EXPANSION

max_expansion = click.option(
    "--max-expansion",
    "expansion",
    metavar="BYTES",
    type=click.IntRange(min=0, max=(1 << 63) - 1),
    help="Bytes that expanded tensors of a PyTorch file may have beyond those that the file holds of them. "
    f"[default: {EXPANSION:,}]",
)
