"""burnstore golden"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from burnpack.errors import LoadFailed, SaveFailed
from burnpack.module import Module
from burnpack.reader import Reader
from burnrt import Model
from burnstore.advice.conversions import converting
from burnstore.cli import options
from burnstore.cli.command import Command
from burnstore.cli.echo import answer, lines_of, note, tell
from burnstore.cli.options import Shape
from burnstore.cli.streams import readable, shown, writable
from burnstore.cli.targets import check_new
from burnstore.comparing.sealing import is_to_seal, sealing, to_seal
from burnstore.io.beside import has_program
from burnstore.io.files import MappedFile, replace
from burnstore.io.sniff import check_burnpack
from burnstore.models.comparison import compare, measured_of, usual_tolerance
from burnstore.models.given import (
    INPUT,
    OUTPUT,
    Arrays,
    answers_in_rows,
    cases_in,
    check_inputs,
    files_with_answers,
    in_rows,
)
from burnstore.models.model import NEEDED, NOT_NEEDED, load_runnable
from burnstore.models.program import load_program
from burnstore.models.running import Answers, check_count, has_states, inputs_of
from burnstore.models.selftest import (
    DEFAULT_TOLERANCE,
    PREFIX,
    TOLERANCE,
    Judge,
    any_input,
    with_golden,
    with_program_golden,
)

SEED = 0


@click.command(
    cls=Command,
    examples="""
    burnstore golden digits.bpk -o proven.bpk --module model.py:DigitsNet --shape 1,1,8,8
    burnstore golden digits.bpk -o judged.bpk --module model.py:DigitsNet --input x.npy --expect y.npy
    burnstore golden small.bpk -o small8.bpk --cases 3 --json
    """,
    failed="The model does not answer as --expect has it.",
)
@options.model()
@options.output("OUT.bpk", f"The file to write. {options.ALONE}")
@options.module("The class of a model in floats. A quantized model needs none.")
@options.shapes("Inputs of noise from 0 to 1 are made.")
@options.inputs()
@options.expected("Without it, what is answered here is expected of a board.")
@options.cases("How many inputs to make; with --input, how many of the first rows to take.", 1000)
@options.tolerance(
    "Without it: 1e-4, and 0 where all is computed in integers; with --expect, as in `burnstore verify`."
)
@options.overwrite()
def golden(
    source: str,
    output: Path,
    module: str | None,
    shapes: tuple[Shape, ...],
    cases: int | None,
    inputs: tuple[str, ...],
    expected: tuple[str, ...],
    tolerance: float | None,
    overwrite: bool,
) -> None:
    """Put inputs, and what the model must answer, into a .bpk, for the self-test on a board.

    A file without a program needs --module, and either --shape or --input. With a program, as of a quantized
    model, neither is needed: without --input, any numbers within its range are made.
    """
    if inputs and shapes:
        raise click.UsageError("--shape and --input exclude each other")
    if expected and not inputs:
        raise click.UsageError("--expect goes with --input")
    check_new(output, overwrite, (*inputs, *expected, options.class_file(module)))
    path = readable(source)
    content = _bytes(path)
    reader = Reader.from_static(content, source=path)
    has_digest = is_to_seal(reader, False)
    model = _model(reader, content, module, shapes)
    given = cases_in(inputs, INPUT, inputs_of(model)) or _made(model, shapes, cases or 1)
    for arrays in given:
        check_inputs(arrays)
    taken = in_rows(given, cases if inputs else None)
    if has_states(model) and len(taken) > 1:
        note("the model has states: they are zeros at the beginning of each case")
    files = expected or files_with_answers(inputs)
    judge: Judge = list
    if files:
        tolerance = usual_tolerance(model, measured_of(reader)) if tolerance is None else tolerance
        judge = partial(_judged, model, given, files, cases, tolerance)
    if isinstance(model, Model):
        tensors, scalars = with_program_golden(reader, model, taken, tolerance, judge)
    else:
        usual = DEFAULT_TOLERANCE if tolerance is None else tolerance
        with converting(reader, model):
            tensors, scalars = with_golden(reader, model, taken, usual, judge, note)
    kept = [(name, value) for name, value in reader.scalars() if not name.startswith(PREFIX)]
    with writable(output, ".bpk") as target:
        _, chunks = sealing("burnpack", tensors, to_seal(reader.metadata(), has_digest), kept + scalars)
        replace(target, chunks(), overwrite)
    added = "1 case" if len(taken) == 1 else f"{len(taken)} cases"
    data = {"output": str(output), "cases": len(taken), "tolerance": dict(scalars).get(TOLERANCE)}
    answer(data, [f"{shown(output)}: {added} of a self-test added"])


def _bytes(path: str) -> bytes:
    with MappedFile(path) as mapped:
        check_burnpack(mapped.view, path)
        return bytes(mapped.view)


def _model(reader: Reader, data: bytes, module: str | None, shapes: Sequence[Shape]) -> Any:
    """Return the model that answers."""
    if has_program(reader):
        if module:
            note(NOT_NEEDED)
        if shapes:
            note("--shape is not needed: the program in the file says what shape its input has")
        return load_program(data, reader.source)
    if not module:
        raise LoadFailed(NEEDED, source=reader.source, expected="FILE:CLASS")
    return load_runnable(module)


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
    tell(*lines_of(comparison))
    if not comparison.passed:
        raise SaveFailed("the model does not answer as expected: nothing is written")
    return wanted


def _made(model: Model | Module, shapes: Sequence[Shape], cases: int) -> list[Arrays]:
    """Return inputs of noise; where a program takes bytes, of any."""
    if isinstance(model, Model):
        return [any_input(model, SEED + case) for case in range(cases)]
    if not shapes:
        raise LoadFailed("--shape or --input is needed: a model in floats does not say what its inputs are")
    check_count(model, len(shapes))
    generator = np.random.default_rng(SEED)
    return [[generator.random(shape, np.float32) for shape in shapes] for _ in range(cases)]
