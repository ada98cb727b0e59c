"""burnstore report"""

from pathlib import Path

import click

from burnstore.cli import options
from burnstore.cli.command import Command
from burnstore.cli.echo import answer
from burnstore.cli.streams import is_stream, readable, shown, writable
from burnstore.cli.targets import check_new
from burnstore.io.files import replace
from burnstore.io.npy import load_array
from burnstore.io.opened import OpenedFile
from burnstore.models.given import load_samples
from burnstore.models.loaded import load_model
from burnstore.reporting.report import report as page_of


@click.command(
    cls=Command,
    examples="""
    burnstore report small.bpk -o report.html
    burnstore report digits.pt -o weights.html
    burnstore report small.bpk -o with.html --input x.npy --against digits.pt2
    """,
)
@options.model("MODEL")
@options.output("OUT.html", f"The file to write. {options.ALONE}")
@click.option("--input", "given", metavar="FILE", type=options.File(), help="A file with samples, as of run.")
@click.option("--labels", metavar="FILE", type=options.File(), help="A .npy file with each sample's class.")
@click.option(
    "--against", metavar="MODEL", type=options.File(), help="The model in floats, a .pt2 or a .bpk."
)
@options.overwrite()
def report(
    source: str, output: Path, given: str | None, labels: str | None, against: str | None, overwrite: bool
) -> None:
    """Write what is known of a model into one HTML page, which loads nothing and needs no scripts.

    It has the picture, a table of the steps, the arena over time, sizes, histograms, and which boards the
    model fits. With --input it also has the numbers of each step, and how many answers are right or the same
    as of --against. Of a file without a program, only sizes and histograms are shown.
    """
    if (labels or against) and not given:
        raise click.UsageError("--labels and --against go with --input")
    check_new(output, overwrite, (source, given, labels, against))
    samples = load_samples(given) if given else ()
    right = load_array(labels) if labels else None
    floats = load_model(against, None) if against else None
    name = "the standard input" if is_stream(source) else Path(source).name
    with OpenedFile(readable(source)) as opened:
        content = page_of(opened, name, samples, right, floats).encode()
    with writable(output, ".html") as target:
        replace(target, [content], overwrite=overwrite)
    answer({"output": str(output), "size": len(content)}, [f"{shown(output)}: {len(content):,} bytes"])
