from burnpack.types import Buffer
from burnrt.types import Arena, Words

def masked_softmax(arena: Arena, weight: Buffer, constants: Words, words: Words) -> int: ...
