"""Numbers rounded to what integers can say, in plain Python.

x and out: (count); they may be one buffer.
"""

if False:  # for type checkers
    from burnrt.types import NumberBuffer, Numbers


def fake_quantize(x: "Numbers", scale: float, low: int, high: int, out: "NumberBuffer", count: int) -> None:
    """out = scale · round(x / scale), within low to high times scale; halves go to the even."""
    inverse = 1.0 / scale
    for place in range(count):
        value = x[place] * inverse
        if value == value:
            value = round(low if value < low else high if value > high else value)
        out[place] = value * scale
