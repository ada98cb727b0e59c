from typing import NoReturn

from burnrt.kernels.int8.memory import Words

ARENA_MOST: int
WORK_MOST: int
END_WORK: int
RANK_MOST: int

class Step:
    operation: str
    name: str
    words: Words
    weight: tuple[int, ...] | None
    columns: int
    rescale: int
    bias_most: int
    inputs: int
    outputs: int
    window: int
    work: int
    def __init__(self, operation: str, name: str, words: Words) -> None: ...
    def word(self, place: int, label: str, least: int, most: int) -> int: ...
    def extent(self, place: int, label: str) -> int: ...
    def refuse(self, label: str, expected: object, found: object) -> NoReturn: ...

def check_columns(step: Step, constants: Words) -> None: ...
def check_powers(step: Step, powers: Words) -> None: ...
def check_work(work: int, most: int) -> None: ...
def check_arena(size: int) -> None: ...
