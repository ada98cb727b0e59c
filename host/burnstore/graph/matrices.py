"""What moves the second matrices of a product goes into the steps by which the product reads them."""

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from burnstore.graph.moves import Move
from burnstore.graph.network import Network
from burnstore.graph.operations import Matmul

_ALIGNED = 4  # where matrices may begin


def fold_moves(network: Network) -> None:
    """Let products read matrices where they are before a move."""
    for operation in network.operations.copy():
        if isinstance(operation, Matmul):
            while _fold(network, operation):
                pass


def _fold(network: Network, product: Matmul) -> bool:
    """Leave out the move that makes the second matrices; tell whether there was one."""
    first, second = product.inputs
    move = network.maker(second)
    if not isinstance(move, Move) or len(move.parts) > 1 or move.filled is not None or first == second:
        return False
    found = _steps(move, product)
    if found is None or (move.low, move.high) != (-np.inf, np.inf):
        return False
    if network.only_reader(second) is not None:
        network.operations.remove(move)
    product.inputs = first, move.inputs[move.parts[0].number]
    product.start, *steps = found
    product.steps = steps[0], steps[1], steps[2]
    return True


def _steps(move: Move, product: Matmul) -> list[int] | None:
    """Return where the same matrices begin in what is moved, and the steps through it; None of others."""
    matrices, _, inner, columns = product.extents
    places = as_strided(
        _sources(move)[product.start :], (matrices, inner, columns), [8 * step for step in product.steps]
    )
    found = tuple(int(places[at] - places[0, 0, 0]) for at in _seconds(places.shape))
    reached = sum(
        step * np.arange(extent).reshape(shape)
        for step, extent, shape in zip(found, places.shape, ((-1, 1, 1), (-1, 1), (-1,)), strict=True)
    )
    start = int(places[0, 0, 0])
    if start % _ALIGNED or min(found) < 0 or not (places == start + reached).all():
        return None
    return [start, *found]


def _seconds(shape: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Return along each axis the second place, or the first where there is no other."""
    return [(min(1, shape[0] - 1), 0, 0), (0, min(1, shape[1] - 1), 0), (0, 0, min(1, shape[2] - 1))]


def _sources(move: Move) -> NDArray[np.int64]:
    """Return from where each number of the output is."""
    part = move.parts[0]
    extents, steps, out_steps = zip(*part.dims, strict=True) if part.dims else ((), (), ())
    found = np.zeros(move.count, np.int64)
    sources = sum(
        np.arange(extent).reshape(-1, *[1] * (len(extents) - 1 - axis)) * step
        for axis, (extent, step) in enumerate(zip(extents, steps, strict=True))
    )
    strides = [8 * step for step in out_steps]
    as_strided(found[part.to :], extents, strides)[...] = part.start + sources
    return found
