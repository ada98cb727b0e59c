"""Values that a network rounds to what bytes can say, as one does that PyTorch has quantized."""

from dataclasses import dataclass

from burnstore.graph.operations import Operation


@dataclass(kw_only=True, eq=False)
class Round(Operation):
    """Round each number to scale × (byte - zero_point), within the operation's bounds."""

    scale: float
    zero_point: int
