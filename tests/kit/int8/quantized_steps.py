"""What each step of a quantized model makes of numbers: slowly, in 64-bit floats."""

from itertools import product

import numpy as np

from burnstore.graph.operations import Add, AveragePool, Convolution, Linear, Lookup, MaxPool, Softmax


def computed(operation, inputs, weight=None):
    """Return the numbers that an operation makes of its inputs, before they are cut.

    inputs: a flat array each. weight: instead of the operation's own.
    """
    return _COMPUTED[type(operation)](
        operation, inputs[0], *inputs[1:], *(() if weight is None else (weight,))
    )


def _linear(operation, x, weight=None):
    weight = operation.weight if weight is None else weight
    return (x.reshape(operation.rows, -1) @ weight.T + operation.bias).reshape(-1)


def _convolution(operation, x, weight=None):
    weight = operation.weight if weight is None else weight
    out, channels = weight.shape[:2]
    planes = x.reshape(-1, *operation.window.size)
    found = np.zeros((out, *operation.window.out_size))
    for (y, rows), (c, columns) in _windows(operation.window):
        seen = np.zeros((len(planes), *operation.window.kernel))
        for (i, row), (j, column) in product(rows, columns):
            seen[:, i, j] = planes[:, row, column]
        grouped = seen.reshape(operation.groups, 1, channels, *operation.window.kernel)
        weights = weight.reshape(operation.groups, -1, *weight.shape[1:])
        found[:, y, c] = (grouped * weights).sum((2, 3, 4)).reshape(-1) + operation.bias
    return found.reshape(-1)


def _windows(window):
    """Return pairs of what each axis has: a window's number, and (tap, place) of what is in the plane."""
    axes = []
    for axis in (0, 1):
        taps = []
        for number in range(window.out_size[axis]):
            start = number * window.stride[axis] - window.padding[axis]
            places = [(tap, start + tap * window.dilation[axis]) for tap in range(window.kernel[axis])]
            taps.append((number, [pair for pair in places if 0 <= pair[1] < window.size[axis]]))
        axes.append(taps)
    return product(*axes)


def _pooled(operation, x, function):
    planes = x.reshape(operation.channels, *operation.window.size)
    found = np.zeros((operation.channels, *operation.window.out_size))
    for (y, rows), (c, columns) in _windows(operation.window):
        places = np.ix_([place for _, place in rows], [place for _, place in columns])
        found[:, y, c] = function(planes[(slice(None), *places)].reshape(len(planes), -1))
    return found.reshape(-1)


def _max_pool(operation, x):
    return _pooled(operation, x, lambda seen: seen.max(1))


def _average_pool(operation, x):
    sums = _pooled(operation, x, lambda seen: seen.sum(1)).reshape(operation.channels, -1)
    return (sums / operation.divisors).reshape(-1)


def _softmax(operation, x):
    rows = x.reshape(operation.rows, -1)
    powers = np.exp(rows - rows.max(1, keepdims=True))
    return (powers / powers.sum(1, keepdims=True)).reshape(-1)


_COMPUTED = {
    Linear: _linear,
    Convolution: _convolution,
    MaxPool: _max_pool,
    AveragePool: _average_pool,
    Add: lambda operation, x, y=None: x + (x if y is None else y),
    Lookup: lambda operation, x: operation.function(x),
    Softmax: _softmax,
}
