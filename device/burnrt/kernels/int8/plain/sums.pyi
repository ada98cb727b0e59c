from burnpack.tensor import _Buffer
from burnrt.kernels.int8 import _Arena
from burnrt.kernels.int8.memory import Words

def rescaled(total: int, word: int, zero: int, low: int, high: int) -> int: ...
def sums(
    arena: _Arena,
    x: int,
    size: int,
    total: int,
    weight: _Buffer,
    at: int,
    constants: Words,
    first: int,
    count: int,
    out: int,
    step: int,
    words: Words,
) -> None: ...
