"""burnstore golden"""

from math import inf
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
from burnstore.model import load_runnable
from burnstore.npy import load_array
from burnstore.saving import save_burnpack
from burnstore.selftest import PREFIX, any_input, is_quantized, with_golden, with_quantized_golden
from burnstore.sniff import check_burnpack

SEED = 0


def shape_of(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    """Return what was given as "1,1,28,28"."""
    if value is None:
        return None
    words = value.split(",")
    if not all(word.isdecimal() and int(word) for word in words):
        raise click.BadParameter('extents are written as "1,1,28,28"', context, parameter)
    return tuple(int(word) for word in words)


def tolerance_of(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Return a tolerance that a test can pass and fail."""
    if value is not None and not 0 <= value < inf:
        raise click.BadParameter("a tolerance is a number from 0 on", context, parameter)
    return value


@click.command()
@click.argument("source", metavar="IN.bpk", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("target", metavar="OUT.bpk", type=click.Path(path_type=Path))
@click.option("--module", metavar="FILE:CLASS", help="The model, unless IN is a quantized one.")
@click.option("--shape", callback=shape_of, help='Of an input, as "1,1,28,28": noise from 0 to 1 is made.')
@click.option("--cases", type=click.IntRange(1, 1000), help="How many to make, or to take of each FILE.npy.")
@click.option(
    "--input",
    "inputs",
    metavar="FILE.npy",
    multiple=True,
    help="An input, its batch first; with --cases N, the first N of an array (count, ...).",
)
@click.option(
    "--tolerance",
    type=float,
    callback=tolerance_of,
    help="How far a number may be off: 1e-4 if not given, and 0 where all is computed in integers.",
)
@click.option("--overwrite", is_flag=True, help="Replace OUT if it exists.")
def golden(
    source: Path,
    target: Path,
    module: str | None,
    shape: tuple[int, ...] | None,
    cases: int | None,
    inputs: tuple[str, ...],
    tolerance: float | None,
    overwrite: bool,
) -> None:
    """Put inputs, and what the model answers here, into a .bpk, for the self-test on a board.

    A quantized model needs no --module, and without --input any numbers within its range are made.
    """
    with MappedFile(source) as mapped:
        check_burnpack(mapped.view, str(source))
        reader = Reader.from_static(bytes(mapped.view), source=str(source))
    if is_quantized(reader):
        if module or shape:
            raise click.UsageError("a quantized model brings its own: leave out --module and --shape")
        given = _loaded(inputs, cases) or _any_inputs(reader, cases or 1)
        tensors, scalars = with_quantized_golden(reader, given, tolerance)
    else:
        if not module or bool(inputs) == bool(shape):
            raise click.UsageError("--module, and either --shape or --input, are needed")
        given = _loaded(inputs, cases) or _noise(shape or (), cases or 1)
        usual = DEFAULT_TOLERANCE if tolerance is None else tolerance
        tensors, scalars = with_golden(reader, load_runnable(module), given, usual)
    kept = [(name, value) for name, value in reader.scalars() if not name.startswith(PREFIX)]
    save_burnpack(target, tensors, reader.metadata(), kept + scalars, overwrite)
    added = "1 case" if len(given) == 1 else f"{len(given)} cases"
    click.echo(f"{target}: {added} of a self-test added")


def _loaded(paths: tuple[str, ...], cases: int | None) -> list[NDArray[Any]]:
    """Return the inputs in the files: the arrays, or the first `cases` in each, with a batch of their own."""
    found = []
    for path in paths:
        array = load_array(path)
        if not array.ndim or array.dtype.kind not in "fiub":
            what = "an input is an array of real numbers, its batch first"
            raise InvalidTensor(what, None, path, found=f"{list(array.shape)} {array.dtype}")
        taken = [array]
        if cases is not None:
            taken = [array[place : place + 1] for place in range(min(cases, len(array)))]
        for given in taken:
            _check_finite(given, path)
        found += taken
    return found


def _check_finite(given: NDArray[Any], path: str) -> None:
    with np.errstate(over="ignore"):
        numbers = given.astype(np.float32)
    if not np.isfinite(numbers).all():
        raise InvalidTensor("an input with a number that is not finite in 32 bits", None, path)


def _any_inputs(reader: Reader, cases: int) -> list[NDArray[Any]]:
    model = Model(reader)
    return [any_input(model, SEED + case) for case in range(cases)]


def _noise(shape: tuple[int, ...], cases: int) -> list[NDArray[Any]]:
    generator = np.random.default_rng(SEED)
    try:
        return [generator.random(shape, np.float32) for _ in range(cases)]
    except (ValueError, MemoryError) as error:
        raise InvalidTensor(f"no input of this shape can be made: {error}", found=shape) from error
