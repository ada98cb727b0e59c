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

_WORTH = 0.9  # of the loss in bytes: what 16 bits must lose less than to be taken at all
_MORE = 0.1  # of what the best set tried loses, and of what it gains: what others may lose more
_TRIES_MOST = 64
_PER_PRODUCT, _PER_NUMBER = 12, 30  # instructions that 16 bits cost more, about


@dataclass
class _Trial:
    """Tries sets of steps, on a network of which each try has a copy."""

    network: Network
    flow: Flow
    held: Samples
    methods: Sequence[str]
    per: str
    fixed: dict[int, Bytes]
    percentile: float | None
    arena: int = 0
    losses: list[tuple[tuple[str, ...], float]] = field(default_factory=list)
    best: dict[tuple[str, ...], str] = field(default_factory=dict)

    def loss(self, names: Sequence[str]) -> float:
        """Return the RMSE of the answers where these steps have 16 bits; infinite where they can't.

        Every method is tried, until one is settled on.
        """
        known = dict(self.losses)
        if tuple(names) in known:
            return known[tuple(names)]
        network, found = copied(self.network), inf
        try:
            place_wide(network, names)
            tried = {method: self._loss(network, method) for method in self.methods}
            self.best[tuple(names)] = min(tried, key=tried.__getitem__)
            found = min(tried.values())
        except Unsupported:
            if not names:
                raise
        self.losses.append((tuple(names), found))
        return found

    def _loss(self, network: Network, method: str) -> float:
        quantized = quantized_by(method, self.flow, network, self.per, self.fixed, self.percentile)
        self.arena = self.arena or quantized.arena
        return loss(quantized, self.held)

    def settle(self, names: Sequence[str]) -> None:
        """From now on try the method alone that was best with these steps."""
        self.methods = [self.best[tuple(names)]]


def widened(
    network: Network,
    flow: Flow,
    held: Samples,
    methods: Sequence[str],
    per: str,
    fixed: dict[int, Bytes],
    percentile: float | None = None,
) -> Widening:
    """Return which steps should have 16 bits.

    flow: of samples that give ranges. held: others, that tell losses. methods: those that the ranges can
    be found by. per, fixed, percentile: as for `quantized_by`.
    """
    trial = _Trial(network, flow, held, methods, per, fixed, percentile)
    before = trial.loss(())
    taken = min(_beginnings(network), key=trial.loss, default=[])
    after = trial.loss(taken)
    if not taken or after > _WORTH * before:
        return Widening((), tuple(trial.losses), trial.arena)
    trial.settle(taken)
    groups = [sorted(taken, key=lambda name: (-_cost(network, name), name))]
    while groups and len(trial.losses) < _TRIES_MOST:
        group = groups.pop(0)
        rest = [name for name in taken if name not in group]
        if rest and trial.loss(rest) <= after + _MORE * min(after, before - after):
            taken, after = rest, min(after, trial.loss(rest))
        elif len(group) > 1:
            middle = len(group) // 2
            groups[:0] = [group[:middle], group[middle:]]
    return Widening(tuple(taken), tuple(trial.losses), trial.arena)


def copied(network: Network) -> Network:
    """Return a network that can get values of 16 bits without this one's getting them."""
    operations = [copy(each) for each in network.operations]
    return replace(network, operations=operations, sizes=dict(network.sizes), wide=dict(network.wide))


def _beginnings(network: Network) -> list[list[str]]:
    """Return the names of all that can have 16 bits, and of those among them that multiply no weights.

    The latter may lose less: weights of 8 bits leave a little of what is loud in what is quiet.
    """
    able = [each for each in network.operations if can_be_wide(each)]
    sets = able, [each for each in able if not each.macs]
    return [list(dict.fromkeys(each.name for each in some)) for some in sets if some]


def _cost(network: Network, name: str) -> int:
    return sum(_more(each) for each in network.operations if each.name == name)


def _more(operation: Operation) -> int:
    """Return about how many instructions more an operation takes on 16 bits."""
    return _PER_PRODUCT * operation.macs + _PER_NUMBER * operation.count
