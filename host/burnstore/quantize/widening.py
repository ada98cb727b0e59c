"""Which steps to compute on values of 16 bits, found by trying.

First all have them that can. Then they become bytes again, the costliest first, as long as most of what was
gained is left: half of all at a time, and where that loses too much, halves of these. So steps that gain
something only side by side are found, too. All is judged by the answers to samples that were held out.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from math import inf

from burnpack.errors import Unsupported
from burnstore.graph.network import Network
from burnstore.graph.operations import Operation
from burnstore.graph.wide import can_be_wide, place_wide
from burnstore.quantize.calibrate import Bytes
from burnstore.quantize.errors import loss
from burnstore.quantize.methods import quantized_by
from burnstore.quantize.quantized import Widening
from burnstore.quantize.samples import Samples
from burnstore.quantize.statistics import Flow

_WORTH = 0.75  # of the loss in bytes: what 16 bits must lose less than to be taken at all
_MORE = 1 / 3  # by how much more those that are taken may lose than all do, and of what these gain
_TRIES_MOST = 64
_PER_PRODUCT, _PER_NUMBER = 12, 30  # instructions that 16 bits cost more, about


@dataclass
class _Trial:
    """Tries sets of steps, on a network of which each try has a copy."""

    network: Network
    flow: Flow
    held: Samples
    method: str
    per: str
    fixed: dict[int, Bytes]
    arena: int = 0
    losses: list[tuple[tuple[str, ...], float]] = field(default_factory=list)

    def loss(self, names: Sequence[str]) -> float:
        """Return the RMSE of the answers where these steps have 16 bits; infinite where they can't."""
        known = dict(self.losses)
        if tuple(names) in known:
            return known[tuple(names)]
        network, found = copied(self.network), inf
        try:
            place_wide(network, names)
            quantized = quantized_by(self.method, self.flow, network, self.per, self.fixed)
            self.arena = self.arena or quantized.arena
            found = loss(quantized, self.held)
        except Unsupported:
            if not names:
                raise
        self.losses.append((tuple(names), found))
        return found


def widened(
    network: Network, flow: Flow, held: Samples, method: str, per: str, fixed: dict[int, Bytes]
) -> Widening:
    """Return which steps should have 16 bits.

    flow: of samples that give ranges. held: others, that tell losses. method, per, fixed: as for
    `quantized_by`.
    """
    trial = _Trial(network, flow, held, method, per, fixed)
    before = trial.loss(())
    taken = _names(network)
    if not taken:
        return Widening((), tuple(trial.losses), trial.arena)
    after = trial.loss(taken)
    if after > _WORTH * before:
        return Widening((), tuple(trial.losses), trial.arena)
    most = after + _MORE * min(after, before - after)
    groups = [sorted(taken, key=lambda name: (-_cost(network, name), name))]
    while groups and len(trial.losses) < _TRIES_MOST:
        group = groups.pop(0)
        rest = [name for name in taken if name not in group]
        if rest and trial.loss(rest) <= most:
            taken = rest
        elif len(group) > 1:
            middle = len(group) // 2
            groups[:0] = [group[:middle], group[middle:]]
    return Widening(tuple(taken), tuple(trial.losses), trial.arena)


def copied(network: Network) -> Network:
    """Return a network that can get values of 16 bits without this one's getting them."""
    operations = [copy(each) for each in network.operations]
    return replace(network, operations=operations, sizes=dict(network.sizes), wide=dict(network.wide))


def _names(network: Network) -> list[str]:
    return list(dict.fromkeys(each.name for each in network.operations if can_be_wide(each)))


def _cost(network: Network, name: str) -> int:
    return sum(_more(each) for each in network.operations if each.name == name)


def _more(operation: Operation) -> int:
    """Return about how many instructions more an operation takes on 16 bits."""
    return _PER_PRODUCT * operation.macs + _PER_NUMBER * operation.count
