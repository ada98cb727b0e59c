"""burnstore golden"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from burnpack.errors import SaveFailed
from burnpack.module import Module
from burnpack.reader import Reader
from burnrt.int8 import Model
from burnrt.selftest import DEFAULT_TOLERANCE
from burnstore.cli.echo import echo, echo_text
from burnstore.cli.options import Shape, shapes_of, tolerance_of
from burnstore.cli.targets import check_new
from burnstore.comparison import compare, usual_tolerance
from burnstore.files import MappedFile
from burnstore.given import (
    INPUT,
    OUTPUT,
    Arrays,
    answers_in_rows,
    cases_in,
    check_inputs,
    files_with_answers,
    in_rows,
)
from burnstore.model import load_runnable
from burnstore.pipeline.writing import save_burnpack
from burnstore.running import Answers, check_count, inputs_of
from burnstore.selftest import (
    PREFIX,
    Judge,
    any_input,
    is_quantized,
    with_golden,
    with_quantized_golden,
)
from burnstore.sniff import check_burnpack

SEED = 0


@click.command()
@click.argument("source", metavar="IN.bpk", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("target", metavar="OUT.bpk", type=click.Path(path_type=Path))
@click.option("--module", metavar="FILE:CLASS", help="The model, unless IN is a quantized one.")
@click.option(
    "--shape",
    "shapes",
    multiple=True,
    callback=shapes_of,
    help='Of an input, as "1,1,28,28", for each: noise from 0 to 1 is made.',
)
@click.option("--cases", type=click.IntRange(1, 1000), help="How many to make, or to take of each FILE.")
@click.option(
    "--input",
    "inputs",
    metavar="FILE",
    multiple=True,
    help="A .npy, its batch first: the model's inputs in order, case by case. Or a file with input0, "
    "input1, ... With --cases N, the first N rows of each array.",
)
@click.option(
    "--expect",
    "expected",
    metavar="FILE",
    multiple=True,
    help="What a board must answer, likewise: a .npy for each output, or output0, output1, ... in a file, "
    "which may be that of --input. Without it, what is answered here.",
)
@click.option(
    "--tolerance",
    type=float,
    callback=tolerance_of,
    help="How far a number may be off: 1e-4 if not given, and 0 where all is computed in integers; as verify "
    "has it where --expect is given.",
)
@click.option("--overwrite", is_flag=True, help="Replace OUT if it exists.")
def golden(
    source: Path,
    target: Path,
    module: str | None,
    shapes: tuple[Shape, ...],
    cases: int | None,
    inputs: tuple[str, ...],
    expected: tuple[str, ...],
    tolerance: float | None,
    overwrite: bool,
) -> None:
    """Put inputs, and what the model must answer, into a .bpk, for the self-test on a board.

    A quantized model needs no --module, and without --input any numbers within its range are made.
    """
    check_new(target, overwrite)
    with MappedFile(source) as mapped:
        check_burnpack(mapped.view, str(source))
        reader = Reader.from_static(bytes(mapped.view), source=str(source))
    quantized = is_quantized(reader)
    if quantized and (module or shapes):
        raise click.UsageError("a quantized model brings its own: leave out --module and --shape")
    if not quantized and (not module or bool(inputs) == bool(shapes)):
        raise click.UsageError("--module, and either --shape or --input, are needed")
    if expected and not inputs:
        raise click.UsageError("--expect goes with --input")
    model = Model(reader) if quantized else load_runnable(module or "")
    given = cases_in(inputs, INPUT, inputs_of(model)) or _made(model, shapes, cases or 1)
    for arrays in given:
        check_inputs(arrays)
    taken = in_rows(given, cases if inputs else None)
    files = expected or files_with_answers(inputs)
    judge: Judge = list
    if files:
        tolerance = usual_tolerance(model) if tolerance is None else tolerance
        judge = partial(_judged, model, given, files, cases, tolerance)
    if isinstance(model, Model):
        tensors, scalars = with_quantized_golden(reader, taken, tolerance, judge)
    else:
        usual = DEFAULT_TOLERANCE if tolerance is None else tolerance
        tensors, scalars = with_golden(reader, model, taken, usual, judge, partial(echo, err=True))
    kept = [(name, value) for name, value in reader.scalars() if not name.startswith(PREFIX)]
    save_burnpack(target, tensors, reader.metadata(), kept + scalars, overwrite)
    added = "1 case" if len(taken) == 1 else f"{len(taken)} cases"
    echo(f"{target}: {added} of a self-test added")


def _judged(
    model: Any,
    given: list[Arrays],
    files: Sequence[str],
    cases: int | None,
    tolerance: float,
    found: list[Answers],
) -> list[Arrays]:
    """Return the answers in files, having said how far the model's are off; refuse those that are too far."""
    wanted = answers_in_rows(given, cases_in(files, OUTPUT, len(found[0])), cases)
    comparison = compare(model, in_rows(given, cases), found, wanted, tolerance)
    echo_text(comparison)
    if not comparison.passed:
        raise SaveFailed("the model does not answer as expected: nothing is written")
    return wanted


def _made(model: Model | Module, shapes: Sequence[Shape], cases: int) -> list[Arrays]:
    """Return inputs of noise, or, of a quantized model, of any bytes."""
    if isinstance(model, Model):
        return [[any_input(model, SEED + case)] for case in range(cases)]
    check_count(model, len(shapes))
    generator = np.random.default_rng(SEED)
    return [[generator.random(shape, np.float32) for shape in shapes] for _ in range(cases)]
