"""Values that could lie in others are tried in few arenas, however many there are."""

import pytest

from burnrt import functional as F
from burnrt import nn
from burnstore.graph.layers import integer_network
from burnstore.quantize.reference import Reference
from burnstore.quantize.sharing import shared


class Parts(nn.Module):
    """Joins parts of four numbers, each made by a function."""

    def forward(self, x):
        return F.cat([F.relu(F.sin(part)) for part in F.chunk(x, x.shape[1] // 4, 1)], 1)


def tried(parts, size_of):
    """Return where values lie in others, and how many arenas were tried. size_of: those values."""
    network = integer_network(Reference(Parts(), [(1, 4 * parts)]).graph)
    arenas = []
    found = shared(
        network, dict.fromkeys(network.sizes, 0), lambda inside: arenas.append(inside) or size_of(inside)
    )
    return found, len(arenas)


def test_many_values_that_lie_in_others_take_few_arenas():
    found, arenas = tried(100, lambda inside: 0)
    assert len(found) == 200  # those that are cut out, and those that are joined
    assert arenas <= 33


@pytest.mark.parametrize("parts", [3, 100])
def test_only_values_by_which_the_arena_grows_lie_elsewhere(parts):
    every, _ = tried(parts, lambda inside: 0)
    larger = set([*every][:: len(every) // 2][:2])
    found, _ = tried(parts, lambda inside: len(larger.intersection(inside)))
    assert every.keys() - found.keys() == larger
