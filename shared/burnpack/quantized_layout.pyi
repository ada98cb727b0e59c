from collections.abc import Iterable

from burnpack.qfloat import QFloat

class Layout:
    lines: int
    length: int
    bits: int
    step: int
    block: int
    line_scales: int
    def __init__(self, scheme: QFloat, shape: Iterable[int]) -> None: ...
    def value_at(self, line: int) -> int: ...
    def scale_at(self, line: int) -> int: ...
