"""The program that a model's file has, found and run on this computer."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import BurnpackError
from burnrt import Model
from burnrt.model import Answer
from burnstore.io.beside import STEPS_KEY
from burnstore.io.container import Container
from burnstore.programs.uses import NO_PROGRAM as NO_PROGRAM
from burnstore.programs.uses import Uses, uses_of


def steps_of(container: Container) -> list[tuple[str, str]]:
    """Return (kernel, layer) of each step, as the metadata has them; none of a file without a program."""
    lines = dict(container.metadata()).get(STEPS_KEY, "").splitlines()
    return [(kernel, name) for kernel, _, name in (line.partition(" ") for line in lines)]


def is_quantized(container: Container) -> bool:
    """Tell whether a file has a program that computes with integers."""
    return any(kernel.startswith("int8.") for kernel, _ in steps_of(container))


def load_program(data: bytes | memoryview, source: str | None = None) -> Model:
    """Return the model in the bytes of a file with a program. source: what errors call it.

    Raises `Malformed` for a program that can't be run.
    """
    try:
        return Model(data)
    except BurnpackError as error:
        raise error.within(source) from None


def uses_of_runnable(container: Container, data: bytes | memoryview) -> Uses:
    """Return what the program in an opened file calls. data: the file's bytes.

    Raises `NotFound` for a file without one, `Malformed` for one that boards would refuse.
    """
    uses = uses_of(container)
    load_program(data, container.source)
    return uses


def is_integer(model: Any) -> bool:
    """Tell whether a model answers with bytes, which stand for steps of a scale."""
    return isinstance(model, Model) and model.outputs[0].scale is not None


def arrays_of(answer: Answer | tuple[Answer, ...]) -> list[NDArray[np.float32]]:
    """Return what a program answers as arrays, in order."""
    answers = answer if isinstance(answer, tuple) else (answer,)
    return [np.asarray(each.data, np.float32).reshape(each.shape) for each in answers]
