"""Samples and labels, checked before anything is computed."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import InvalidTensor

# Of each input, in order, an array (count, ...): a row for each sample.
Samples = tuple[NDArray[Any], ...]
Shape = tuple[int, ...]


def samples_of(given: Any) -> Samples:
    """Return samples that were given as one array, or of several inputs as a tuple of arrays; checked."""
    found = tuple(map(np.asarray, given)) if isinstance(given, tuple) else (np.asarray(given),)
    if not found:
        raise InvalidTensor("there are none", "the samples")
    for array in found:
        check_samples(array)
    _check_counts(found)
    return found


def _check_counts(samples: Samples) -> None:
    counts = [len(array) for array in samples]
    if len(set(counts)) != 1:
        raise InvalidTensor("not as many samples of one input as of another", "the samples", found=counts)


def check_samples(samples: NDArray[Any]) -> None:
    """Refuse what is no array of samples: (count, ...) real numbers, one sample at least."""
    if samples.dtype.kind not in "fiub":
        raise InvalidTensor("samples must be real numbers", "the samples", found=samples.dtype)
    if samples.ndim < 2 or not samples.size:
        what = "an array of samples is (count, ...): a row for each, one at least"
        raise InvalidTensor(what, "the samples", found=list(samples.shape))


def whole(samples: Samples, shapes: Sequence[Shape]) -> Samples:
    """Return samples each as an input of its shape: (count, *shape).

    shapes: of the inputs, the batch first. A sample may leave out a batch of one, and a whole input may stand
    for one sample, unless its first extent is one. Raises `InvalidTensor` for others.
    """
    if len(samples) != len(shapes):
        what = "the model takes another number of inputs (--state says which are states)"
        raise InvalidTensor(what, "the samples", expected=len(shapes), found=len(samples))
    found = tuple(_whole(array, shape) for array, shape in zip(samples, shapes, strict=True))
    _check_counts(found)
    return found


def _whole(array: NDArray[Any], shape: Shape) -> NDArray[Any]:
    if (1, *array.shape[1:]) == shape or array.shape[1:] == shape:
        return array.reshape(len(array), *shape)
    if array.shape == shape:
        return array[None]
    raise of_another_shape(array, shape[1:] if shape[:1] == (1,) else shape)


def of_another_shape(samples: NDArray[Any], shape: Shape) -> InvalidTensor:
    """Return the error on samples that are not each of `shape`."""
    what = f"samples are (count, {', '.join(map(str, shape))})"
    return InvalidTensor(what, "the samples", found=list(samples.shape))


def check_labels(labels: NDArray[Any], samples: int, classes: int) -> None:
    """Refuse what is no array of labels: (samples) whole numbers, each below `classes`."""
    if labels.dtype.kind not in "iu" or labels.shape != (samples,):
        expected, found = f"{samples} whole numbers", f"{list(labels.shape)} {labels.dtype}"
        raise InvalidTensor("not a label for each sample", "the labels", expected=expected, found=found)
    wrong = labels[(labels < 0) | (labels >= classes)]
    if len(wrong):
        expected = f"0 to {classes - 1}"
        raise InvalidTensor(
            "a label that the model has no answer for", "the labels", expected=expected, found=wrong[0]
        )
