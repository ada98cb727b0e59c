"""burnstore quantize"""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from numpy.typing import NDArray

from burnpack.errors import LoadFailed, SaveFailed, Unsupported, printable
from burnpack.module import Module
from burnpack.writer import Writer
from burnstore.cli.echo import echo, echo_text
from burnstore.cli.targets import check_new
from burnstore.files import Buffer, replace_all
from burnstore.given import load_input
from burnstore.model import load_runnable
from burnstore.npy import load_array
from burnstore.opened import OpenedFile, open_burnpack
from burnstore.quantize import Quantized, quantize_model
from burnstore.quantize.measure import Report, measure
from burnstore.quantize.report import plain, text_of
from burnstore.quantize.weights import PER
from burnstore.selftest import PREFIX, is_quantized

_FEW = 32  # samples: with fewer, a range is likely to miss what comes later
_SAME = "\n(on the samples that it was calibrated with; --samples takes others)"

Files = list[tuple[Path, Iterable[Buffer]]]


@click.command()
@click.argument("source", metavar="MODEL.bpk", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--module", metavar="FILE:CLASS", required=True, help="The model.")
@click.option(
    "--calibrate",
    metavar="SAMPLES.npy",
    required=True,
    help="Inputs as the model meets them, (count, ...): they say what range the numbers have.",
)
@click.option("-o", "--output", metavar="OUT.bpk", required=True, type=click.Path(path_type=Path))
@click.option(
    "--percentile",
    type=click.FloatRange(50, 100, min_open=True),
    help="Leave rare numbers outside the ranges: this many percent lie within each end, as in 99.99.",
)
@click.option(
    "--per", type=click.Choice(PER), default=PER[0], show_default=True, help="What of a weight has a scale."
)
@click.option("--samples", metavar="X.npy", help="Compare with the floats on these, not on SAMPLES.")
@click.option("--labels", metavar="Y.npy", help="The right answer for each, a whole number.")
@click.option(
    "--scores/--no-scores",
    default=None,
    help="Whether the answers are scores of classes: then the largest are compared, too. Else they are taken "
    "for such with --labels or a softmax at the end, and may be such where they are (1, classes).",
)
@click.option(
    "--json", "json_file", metavar="FILE", type=click.Path(path_type=Path), help="Write the report here, too."
)
@click.option("--overwrite", is_flag=True, help="Replace OUT, and the report, if they exist.")
def quantize(
    source: Path,
    module: str,
    calibrate: str,
    output: Path,
    percentile: float | None,
    per: str,
    samples: str | None,
    labels: str | None,
    scores: bool | None,
    json_file: Path | None,
    overwrite: bool,
) -> None:
    """Make a model compute in integers: weights of a byte, bytes between the layers.

    What comes out runs as burnrt.int8.Model, without its class. Says how far each step is from the floats.
    """
    for target in filter(None, (output, json_file)):  # before anything takes time
        check_new(target, overwrite)
    if json_file is not None and os.path.realpath(json_file) == os.path.realpath(output):
        raise SaveFailed("the report can't go where the model goes", None, str(json_file))
    if labels and scores is False:
        raise click.UsageError("--labels are of classes: --no-scores contradicts them")
    given, tried = load_input(calibrate), load_input(samples or calibrate)
    right = load_array(labels) if labels else None
    model = load_runnable(module)
    with open_burnpack(source) as opened:
        left_out = _load(model, opened)
        quantized = quantize_model(model, given, percentile, per)
        report = measure(quantized, tried, right, scores)
        writer = _writer(quantized, opened)
        sizes = (source.stat().st_size, writer.size)
        written: Files = [(output, writer.chunks())]
        if json_file is not None:
            written.append((json_file, [_json(report, sizes)]))
        replace_all(written, overwrite)
    _warn(given)  # here, what is no array of samples has been refused
    _tell(output, report, sizes, left_out, "" if samples else _SAME)


def _warn(given: NDArray[Any]) -> None:
    """Say where samples tell too little to calibrate with."""
    if len(given) < _FEW:
        count = "one sample" if len(given) == 1 else f"{len(given)} samples"
        echo(
            f"calibrated with {count}: numbers beyond those in it will be cut off (a few hundred samples are "
            f"usual, fewer than {_FEW} are too few)",
            err=True,
        )
    if given.min() == given.max():
        echo("calibrated with samples of one number only: they say nothing of the range", err=True)
    elif len(given) > 1 and (given == given[:1]).all():
        echo("calibrated with samples that are all equal: they say no more than one of them", err=True)


def _load(model: Module, opened: OpenedFile) -> list[str]:
    """Load the model; return the names of the tensors that it has no use for."""
    reader = opened.reader
    if is_quantized(reader):
        raise Unsupported("is quantized already", None, opened.path)
    result = model.apply(reader)
    if result.errors or result.missing:
        raise LoadFailed("the tensors do not fill the model\n" + str(result), None, opened.path)
    unused: list[str] = result.unused
    return unused


def _writer(quantized: Quantized, opened: OpenedFile) -> Writer:
    """Return the writer of the quantized model, with the texts and numbers of the one in floats last."""
    scalars, own = quantized.scalars, dict(quantized.scalars)
    for name, value in opened.reader.scalars():
        if name not in own and not name.startswith(PREFIX):
            scalars = [*scalars, (name, value)]
    metadata = [*opened.reader.metadata(), *quantized.metadata]
    return Writer(quantized.tensors, metadata, scalars)


def _json(report: Report, sizes: tuple[int, int]) -> bytes:
    found = {**plain(report), "size_before": sizes[0], "size_after": sizes[1]}
    return json.dumps(found, indent=2).encode() + b"\n"


def _tell(output: Path, report: Report, sizes: tuple[int, int], left_out: list[str], note: str) -> None:
    if any(name.startswith(PREFIX) for name in left_out):
        echo("the self-test was of the model in floats, and is left out: see burnstore golden", err=True)
    others = sum(not name.startswith(PREFIX) for name in left_out)
    if others:
        echo(f"tensors left out that the model does not take: {others}", err=True)
    echo_text(text_of(report) + note)
    echo(
        f"{printable(str(output))}: {sizes[1]:,} bytes, of {sizes[0]:,} in floats; "
        f"{report.arena:,} bytes of RAM for all numbers, {report.macs:,} multiply-accumulates"
    )
