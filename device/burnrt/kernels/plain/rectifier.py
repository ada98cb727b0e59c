"""Functions of one number that are made of straight lines or nearly so, in plain Python.

x and out: (count) unless said otherwise; they may be one buffer. NaN stays NaN.
"""

if False:  # for type checkers
    from burnrt.types import NumberBuffer, Numbers


def relu(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = x, or 0 where x is negative."""
    for place in range(count):
        value = x[place]
        out[place] = 0.0 if value < 0.0 else value


def clamp(x: "Numbers", low: float, high: float, out: "NumberBuffer", count: int) -> None:
    """out = x, or the bound that x is beyond."""
    for place in range(count):
        value = x[place]
        out[place] = low if value < low else high if value > high else value


def threshold(x: "Numbers", low: float, high: float, value: float, out: "NumberBuffer", count: int) -> None:
    """out = x, or the value where x is from low to high."""
    for place in range(count):
        number = x[place]
        out[place] = value if low <= number <= high else number


def prelu(x: "Numbers", alpha: "Numbers", out: "NumberBuffer", batch: int, channels: int, inner: int) -> None:
    """out = x, or alpha · x where x is negative, each channel with its own alpha.

    x, out: (batch, channels, inner). alpha: (channels).
    """
    start = 0
    for _ in range(batch):
        for channel in range(channels):
            slope = alpha[channel]
            for place in range(start, start + inner):
                value = x[place]
                out[place] = slope * value if value < 0.0 else value
            start += inner


def hard_sigmoid(x: "Numbers", alpha: float, beta: float, out: "NumberBuffer", count: int) -> None:
    """out = alpha · x + beta, between 0 and 1."""
    for place in range(count):
        value = alpha * x[place] + beta
        out[place] = 0.0 if value < 0.0 else 1.0 if value > 1.0 else value


def hard_swish(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = x · max(0, min(1, x / 6 + 1 / 2))."""
    for place in range(count):
        value = x[place]
        out[place] = value * 0.0 if value < -3.0 else value if value > 3.0 else value * (value + 3.0) / 6.0
