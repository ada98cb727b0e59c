"""What each weight multiplies, on average."""

import numpy as np

from burnstore.graph.operations import Convolution, Linear, Numbers


def average(operation: Linear | Convolution, numbers: Numbers) -> Numbers:
    """Return what each weight multiplies on average over all places of the output, in the weight's shape.

    numbers: of the operation's input; means over samples.
    """
    if isinstance(operation, Linear):
        return np.broadcast_to(numbers.reshape(operation.rows, -1).mean(0), operation.weight.shape)
    planes = _padded(operation, numbers)
    window = operation.window
    found = np.empty((len(planes), *window.kernel))
    for row in range(window.kernel[0]):
        for column in range(window.kernel[1]):
            places = [
                slice(at * step, at * step + (out - 1) * stride + 1, stride)
                for at, step, out, stride in zip(
                    (row, column), window.dilation, window.out_size, window.stride, strict=True
                )
            ]
            found[:, row, column] = planes[:, places[0], places[1]].mean((1, 2))
    grouped = found.reshape(operation.groups, -1, *window.kernel)
    return np.repeat(grouped, len(operation.bias) // operation.groups, 0)


def _padded(operation: Convolution, numbers: Numbers) -> Numbers:
    """Return the planes of the input, with zeros around them where windows reach beyond."""
    window = operation.window
    extents = zip(
        window.size,
        window.out_size,
        window.kernel,
        window.stride,
        window.padding,
        window.dilation,
        strict=True,
    )
    more = [
        (pad, max(0, (out - 1) * stride + (kernel - 1) * step + 1 - size - pad))
        for size, out, kernel, stride, pad, step in extents
    ]
    return np.pad(numbers.reshape(-1, *window.size), [(0, 0), *more])
