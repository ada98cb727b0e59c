"""burnstore verify"""

import sys
from functools import partial

import click

from burnstore.cli.echo import echo, echo_text
from burnstore.cli.options import tolerance_of
from burnstore.comparison import STEPS, verify_files
from burnstore.given import files_with_answers
from burnstore.loaded import load_model


@click.command()
@click.argument("model", metavar="MODEL")
@click.option("--module", metavar="FILE:CLASS", help="The model, unless MODEL is a quantized one.")
@click.option(
    "--input",
    "inputs",
    metavar="FILE",
    multiple=True,
    required=True,
    help="A .npy, its batch first: the model's inputs in order, case by case. Or a file with input0, "
    "input1, ...",
)
@click.option(
    "--expect",
    "expected",
    metavar="FILE",
    multiple=True,
    help="What must be answered, likewise: a .npy for each output, or output0, output1, ... in a file, "
    "which may be that of --input.",
)
@click.option("--cases", type=click.IntRange(1), help="Run the first rows of each array, one at a time.")
@click.option(
    "--tolerance",
    type=float,
    callback=tolerance_of,
    help="How far a number may be off, as a part of it, or of 1 where it is smaller: 1e-4 if not given; "
    f"of a quantized model {STEPS} times what a byte of its output stands for.",
)
@click.option("--top-level-key", metavar="KEY", help="Where the weights are in MODEL's dict; else found.")
def verify(
    model: str,
    module: str | None,
    inputs: tuple[str, ...],
    expected: tuple[str, ...],
    cases: int | None,
    tolerance: float | None,
    top_level_key: str | None,
) -> None:
    """Compare a model's answers with answers from elsewhere, such as PyTorch's.

    MODEL is a .pt, .safetensors or .bpk. Says which number is off most. Leaves with 1 where one is off by
    more than the tolerance.
    """
    files = expected or files_with_answers(inputs)
    if not files:
        raise click.UsageError("--expect is needed, or output0 in a file of --input")
    runs = load_model(model, module, top_level_key, partial(echo, err=True))
    comparison = verify_files(runs, inputs, files, tolerance, cases)
    echo_text(comparison)
    if not comparison.passed:
        sys.exit(1)
