"""Windows that slide along a line: how many there are, and whether each has something of the line."""

from burnpack.compat import const
from burnrt.checks.holding import hold

_JUMPS_MOST = const(1023)  # places in the padding at which windows begin that are looked at one by one


def meet(extent: int, windows: int, kernel: int, stride: int, padding: int, dilation: int) -> None:
    """Refuse windows that are too many, or of which one has nothing of the line."""
    reach = dilation * (kernel - 1)
    hold("padding", padding, 0, reach)  # else the first window ends in the padding
    fit = (extent + 2 * padding - reach - 1) // stride + 1
    # One more is where there is more padding at the end, or where pooling rounds up. It begins in the line.
    hold("windows", windows, 1, min(fit, (extent + padding - 1) // stride) + 1)
    if dilation > extent:  # a window's places may jump over the line
        hold("padding", padding, 0, _JUMPS_MOST)
        for start in range(-padding, min(0, windows * stride - padding), stride):
            hold("dilation", start % dilation, 0, extent - 1)
