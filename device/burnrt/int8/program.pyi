from collections.abc import Iterator

from burnrt.kernels.int8.memory import Words

NAME: str
STEPS_MOST: int

class Program:
    arena: int
    input_at: int
    output_at: int
    input_shape: tuple[int, ...]
    output_shape: tuple[int, ...]
    start: int
    def __init__(self, words: Words, size: int) -> None: ...
    def rows(self, text: str) -> Iterator[tuple[str, str, int, int]]: ...
