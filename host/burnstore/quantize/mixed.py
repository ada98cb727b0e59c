"""Weights of 4 bits: which layers can have them, and which of them to choose for a file of a given size.

A layer's loss is by how much the mean square of the answers' errors grows when it alone has 4 bits. Those go
first that lose least for each byte that they save.
"""

from bisect import bisect_left
from collections.abc import Callable
from math import prod
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import Unsupported
from burnpack.layout import ALIGNMENT
from burnrt.words import packed_size
from burnstore.graph.network import Network
from burnstore.graph.operations import Convolution, Linear, Operation
from burnstore.numerics.few_bits import Moments
from burnstore.quantize.errors import loss
from burnstore.quantize.quantized import Quantized
from burnstore.quantize.reference import Reference
from burnstore.quantize.samples import Samples

MIXED = "mixed"
BITS = ("8", "4", MIXED)

_EXTENT_MOST = 32767  # of places and numbers of one: see `burnrt.checks.integers.packed`
_MOMENTS_MOST = 2048  # inputs: the moments are a matrix of so many rows and columns
_ONE = (1, 1)

Packable = Linear | Convolution
Remade = Callable[[], Quantized]


def is_packable(operation: Operation) -> TypeGuard[Packable]:
    """Tell whether a layer can have weights of 4 bits, and these take fewer bytes than those of 8.

    It is a Linear, or a convolution of single numbers, with an output for each place. What has a scale for
    each channel in any case is no layer of the user's, and what PyTorch has quantized keeps its bytes.
    """
    if not isinstance(operation, Linear | Convolution) or operation.per is not None:
        return False
    if operation.scales is not None or _saved(operation) <= 0:
        return False
    if isinstance(operation, Linear):
        return operation.rows <= _EXTENT_MOST
    window = operation.window
    is_pointwise = (window.kernel, window.stride, window.padding) == (_ONE, _ONE, (0, 0))
    every_place = window.out_size == window.size and prod(window.size) <= _EXTENT_MOST
    return operation.groups == 1 and is_pointwise and every_place


def _saved(operation: Packable) -> int:
    """Return the bytes that weights of 4 bits are smaller by."""
    outputs, inputs = operation.weight.shape[:2]
    return int(outputs * (inputs - packed_size(inputs)))


def all_packed(quantized: Quantized, remade: Remade) -> Quantized:
    """Return the model with 4 bits for all layers that can have them. Raises `Unsupported` where none can."""
    _give(_packable(quantized), 4)
    return remade()


def of_size(
    quantized: Quantized,
    remade: Remade,
    samples: Samples,
    size: int,
    size_of: Callable[[Quantized], int],
) -> Quantized:
    """Return the model with 4 bits for as many layers as a file of a size asks for, those that lose least.

    quantized: with 8 bits for all. remade: makes it anew of the same network. samples: that tell the losses.
    size_of: the bytes of a model's file. Raises `Unsupported` where the file can't be so small.
    """
    if size_of(quantized) <= size:
        return quantized
    layers = _packable(quantized)
    least = size_of(all_packed(quantized, remade))
    if least > size:
        raise Unsupported("the file can't be so small", expected=f"{least} bytes at least", found=size)
    _give(layers, 8)
    losses = dict(zip(layers, _losses(quantized, remade, samples, layers), strict=True))
    ranked = sorted(layers, key=lambda layer: losses[layer] / _saved(layer))

    def of_first(count: int) -> Quantized:
        _give(layers, 8)
        _give(ranked[:count], 4)
        return remade()

    counts = range(1, len(ranked) + 1)
    count = counts[
        bisect_left(counts, True, hi=len(counts) - 1, key=lambda count: size_of(of_first(count)) <= size)
    ]
    chosen = sorted(ranked[:count], key=lambda layer: -losses[layer])
    return _without_needless(of_first(count), remade, chosen, size, size_of)


def _without_needless(
    quantized: Quantized,
    remade: Remade,
    chosen: list[Packable],
    size: int,
    size_of: Callable[[Quantized], int],
) -> Quantized:
    """Return the model with 8 bits again for what larger layers, chosen later, made needless."""
    for layer in chosen:
        if size_of(quantized) + _saved(layer) - ALIGNMENT >= size:
            continue  # whatever is left between tensors, it would not fit
        _give([layer], 8)
        found = remade()
        if size_of(found) <= size:
            quantized = found
        else:
            _give([layer], 4)
    return quantized


def _packable(quantized: Quantized) -> list[Packable]:
    found = _all_packable(quantized.network)
    if not found:
        what = "no layer can have weights of 4 bits: only a Linear and a convolution of single numbers can"
        raise Unsupported(what + ", and PyTorch's own integers stay as they are")
    return found


def _all_packable(network: Network) -> list[Packable]:
    return [each for each in network.operations if is_packable(each) and each.output not in network.wide]


def note_moments(network: Network, reference: Reference, samples: Samples) -> None:
    """Note the moments of the inputs of all layers that can have weights of 4 bits."""
    layers = [each for each in _all_packable(network) if each.weight.shape[1] <= _MOMENTS_MOST]
    for _, values in reference.values(samples):
        for layer in layers:
            layer.moments = layer.moments or Moments(layer.weight.shape[1])
            layer.moments.add(_in_rows(layer, values[network.followed(layer.inputs[0])]))


def _in_rows(layer: Packable, numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what comes in over some samples: (places, inputs)."""
    inputs = layer.weight.shape[1]
    if isinstance(layer, Linear):
        return numbers.reshape(-1, inputs)
    return numbers.reshape(len(numbers), inputs, -1).swapaxes(1, 2).reshape(-1, inputs)


def _give(layers: list[Packable], bits: int) -> None:
    for layer in layers:
        layer.bits = bits


def _losses(quantized: Quantized, remade: Remade, samples: Samples, layers: list[Packable]) -> list[float]:
    """Return each layer's loss, see above."""
    before, found = loss(quantized, samples), []
    for layer in layers:
        _give([layer], 4)
        found.append(loss(remade(), samples) ** 2 - before**2)
        _give([layer], 8)
    return found
