from burnrt.kernels import NumberBuffer, Numbers

def linear(
    x: Numbers,
    weight: Numbers,
    bias: Numbers | None,
    out: NumberBuffer,
    rows: int,
    inputs: int,
    outputs: int,
) -> None: ...
def four_columns(
    x: Numbers,
    start: int,
    end: int,
    weight: Numbers,
    at: int,
    step: int,
    out: NumberBuffer,
    to: int,
) -> None: ...
def one_column(x: Numbers, start: int, end: int, weight: Numbers, at: int, step: int) -> float: ...
