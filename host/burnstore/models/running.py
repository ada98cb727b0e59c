"""Running a model of the user's on this computer, and telling in one line what goes wrong in it."""

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import BurnpackError, InvalidTensor, LoadFailed, Unsupported, printable
from burnpack.module import Module
from burnrt import Model, tensor
from burnrt.value import Value
from burnstore.models.program import arrays_of

Answers = list[NDArray[np.float32]]
STREAM = "the model has states: rows are run in order, as one stream, which begins with zeros"
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def inputs_of(model: Any) -> int | None:
    """Return how many inputs a model must be given; None where any number will do. Raises `LoadFailed`."""
    if isinstance(model, Model):
        return len(model.inputs)
    least, most = _bounds(model)
    return least if least or most < sys.maxsize else None


def input_names(model: Any) -> list[str]:
    """Return the names of a model's inputs, in order: as it says them, or those of `forward`'s parameters."""
    told = _told_names(model)
    return [parameter.name for parameter in _parameters(model)[0]] if told is None else told


def check_count(model: Any, found: int) -> None:
    """Refuse another number of inputs than the model takes. Raises `InvalidTensor`."""
    least, most = _bounds(model)
    if not least <= found <= most:
        expected = str(least) if least == most else f"{least} to {most}"
        if most == sys.maxsize:
            expected = f"{least} or more"
        name = type(model).__name__
        raise InvalidTensor("the model takes another number of inputs", name, expected=expected, found=found)


def begin(model: Any) -> None:
    """Make the states of a model zeros, where it has any: what is answered next depends on no run before."""
    if has_states(model):
        model.reset()


def has_states(model: Any) -> bool:
    """Tell whether a run of a model leaves something to the next."""
    return isinstance(model, Model) and bool(model.states)


def answers_of(model: Callable[..., Any], inputs: Sequence[NDArray[Any]]) -> Answers:
    """Return the arrays that a loaded model answers with, in order. inputs: each with its batch first."""
    check_count(model, len(inputs))
    if isinstance(model, Model):
        return arrays_of(model(*[np.asarray(array, np.float32) for array in inputs]))
    with told_of(model):
        given = [tensor(np.ascontiguousarray(array, np.float32)) for array in inputs]
        return [np.asarray(value, np.float32) for value in values(model(*given))]


def values(answer: object) -> list[Value]:
    """Return the values that a model answers with, in order: it is one, or a tuple or list of such answers.

    Raises `Unsupported` for anything else.
    """
    if isinstance(answer, Value):
        return [answer]
    if not isinstance(answer, (tuple, list)):
        what = "a model answers with a value, or a tuple or list of values"
        raise Unsupported(what, "the answer", found=type(answer).__name__)
    return [value for part in answer for value in values(part)]


@contextmanager
def told_of(model: object) -> Iterator[None]:
    """Turn whatever a model's forward pass raises within into one `BurnpackError`."""
    try:
        with np.errstate(all="ignore"):  # what is not finite shows in the answer
            yield
    except (BurnpackError, MemoryError):
        raise
    except Exception as error:
        what = printable(f"its forward pass fails: {type(error).__name__}: {error}")
        raise LoadFailed(what, type(model).__name__) from error


def _bounds(model: Any) -> tuple[int, int]:
    """Return how many inputs the model must be given, and how many it can be."""
    if isinstance(model, Model):
        return len(model.inputs), len(model.inputs)
    told = _told_names(model)
    if told is not None:
        return len(told), len(told)
    given, any_number = _parameters(model)
    least = sum(parameter.default is parameter.empty for parameter in given)
    return least, sys.maxsize if any_number else len(given)


def _told_names(model: Any) -> list[str] | None:
    return getattr(model, "input_names", None)


def _parameters(model: Any) -> tuple[list[inspect.Parameter], bool]:
    """Return what a model's `forward` takes, and whether it takes any number besides."""
    kind = type(model)  # whose own method it is, whatever has been put before it
    forward = getattr(kind, "forward", None if isinstance(model, Module) else kind.__call__)
    if forward is None:
        what = "has no forward pass: it must be of the layers in burnrt.nn"
        raise LoadFailed(what, kind.__name__)
    _, *parameters = inspect.signature(forward).parameters.values()
    given = [parameter for parameter in parameters if parameter.kind in _POSITIONAL]
    return given, any(parameter.kind == parameter.VAR_POSITIONAL for parameter in parameters)
