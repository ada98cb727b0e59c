"""A quantized model: what its file holds, and what it was made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnrt.memory import SPARE
from burnstore.graph.network import Network
from burnstore.programs.integers import Program
from burnstore.quantize.calibrate import Bytes
from burnstore.quantize.fit import Fit
from burnstore.quantize.reference import Reference

KEPT = "kept"  # the method that takes all from a network that PyTorch has quantized


@dataclass(frozen=True)
class Widening:
    """What was tried to find the steps that have 16 bits, and what came of it.

    taken: names of steps. losses: (which of the steps had 16 bits, the RMSE of the answers) in the order in
    which it was tried; the first is of none. arena: bytes, without any.
    """

    taken: tuple[str, ...]
    losses: tuple[tuple[tuple[str, ...], float], ...]
    arena: int


@dataclass(frozen=True, repr=False)
class Quantized:
    """A quantized model.

    program: what the file holds.
    network: the operations that the integers stand for.
    known: what the bytes of each value stand for, by the value's number in the network.
    reference: the model in floats, whose numbers the bytes stand for.
    method: how the integers were found, as `quantize_model` has it in `ranges`, or "kept".
    fits: what its weights are fitted to.
    losses: by the names of methods that were tried, the RMSE of the answers on samples that were held out.
    widening: what was tried to find the steps that have 16 bits.
    striped: the network as its program runs it, where that is in stripes of rows.
    """

    program: Program
    network: Network
    known: dict[int, Bytes]
    reference: Reference
    method: str
    fits: Mapping[int, Fit] = field(default_factory=dict)
    losses: Mapping[str, float] = field(default_factory=dict)
    widening: Widening | None = None
    striped: Network | None = None

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

    @property
    def size(self) -> int:
        """The bytes of a Burnpack with the model alone."""
        return self._writer().size

    def to_bytes(self) -> bytes:
        """Return a Burnpack with the model alone."""
        found: bytes = self._writer().to_bytes()
        return found

    def _writer(self) -> Writer:
        return Writer(self.tensors, self.metadata, self.scalars)

    def __repr__(self) -> str:
        steps = len(self.network.operations)
        return f"Quantized({steps} steps, {self.size:,} bytes, arena {self.arena:,})"
