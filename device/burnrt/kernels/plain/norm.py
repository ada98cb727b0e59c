"""Normalisation in plain Python."""

from math import sqrt

if False:  # for type checkers
    from burnrt.types import NumberBuffer, Numbers


def batch_norm(
    x: "Numbers",
    gamma: "Numbers",
    beta: "Numbers",
    mean: "Numbers",
    variance: "Numbers",
    epsilon: float,
    out: "NumberBuffer",
    batch: int,
    channels: int,
    inner: int,
) -> None:
    """out = (x - mean) / sqrt(variance + epsilon) * gamma + beta, each channel with its own four numbers.

    x, out: (batch, channels, inner); they may be one buffer. gamma, beta, mean, variance: (channels).
    """
    start = 0
    for _ in range(batch):
        for channel in range(channels):
            scale = gamma[channel] / sqrt(variance[channel] + epsilon)
            shift = beta[channel] - mean[channel] * scale
            for place in range(start, start + inner):
                out[place] = x[place] * scale + shift
            start += inner


def layer_norm(
    x: "Numbers",
    gamma: "Numbers | None",
    beta: "Numbers | None",
    epsilon: float,
    out: "NumberBuffer",
    rows: int,
    size: int,
) -> None:
    """Bring each row to mean 0 and variance 1, then scale by gamma and shift by beta.

    x, out: (rows, size); they may be one buffer. gamma: (size) or None. beta: (size) or None.
    """
    for start in range(0, rows * size, size):
        _normalise(x, epsilon, out, start, size)
        if gamma is not None:
            for index in range(size):
                out[start + index] *= gamma[index]
        if beta is not None:
            for index in range(size):
                out[start + index] += beta[index]


def rms_norm(
    x: "Numbers", gamma: "Numbers | None", epsilon: float, out: "NumberBuffer", rows: int, size: int
) -> None:
    """out = x / sqrt(mean of x² + epsilon) · gamma, row by row.

    x, out: (rows, size); they may be one buffer. gamma: (size) or None.
    """
    for start in range(0, rows * size, size):
        squares = 0.0
        for place in range(start, start + size):
            squares += x[place] ** 2
        scale = _over_root(squares / size + epsilon)
        for place in range(start, start + size):
            out[place] = x[place] * scale
        if gamma is not None:
            for index in range(size):
                out[start + index] *= gamma[index]


def affine(
    x: "Numbers",
    gamma: "Numbers",
    beta: "Numbers",
    out: "NumberBuffer",
    batch: int,
    channels: int,
    inner: int,
) -> None:
    """out = x · gamma + beta, each channel with its own two numbers.

    x, out: (batch, channels, inner); they may be one buffer. gamma, beta: (channels).
    """
    start = 0
    for _ in range(batch):
        if inner == 1:  # no loop for each number
            for channel in range(channels):
                out[start] = x[start] * gamma[channel] + beta[channel]
                start += 1
            continue
        for channel in range(channels):
            scale, shift = gamma[channel], beta[channel]
            for place in range(start, start + inner):
                out[place] = x[place] * scale + shift
            start += inner


def _over_root(square: float) -> float:
    """Return 1 / √square; of 0, which a row without a difference has where epsilon is 0, infinity."""
    return 1.0 / sqrt(square) if square else float("inf")


def _normalise(x: "Numbers", epsilon: float, out: "NumberBuffer", start: int, size: int) -> None:
    total = 0.0
    for place in range(start, start + size):
        total += x[place]
    mean = total / size
    squares = 0.0
    for place in range(start, start + size):
        squares += (x[place] - mean) ** 2
    scale = _over_root(squares / size + epsilon)
    for place in range(start, start + size):
        out[place] = (x[place] - mean) * scale
