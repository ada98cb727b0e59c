from burnpack.tensor import _Buffer
from burnrt.kernels.int8 import _Arena
from burnrt.kernels.int8.memory import Words

def max_pool2d(arena: _Arena, weight: _Buffer, constants: Words, words: Words) -> int: ...
