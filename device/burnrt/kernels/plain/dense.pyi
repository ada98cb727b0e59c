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
