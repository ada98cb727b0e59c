"""The plain recurrent layer; `steps` says what its arguments are."""

from burnrt import kernels
from burnrt.kernels.plain.steps import gate_product, give, take

if False:  # for type checkers
    from collections.abc import Sequence

    from burnrt.types import Gate, NumberBuffer, Numbers, Places, RecurrentSizes


def rnn(
    x: "Numbers",
    out: "NumberBuffer | None",
    gate: "Gate",
    rectified: bool,
    hidden: "NumberBuffer",
    work: "Sequence[NumberBuffer]",
    sizes: "RecurrentSizes",
    places: "Places",
) -> None:
    """The plain recurrent layer: hidden = tanh(gate), or relu(gate) where it is `rectified`."""
    row, sums, spare = work
    size = sizes[0] * sizes[3]
    for number in range(sizes[1]):
        take(x, number, row, sizes, places)
        gate_product(gate, row, hidden, sums, spare, sizes)
        if rectified:
            kernels.relu(sums, hidden, size)
        else:
            kernels.tanh(sums, hidden, size)
        give(hidden, number, out, sizes, places)
