"""Which positions of a sliding window lie inside the input."""


def inside(start: int, count: int, step: int, extent: int) -> range:
    """Return the positions start, start + step, ... (`count` of them) that lie in 0..extent-1, as a range."""
    end = min(start + count * step, extent)
    if start < 0:
        start += (step - 1 - start) // step * step
    return range(start, end, step)


def whole(extent: int, windows: int, offset: int, stride: int, padding: int) -> tuple[int, int]:
    """Return the (first, last + 1) of `windows` windows whose tap at `offset` lies in 0..extent-1.

    Window number i begins at i * stride - padding.
    """
    first = max(0, (padding - offset + stride - 1) // stride)
    last = (extent - 1 - offset + padding) // stride + 1
    first = min(first, windows)
    return first, max(first, min(last, windows))
