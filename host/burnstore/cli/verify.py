"""burnstore verify"""

import sys
from dataclasses import asdict
from typing import Any

import click

from burnpack.errors import NotFound
from burnstore.cli import options
from burnstore.cli.command import FAILED, Command
from burnstore.cli.echo import answer, finite, lines_of, note
from burnstore.cli.streams import readable
from burnstore.io.opened import OpenedFile
from burnstore.models.comparison import STEPS, TIMES, Comparison, answered, compare, measured_of, verify_files
from burnstore.models.given import files_with_answers
from burnstore.models.loaded import load_model
from burnstore.models.program import is_integer
from burnstore.models.running import STREAM, has_states
from burnstore.models.selftest import golden_of, tolerance_of


@click.command(
    cls=Command,
    examples="""
    burnstore verify net.bpk
    burnstore verify digits.bpk --module model.py:DigitsNet --input x.npy --expect y.npy
    burnstore verify digits.pt --module model.py:DigitsNet --input x.npy --expect y.npy --cases 3
    burnstore verify small.bpk --input x.npy --expect y.npy --tolerance 1 --json
    """,
    failed="An answer is off by more than the tolerance.",
)
@options.model("MODEL")
@options.module("The model's class. A quantized model needs none.")
@options.inputs()
@options.expected("It can be left out where a file of --input has output0, and without --input.")
@options.cases("Run only the first N rows of each array, one at a time.")
@options.tolerance(
    f"Without it: 1e-4; for a quantized model, {STEPS} times what a step of its output stands for, or if "
    f"that is more, {TIMES} times what it was off by when it was quantized."
)
@options.top_level_key
def verify(
    source: str,
    module: str | None,
    inputs: tuple[str, ...],
    expected: tuple[str, ...],
    cases: int | None,
    tolerance: float | None,
    top_level_key: str | None,
) -> None:
    """Compare a model's answers with answers from elsewhere, such as PyTorch's.

    Without --input, these are those of the self-test in the file. MODEL is a .pt, .pt2, .safetensors or .bpk
    file; "-" is the standard input. The number that is off most is shown with its place. If the model has
    states, they are zeros before the first row of a file, and go from each row to the next.
    """
    if expected and not inputs:
        raise click.UsageError("--expect goes with --input")
    path = readable(source)
    files = expected or files_with_answers(inputs)
    if inputs and not files:
        raise NotFound("--expect is needed, as no file of --input has output0", ", ".join(inputs))
    runs = load_model(path, module, top_level_key, note)
    if inputs:
        if has_states(runs):
            note(STREAM)
        comparison = verify_files(runs, inputs, files, tolerance, cases, _measured(path, runs))
    else:
        comparison = _with_own_cases(path, runs, tolerance, cases)
    answer(_plain(comparison), lines_of(comparison))
    if not comparison.passed:
        sys.exit(FAILED)


def _measured(path: str, model: Any) -> float:
    """Return how far a quantized model was off when it was made, as its file says."""
    if not is_integer(model):
        return 0.0
    with OpenedFile(path) as opened:
        return measured_of(opened.reader)


def _with_own_cases(path: str, model: Any, tolerance: float | None, most: int | None) -> Comparison:
    """Return the comparison with the self-test in a file."""
    with OpenedFile(path) as opened:
        given, wanted = golden_of(opened.reader, model)
        if not given:
            what = "there is no self-test in the file: --input and --expect name other answers"
            raise NotFound(what, source=opened.path)
        allowed = tolerance_of(opened.reader) if tolerance is None else tolerance
        found = answered(model, given[:most], None)
        return compare(model, given[:most], found, wanted[:most], allowed)


def _plain(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison for JSON."""
    found = {**asdict(comparison), "passed": comparison.passed, "largest": finite(comparison.largest)}
    if comparison.worst is not None:
        found["worst"] = {name: finite(value) for name, value in asdict(comparison.worst).items()}
    return found
