from burnpack.types import Buffer
from burnrt.types import Arena, Words

def wide_conv2d(arena: Arena, weight: Buffer, constants: Words, words: Words) -> None: ...
