from burnrt.kernels import NumberBuffer, Numbers

def batch_norm(
    x: Numbers,
    gamma: Numbers,
    beta: Numbers,
    mean: Numbers,
    variance: Numbers,
    epsilon: float,
    out: NumberBuffer,
    batch: int,
    channels: int,
    inner: int,
) -> None: ...
def layer_norm(
    x: Numbers,
    gamma: Numbers | None,
    beta: Numbers | None,
    epsilon: float,
    out: NumberBuffer,
    rows: int,
    size: int,
) -> None: ...
def rms_norm(
    x: Numbers,
    gamma: Numbers | None,
    epsilon: float,
    out: NumberBuffer,
    rows: int,
    size: int,
) -> None: ...
def affine(
    x: Numbers,
    gamma: Numbers,
    beta: Numbers,
    out: NumberBuffer,
    batch: int,
    channels: int,
    inner: int,
) -> None: ...
