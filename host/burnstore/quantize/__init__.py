"""Quantizing: from a model in floats to one in integers, as `burnrt.Model` runs it on a board.

reference  the same pass in floats, over samples
ranges     of each value's numbers
calibrate  what each value's bytes stand for
weights, rescale, memory   integers; `burnstore.programs.integers` says what a file holds of them
mixed      weights of 4 bits, for all layers or those that lose least
integer    the program, run here
measure, report   what it costs
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from burnpack.errors import BurnpackError, InvalidTensor
from burnpack.module import Module
from burnstore.graph.fold import fold_scales
from burnstore.graph.fuse import fuse_clips
from burnstore.graph.layers import integer_network
from burnstore.graph.matrices import fold_moves
from burnstore.programs.integers import program_of
from burnstore.quantize.calibrate import all_bytes
from burnstore.quantize.integer import IntegerRun
from burnstore.quantize.mixed import BITS, MIXED, all_packed, of_size
from burnstore.quantize.quantized import Quantized
from burnstore.quantize.ranges import ranges
from burnstore.quantize.reference import Reference
from burnstore.quantize.samples import check_samples, of_another_shape
from burnstore.quantize.weights import PER


def quantize_model(
    model: Module,
    samples: ArrayLike,
    percentile: float | None = None,
    per: str = "channel",
    bits: int | str = 8,
    size: int | None = None,
    size_of: Callable[[Quantized], int] = lambda quantized: quantized.size,
) -> Quantized:
    """Return a loaded model in integers.

    model: a `burnrt.nn.Module` with its weights.
    samples: (count, ...) numbers as the model is given them, without a batch each; what flows through it for
        these says what the integers must reach.
    percentile: how much of the numbers of a value is within its range, as 99.99; None: all of them.
    per: "channel" for a scale for each output channel of a weight, "tensor" for one.
    bits: of a weight, 8 or 4, the latter where a layer can have them; "mixed": 4 for as many layers as a file
        of `size` bytes asks for, those that lose least on the samples.
    size_of: how many bytes the file of a model has, where it holds more than the model.

    Raises `Unsupported` for what integers are not made for, `InvalidTensor` for numbers that can't be used.
    """
    if per not in PER:
        raise InvalidTensor("scales are per one of these", expected=" ".join(PER), found=per)
    if percentile is not None and not 50 < percentile <= 100:
        raise InvalidTensor("not a percentile", expected="more than 50, at most 100", found=percentile)
    if str(bits) not in BITS:
        raise InvalidTensor("weights have one of these bits", expected=" ".join(BITS), found=bits)
    if (bits == MIXED) != (size is not None):
        raise InvalidTensor("a size is given with mixed bits, and only with them", found=size)
    given = np.asarray(samples)
    check_samples(given)
    reference = _reference(model, given)
    made = integer_network(reference.graph)
    fold_scales(made)
    fuse_clips(made)
    fold_moves(made)
    known = all_bytes(made, ranges(reference, given, percentile, made.output))
    quantized = Quantized(program_of(made, known, per), made, known, reference)

    def remade() -> Quantized:
        return replace(quantized, program=program_of(made, known, per))

    if size is not None:
        quantized = of_size(quantized, remade, given, size, size_of)
    elif str(bits) == "4":
        quantized = all_packed(quantized, remade)
    IntegerRun(quantized.to_bytes())  # it is checked as on a board
    return quantized


def _reference(model: Module, samples: NDArray[Any]) -> Reference:
    try:
        return Reference(model, samples.shape[1:])
    except BurnpackError:
        if _takes(model, samples.shape):  # all of it is one sample
            raise of_another_shape(samples, samples.shape) from None
        raise


def _takes(model: Module, shape: tuple[int, ...]) -> bool:
    try:
        Reference(model, shape)
    except BurnpackError:
        return False
    return True
