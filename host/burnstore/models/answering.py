"""A model, run on arrays: what it answers to each row."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.module import Module
from burnrt import Model
from burnstore.io.files import PathLike
from burnstore.models.comparison import answered, as_rows, rows_apart
from burnstore.models.given import Arrays
from burnstore.models.loaded import load_model
from burnstore.models.program import load_program
from burnstore.models.running import Answers

Runnable = Model | Module


def run(
    model: PathLike | bytes | Runnable, *inputs: Any
) -> NDArray[np.float32] | tuple[NDArray[np.float32], ...]:
    """Return what a model answers, computed with numpy: an array, or of a model with several outputs a tuple.

    model: a .bpk with a program, by its path or as bytes, or a loaded `burnrt.Model` or `burnrt.nn.Module`.
    inputs: an array each, the batch first. Where the program is of a batch of 1, each row is run apart. A
        model with states begins with zeros, and the rows are one stream.

    Raises `BurnpackError` for a file without a program, and for inputs of another number or shape.
    """
    runnable = _loaded(model)
    found = answers(runnable, [np.asarray(each) for each in inputs])
    return found[0] if len(found) == 1 else tuple(found)


def answers(model: Runnable, inputs: Arrays) -> Answers:
    """Return the answers of a loaded model to all rows of its inputs, in order."""
    given = as_rows(model, [inputs])
    cases = answered(model, given, rows_apart(model, given))
    return [np.concatenate(rows) for rows in zip(*cases, strict=True)] if len(cases) > 1 else cases[0]


def _loaded(model: PathLike | bytes | Runnable) -> Runnable:
    if isinstance(model, (Model, Module)):
        return model
    if isinstance(model, (bytes, bytearray, memoryview)):
        return load_program(bytes(model))
    found: Runnable = load_model(model, None)
    return found
