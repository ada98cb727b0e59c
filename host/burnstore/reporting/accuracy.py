"""How many answers are right, or as the model in floats has them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnstore.models.comparison import answered
from burnstore.reporting.markup import note, section, table

_CLASSES = 40  # of a confusion matrix


def section_of(
    answers: Sequence[NDArray[Any]], samples: Sequence[NDArray[Any]], labels: NDArray[Any] | None, floats: Any
) -> str:
    """Return the section on answers. floats: the model to compare with, or None."""
    found, parts = _largest(answers), []
    before = None
    if floats is not None:
        before = _largest([each[0] for each in answered(floats, [list(samples)], len(answers))])
        parts.append(f"<p>same answer as the model in floats: {_part(found == before)}</p>")
    if labels is not None:
        if before is not None:
            parts.append(f"<p>right in floats: {_part(before == labels)}</p>")
        parts.append(f"<p>right: {_part(found == labels)}</p>")
        parts.append(_confusion(found, labels, answers[0].size))
    return section("Accuracy", note(f"{len(answers):,} samples were run."), *parts)


def _largest(answers: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    return np.array([int(np.argmax(each)) for each in answers], np.int64)


def _part(right: NDArray[np.bool_]) -> str:
    return f"{int(right.sum()):,} of {right.size:,} ({100 * right.mean():.2f} %)"


def _confusion(found: NDArray[np.int64], labels: NDArray[Any], classes: int) -> str:
    if classes > _CLASSES:
        return note(f"The confusion matrix of {classes} classes is left out.")
    counts = np.zeros((classes, classes), np.int64)
    np.add.at(counts, (labels.astype(np.int64), found), 1)
    heads = ["label, and answer →", *map(str, range(classes))]
    return table(heads, ((str(row), *each) for row, each in enumerate(counts.tolist())))
