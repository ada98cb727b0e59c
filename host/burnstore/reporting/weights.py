"""Sizes and histograms of a file's tensors, which are read one at a time."""

from collections.abc import Iterator

import numpy as np

from burnpack.tensor import Tensor
from burnstore.io.beside import is_beside
from burnstore.io.container import Container
from burnstore.numerics.arrays import array_from_tensor
from burnstore.reporting import charts
from burnstore.reporting.markup import note, section

_BARS = 60
_HISTOGRAMS = 48


def sizes(container: Container) -> str:
    """Return the section on the bytes of each layer, the largest first."""
    layers: dict[str, int] = {}
    for tensor in container:
        name = tensor.name if is_beside(tensor.name) else tensor.name.rpartition(".")[0] or tensor.name
        layers[name] = layers.get(name, 0) + tensor.nbytes
    rows = sorted(layers.items(), key=lambda row: (-row[1], row[0]))
    if not rows:
        return section("Size by layer", note("The file has no tensors."))
    left = rows[_BARS:]
    if left:
        rows = [*rows[:_BARS], (f"{len(left)} others", sum(size for _, size in left))]
    return section("Size by layer", charts.bars(rows))


def histograms(container: Container) -> str:
    """Return the section on how the numbers of weights spread: of the largest, where there are many."""
    tensors = [tensor for tensor in container if not is_beside(tensor.name)]
    largest = sorted(tensors, key=lambda tensor: (-tensor.nbytes, tensor.name))[:_HISTOGRAMS]
    parts = [part for tensor in largest for part in _histogram(tensor)]
    said = "Of quantized weights, the numbers that they stand for."
    if len(tensors) > len(largest):
        said += f" The {len(largest)} largest of {len(tensors)} tensors are shown."
    return section("Weights", note(said), f'<div class="grid">{"".join(parts)}</div>')


def _histogram(tensor: Tensor) -> Iterator[str]:
    array = array_from_tensor(tensor)
    if array.dtype.kind == "V":  # of ml_dtypes, as bfloat16
        array = array.astype(np.float32)
    if array.dtype.kind in "fiub":
        yield charts.histogram(tensor.name, array.reshape(-1).astype(np.float64), f", {tensor.dtype}")
