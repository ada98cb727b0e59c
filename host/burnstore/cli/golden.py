"""burnstore golden"""

from pathlib import Path
from typing import Any

import click
import numpy as np

from burnpack.errors import InvalidTensor, UnknownFormat
from burnpack.reader import Reader
from burnstore.files import MappedFile
from burnstore.model import load_module
from burnstore.saving import save_burnpack
from burnstore.selftest import PREFIX, with_golden

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
@click.option("--module", metavar="FILE:CLASS", required=True, help="The model.")
@click.option("--shape", callback=shape_of, help='Of an input, as "1,1,28,28": noise from 0 to 1 is made.')
@click.option("--cases", type=click.IntRange(1, 1000), default=1, show_default=True, help="How many to make.")
@click.option("--input", "inputs", metavar="FILE.npy", multiple=True, help="An input, its batch first.")
@click.option("--tolerance", type=float, default=1e-4, show_default=True, help="How far a number may be off.")
@click.option("--overwrite", is_flag=True, help="Replace OUT if it exists.")
def golden(
    source: Path,
    target: Path,
    module: str,
    shape: tuple[int, ...] | None,
    cases: int,
    inputs: tuple[str, ...],
    tolerance: float,
    overwrite: bool,
) -> None:
    """Put inputs, and what the model answers here, into a .bpk, for the self-test on a board."""
    if bool(inputs) == bool(shape):
        raise click.UsageError("either --shape or --input is needed")
    model = load_module(module)
    given = [_loaded(name) for name in inputs] or _noise(shape or (), cases)
    with MappedFile(source) as mapped:
        reader = Reader.from_static(bytes(mapped.view), source=str(source))
    tensors, scalars = with_golden(reader, model, given, tolerance)
    kept = [(name, value) for name, value in reader.scalars() if not name.startswith(PREFIX)]
    save_burnpack(target, tensors, reader.metadata(), kept + scalars, overwrite)
    click.echo(f"{target}: {len(given)} cases of a self-test added")


def _loaded(path: str) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except (EOFError, ValueError, MemoryError) as error:
        raise UnknownFormat(f"not an array that numpy reads: {error}", None, str(path)) from error


def _noise(shape: tuple[int, ...], cases: int) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    generator = np.random.default_rng(SEED)
    try:
        return [generator.random(shape, np.float32) for _ in range(cases)]
    except (ValueError, MemoryError) as error:
        raise InvalidTensor(f"no input of this shape can be made: {error}", found=shape) from error
