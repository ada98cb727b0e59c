"""burnstore golden"""

from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from burnpack.errors import InvalidTensor
from burnpack.reader import Reader
from burnrt.int8 import Model
from burnrt.selftest import DEFAULT_TOLERANCE
from burnstore.files import MappedFile
from burnstore.model import load_module
from burnstore.npy import load_array
from burnstore.saving import save_burnpack
from burnstore.selftest import PREFIX, any_input, is_quantized, with_golden, with_quantized_golden

SEED = 0


def shape_of(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    """Return what was given as "1,1,28,28"."""
    if value is None:
        return None
    words = value.split(",")
    if not all(word.isdecimal() and int(word) for word in words):
        raise click.BadParameter('extents are written as "1,1,28,28"', context, parameter)
    return tuple(int(word) for word in words)


@click.command()
@click.argument("source", metavar="IN.bpk", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("target", metavar="OUT.bpk", type=click.Path(path_type=Path))
@click.option("--module", metavar="FILE:CLASS", help="The model, unless IN is a quantized one.")
@click.option("--shape", callback=shape_of, help='Of an input, as "1,1,28,28": noise from 0 to 1 is made.')
@click.option("--cases", type=click.IntRange(1, 1000), default=1, show_default=True, help="How many to make.")
@click.option("--input", "inputs", metavar="FILE.npy", multiple=True, help="An input, its batch first.")
@click.option(
    "--tolerance",
    type=float,
    help="How far a number may be off: 1e-4 if not given, and 0 where all is computed in integers.",
)
@click.option("--overwrite", is_flag=True, help="Replace OUT if it exists.")
def golden(
    source: Path,
    target: Path,
    module: str | None,
    shape: tuple[int, ...] | None,
    cases: int,
    inputs: tuple[str, ...],
    tolerance: float | None,
    overwrite: bool,
) -> None:
    """Put inputs, and what the model answers here, into a .bpk, for the self-test on a board.

    A quantized model needs no --module, and without --input any numbers within its range are made.
    """
    with MappedFile(source) as mapped:
        reader = Reader.from_static(bytes(mapped.view), source=str(source))
    if is_quantized(reader):
        if module or shape:
            raise click.UsageError("a quantized model brings its own: leave out --module and --shape")
        given = _loaded(inputs) or _any_inputs(reader, cases)
        tensors, scalars = with_quantized_golden(reader, given, tolerance)
    else:
        if not module or bool(inputs) == bool(shape):
            raise click.UsageError("--module, and either --shape or --input, are needed")
        given = _loaded(inputs) or _noise(shape or (), cases)
        usual = DEFAULT_TOLERANCE if tolerance is None else tolerance
        tensors, scalars = with_golden(reader, load_module(module), given, usual)
    kept = [(name, value) for name, value in reader.scalars() if not name.startswith(PREFIX)]
    save_burnpack(target, tensors, reader.metadata(), kept + scalars, overwrite)
    click.echo(f"{target}: {len(given)} cases of a self-test added")


def _loaded(paths: tuple[str, ...]) -> list[NDArray[Any]]:
    return [load_array(path) for path in paths]


def _any_inputs(reader: Reader, cases: int) -> list[NDArray[Any]]:
    model = Model(reader)
    return [any_input(model, SEED + case) for case in range(cases)]


def _noise(shape: tuple[int, ...], cases: int) -> list[NDArray[Any]]:
    generator = np.random.default_rng(SEED)
    try:
        return [generator.random(shape, np.float32) for _ in range(cases)]
    except (ValueError, MemoryError) as error:
        raise InvalidTensor(f"no input of this shape can be made: {error}", found=shape) from error
