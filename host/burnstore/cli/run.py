"""burnstore run"""

import io
from pathlib import Path

import click
import numpy as np

from burnpack.errors import InvalidTensor
from burnstore.cli import options
from burnstore.cli.command import Command
from burnstore.cli.echo import answer, note
from burnstore.cli.streams import readable, shown, writable
from burnstore.cli.targets import check_new
from burnstore.io.files import replace
from burnstore.models.answering import answers
from burnstore.models.given import INPUT, cases_in
from burnstore.models.loaded import load_model
from burnstore.models.running import STREAM, Answers, has_states, inputs_of

_SEVERAL = ".npz"


@click.command(
    cls=Command,
    examples="""
    burnstore run small.bpk --input x.npy -o y8.npy
    burnstore run digits.bpk --module model.py:DigitsNet --input x.npy -o answers.npz
    burnstore run digits.pt --module model.py:DigitsNet --input x.npy -o floats.npy --json
    """,
    failed="The model can't be run on these inputs.",
)
@options.model("MODEL")
@options.output("OUT.npy", "The file to write; of a model with several answers an .npz.")
@options.module("The model's class. A file with a program needs none.")
@options.inputs(required=True)
@options.overwrite()
def run(source: str, output: Path, module: str | None, inputs: tuple[str, ...], overwrite: bool) -> None:
    """Run a model on this computer and write what it answers.

    Where the model's batch is one, each row of the inputs is run apart. If the model has states, they are
    zeros before the first row of a file, and go from each row to the next.
    """
    check_new(output, overwrite, (source, *inputs, options.class_file(module)))
    model = load_model(readable(source), module, None, note)
    if has_states(model):
        note(STREAM)
    cases = [answers(model, arrays) for arrays in cases_in(inputs, INPUT, inputs_of(model))]
    found = [np.concatenate(each) if len(each) > 1 else each[0] for each in zip(*cases, strict=True)]
    if len(found) > 1 and output.suffix != _SEVERAL:
        what = "the model has several answers, which go into an .npz"
        raise InvalidTensor(what, shown(output), expected=_SEVERAL, found=len(found))
    with writable(output, output.suffix or ".npy") as target:
        replace(target, [_packed(found, output.suffix == _SEVERAL)], overwrite=overwrite)
    shapes = [list(array.shape) for array in found]
    answer({"output": str(output), "shapes": shapes}, [f"{shown(output)}: {', '.join(map(str, shapes))}"])


def _packed(found: Answers, several: bool) -> bytes:
    """Return the bytes of a .npy, or of an .npz with output0, output1, ..."""
    file = io.BytesIO()
    if several:
        np.savez(file, **{f"output{place}": array for place, array in enumerate(found)})  # type: ignore[arg-type]
    else:
        np.save(file, found[0])
    return file.getvalue()
