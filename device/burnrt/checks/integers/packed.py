"""Steps that add up with weights of 4 bits."""

from burnpack.compat import const
from burnrt.checks.integers.sums import columns
from burnrt.words import INPUT, INPUTS, OUTPUTS, PLACES, packed_size, packed_work

if False:  # for type checkers
    from burnrt.checks.integers import Needs
    from burnrt.memory import Memory

_PRODUCT_MOST = const(255 * 8)  # of a number and a weight


def _packed(words: list[int], memory: "Memory", start: int) -> "Needs":
    inputs, outputs, places = words[INPUTS], words[OUTPUTS], words[PLACES]
    columns(words, memory, start, outputs, inputs * _PRODUCT_MOST)
    weight = outputs * packed_size(inputs)
    return places * inputs, places * outputs, inputs, weight, packed_work(inputs), INPUT, False


# WORK INPUTS OUTPUTS PLACES PLANAR: extents of 15 bits, so that two multiplied still fit.
linear4 = b"\x30\x1f\x1f\x1f\x02", _packed
