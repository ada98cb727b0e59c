"""Samples and labels, checked before anything is computed."""

from typing import Any

from numpy.typing import NDArray

from burnpack.errors import InvalidTensor


def check_samples(samples: NDArray[Any], shape: tuple[int, ...] | None = None) -> None:
    """Refuse what is no array of samples: (count, ...) real numbers, one sample at least, each of `shape`."""
    if samples.dtype.kind not in "fiub":
        raise InvalidTensor("samples must be real numbers", "the samples", found=samples.dtype)
    if samples.ndim < 2 or not samples.size:
        what = "an array of samples is (count, ...): a row for each, one at least"
        raise InvalidTensor(what, "the samples", found=list(samples.shape))
    if shape is not None and samples.shape[1:] != shape:
        raise of_another_shape(samples, shape)


def of_another_shape(samples: NDArray[Any], shape: tuple[int, ...]) -> InvalidTensor:
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
