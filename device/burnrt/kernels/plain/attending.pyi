from collections.abc import Sequence

from burnrt.kernels import NumberBuffer, Numbers

def attention(
    query: Numbers,
    key: Numbers,
    value: Numbers,
    masks: Sequence[tuple[Numbers, int, int]],
    least: float,
    quiet: bool,
    scores: NumberBuffer,
    weights: NumberBuffer | None,
    out: NumberBuffer,
    sizes: tuple[int, int, int, int, int],
    steps: tuple[int, int, int],
) -> None: ...
