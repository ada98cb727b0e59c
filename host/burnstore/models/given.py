"""A model's inputs, and answers from elsewhere, out of files.

A .npy file holds one array. In a file whose arrays have names (.npz, .safetensors, or any other that can be
opened), input0, input1, ... are the model's inputs in order, and output0, output1, ... its answers.

Files are taken in order. One with names is a case; arrays of .npy files are dealt out to cases, to each as
many as the model takes, or answers with.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.dtype import FLOAT, kind
from burnpack.errors import BurnpackError, InvalidTensor, NotFound, UnknownFormat
from burnpack.tensor import Tensor
from burnstore.io.files import MappedFile, PathLike
from burnstore.io.npy import MAGIC, load_array
from burnstore.io.npz import NpzFile
from burnstore.io.opened import open_view
from burnstore.io.sniff import is_zip
from burnstore.numerics.arrays import array_from_tensor

INPUT, OUTPUT = "input", "output"

Arrays = list[NDArray[Any]]
_SHOWN = 8  # names of arrays, in an error


def cases_in(paths: Sequence[PathLike], role: str, size: int | None) -> list[Arrays]:
    """Return the arrays of each case. role: `INPUT` or `OUTPUT`. size: how many a case has; None: all.

    Raises `BurnpackError` for what is no array of real numbers, and where the .npy files don't come out even.
    """
    found: list[Arrays] = []
    loose: Arrays = []
    for path in paths:
        named = named_arrays(path, role)
        if named is not None:
            found.append(named)
            continue
        loose.append(load_array(path))
        if len(loose) == size:
            found.append(loose)
            loose = []
    if loose and size is not None:
        what = f"{len(loose)} too many or {size - len(loose)} too few: a case has {size} of them"
        raise InvalidTensor(what, f"the files of {role}s")
    return [*found, loose] if loose else found


def files_with_answers(paths: Sequence[str]) -> list[str]:
    """Return those of the files that hold answers beside inputs."""
    return [path for path in paths if named_arrays(path, OUTPUT, needed=False)]


def load_samples(path: PathLike) -> tuple[NDArray[Any], ...]:
    """Return the array in a .npy, or all inputs in a file with names."""
    named = named_arrays(path, INPUT)
    return (load_array(path),) if named is None else tuple(named)


def load_input(path: PathLike) -> NDArray[Any]:
    """Return the array in a .npy, or the only input in a file with names."""
    named = named_arrays(path, INPUT)
    if named is not None and len(named) != 1:
        raise InvalidTensor(
            "several inputs, where one is wanted", source=str(path), expected=1, found=len(named)
        )
    return load_array(path) if named is None else named[0]


def named_arrays(path: PathLike, role: str, needed: bool = True) -> Arrays | None:
    """Return the arrays of a role in a file with names, in order; None for a .npy file.

    needed: whether there must be one.
    """
    with MappedFile(path) as mapped:
        if not mapped.view or bytes(mapped.view[: len(MAGIC)]) == MAGIC:
            return None
        try:
            return _of_role(mapped.view, str(path), role, needed)
        except BurnpackError as error:
            raise error.within(str(path)) from error


def in_rows(cases: Sequence[Arrays], most: int | None) -> list[Arrays]:
    """Return the first rows of each case's arrays as cases with a batch of one; None leaves all as it is."""
    if most is None:
        return list(cases)
    return [row for arrays in cases for row in _rows(arrays, most)]


def answers_in_rows(inputs: Sequence[Arrays], answers: Sequence[Arrays], most: int | None) -> list[Arrays]:
    """Return the answers to the same rows. Raises `InvalidTensor` where there are not as many of them."""
    if most is None or len(inputs) != len(answers):  # which is told where they are compared
        return list(answers)
    together = [[*given, *wanted] for given, wanted in zip(inputs, answers, strict=True)]
    sizes = [len(given) for given in inputs for _ in _rows(given, most)]
    return [row[size:] for row, size in zip(in_rows(together, most), sizes, strict=True)]


def check_inputs(arrays: Arrays) -> None:
    """Refuse inputs that 32-bit floats can't hold, or that have no numbers. Raises `InvalidTensor`."""
    for place, array in enumerate(arrays):
        item = f"input {place}"
        if not array.ndim or not array.size or array.dtype.kind not in "fiub":
            what = "an input is an array of real numbers, its batch first, one at least"
            raise InvalidTensor(what, item, found=f"{list(array.shape)} {array.dtype}")
        with np.errstate(over="ignore"):
            numbers = array.astype(np.float32)
        if not np.isfinite(numbers).all():
            raise InvalidTensor("an input with a number that is not finite in 32 bits", item)
        if array.dtype.kind in "iu" and (numbers != array).any():
            raise InvalidTensor("an input with a whole number that 32-bit floats don't hold", item)


def _rows(arrays: Arrays, most: int) -> list[Arrays]:
    counts = sorted({len(array) if array.ndim else 0 for array in arrays})
    if len(counts) != 1:
        what = "inputs and answers must have as many rows as one another"
        raise InvalidTensor(what, "the arrays", found=counts)
    return [[array[row : row + 1] for array in arrays] for row in range(min(most, counts[0]))]


def _of_role(view: memoryview, source: str, role: str, needed: bool) -> Arrays:
    try:
        names, arrays = _opened(view, source)
    except BurnpackError as error:
        raise UnknownFormat(f"not an array that is read: {error.what}", error.item, source=source) from error
    wanted = _wanted(names, role)
    if needed and not wanted:
        found = ", ".join(names[:_SHOWN]) or "none"
        raise NotFound(f"not an array, nor a file with one called {role}0", source=source, found=found)
    return arrays(wanted)


def _opened(view: memoryview, source: str) -> tuple[list[str], Callable[[list[str]], Arrays]]:
    """Return the names of the arrays in a file, and what returns those of some names."""
    if is_zip(view):
        npz = NpzFile(view, source)
        names = npz.names()
        if names:
            return names, npz.arrays
    container = open_view(view, source)
    return container.names(), lambda names: [_array(container.tensor(name)) for name in names]


def _wanted(names: Sequence[str], role: str) -> list[str]:
    """Return the names of a role, by their numbers; raises `NotFound` for one that is left out."""
    numbered = {name for name in names if re.fullmatch(role + "[0-9]+", name)}
    wanted = [f"{role}{number}" for number in range(len(numbered))]
    missing = [name for name in wanted if name not in numbered]
    if missing:
        raise NotFound("left out, though later ones are there", missing[0], found=", ".join(sorted(numbered)))
    return wanted


def _array(tensor: Tensor) -> NDArray[Any]:
    array = array_from_tensor(tensor)
    narrow = array.dtype.kind == "V" and kind(tensor.dtype) == FLOAT  # as bfloat16, which ml_dtypes has
    array = array.astype(np.float32) if narrow else array
    if array.dtype.kind not in "fiub":
        raise InvalidTensor("not an array of real numbers", tensor.name, found=tensor.dtype)
    return array
