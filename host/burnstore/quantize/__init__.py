"""Quantizing: from a model in floats to one in integers, as `burnrt.Model` runs it on a board.

reference  the same pass in floats, over samples
ranges     of each value's numbers
calibrate  what each value's bytes stand for
weights, rescale, memory   integers; `burnstore.programs.integers` says what a file holds of them
integer    the program, run here
measure, report   what it costs
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from burnpack.errors import BurnpackError, InvalidTensor
from burnpack.module import Module
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnrt.memory import SPARE
from burnstore.graph.fold import fold_scales
from burnstore.graph.fuse import fuse_clips
from burnstore.graph.layers import integer_network
from burnstore.graph.matrices import fold_moves
from burnstore.graph.network import Network
from burnstore.programs.integers import Program, program_of
from burnstore.quantize.calibrate import Bytes, all_bytes
from burnstore.quantize.integer import IntegerRun
from burnstore.quantize.ranges import ranges
from burnstore.quantize.reference import Reference
from burnstore.quantize.samples import check_samples, of_another_shape
from burnstore.quantize.weights import PER


@dataclass(frozen=True, repr=False)
class Quantized:
    """A quantized model: what its file holds, and what it was made from.

    program: what the file holds.
    network: the operations that the integers stand for.
    known: what the bytes of each value stand for, by the value's number in the network.
    reference: the model in floats.
    """

    program: Program
    network: Network
    known: dict[int, Bytes]
    reference: Reference

    @property
    def tensors(self) -> list[Tensor]:
        """The tensors, in the order in which they must be saved."""
        return self.program.tensors

    @property
    def metadata(self) -> list[tuple[str, str]]:
        """The metadata that the file must have, as (key, value) texts."""
        return self.program.form.metadata()

    @property
    def scalars(self) -> list[tuple[str, Any]]:
        """The scalars that the file must have, as (name, value)."""
        return self.program.scalars

    @property
    def arena(self) -> int:
        """The bytes of a plan's arena."""
        return self.program.form.arena + SPARE

    def to_bytes(self) -> bytes:
        """Return a Burnpack with the model alone."""
        found: bytes = self._writer().to_bytes()
        return found

    def _writer(self) -> Writer:
        return Writer(self.tensors, self.metadata, self.scalars)

    def __repr__(self) -> str:
        steps, size = len(self.network.operations), self._writer().size
        return f"Quantized({steps} steps, {size:,} bytes, arena {self.arena:,})"


def quantize_model(
    model: Module, samples: ArrayLike, percentile: float | None = None, per: str = "channel"
) -> Quantized:
    """Return a loaded model in integers.

    model: a `burnrt.nn.Module` with its weights.
    samples: (count, ...) numbers as the model is given them, without a batch each; what flows through it for
        these says what the integers must reach.
    percentile: how much of the numbers of a value is within its range, as 99.99; None: all of them.
    per: "channel" for a scale for each output channel of a weight, "tensor" for one.

    Raises `Unsupported` for what integers are not made for, `InvalidTensor` for numbers that can't be used.
    """
    if per not in PER:
        raise InvalidTensor("scales are per one of these", expected=" ".join(PER), found=per)
    if percentile is not None and not 50 < percentile <= 100:
        raise InvalidTensor("not a percentile", expected="more than 50, at most 100", found=percentile)
    given = np.asarray(samples)
    check_samples(given)
    reference = _reference(model, given)
    made = integer_network(reference.graph)
    fold_scales(made)
    fuse_clips(made)
    fold_moves(made)
    known = all_bytes(made, ranges(reference, given, percentile, made.output))
    quantized = Quantized(program_of(made, known, per), made, known, reference)
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
