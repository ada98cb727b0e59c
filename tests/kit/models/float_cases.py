"""Cases that hold a set of float kernels for boards against "plain", on every interpreter that has the set.

Parameters lie at any address and have any dtype; inputs and outputs lie within larger buffers, of which
nothing else may be written.
"""

import struct
from array import array

from burnrt import kernels

TOLERANCE = 2e-5  # of 32-bit floats, added up in another order
MARGIN = 3  # numbers before and behind a buffer
UNTOUCHED = 12345.0

# How parameters are stored: dtype, struct's format, and how many bytes their address is off.
LAYOUTS = (("F32", "<f", 0), ("F32", "<f", 1), ("F32", "<f", 2), ("F16", "<e", 0), ("F64", "<d", 0))

# rows, inputs, outputs
LINEAR = ((1, 1, 1), (2, 3, 1), (1, 5, 7), (3, 7, 8), (1, 9, 10), (2, 16, 15), (1, 4, 16), (1, 3, 25))

# x's shape, weight's shape, stride, padding, dilation, groups
CONV2D = (
    ((1, 1, 1, 1), (1, 1, 1, 1), (1, 1), (0, 0), (1, 1), 1),
    ((1, 1, 5, 5), (1, 1, 3, 3), (1, 1), (0, 0), (1, 1), 1),
    ((2, 3, 7, 9), (4, 3, 3, 3), (1, 1), (1, 1), (1, 1), 1),
    ((1, 2, 8, 12), (3, 2, 3, 2), (2, 1), (1, 0), (1, 1), 1),
    ((1, 3, 9, 9), (2, 3, 5, 3), (2, 3), (2, 1), (1, 1), 1),
    ((1, 2, 10, 11), (5, 2, 3, 3), (1, 1), (2, 2), (2, 2), 1),
    ((1, 4, 6, 10), (4, 1, 3, 3), (1, 1), (1, 1), (1, 1), 4),
    ((2, 4, 6, 6), (6, 2, 3, 3), (2, 2), (1, 1), (1, 1), 2),
    ((2, 6, 3, 5), (7, 6, 1, 1), (1, 1), (0, 0), (1, 1), 1),
    ((1, 4, 3, 5), (4, 2, 1, 1), (1, 1), (0, 0), (1, 1), 2),
    ((1, 4, 5, 5), (3, 4, 1, 1), (2, 2), (0, 0), (1, 1), 1),
    ((1, 3, 1, 20), (4, 3, 1, 5), (1, 2), (0, 2), (1, 1), 1),
    ((1, 1, 4, 4), (2, 1, 2, 2), (1, 1), (3, 3), (1, 1), 1),  # windows of nothing but padding
    ((1, 1, 9, 9), (1, 1, 3, 3), (4, 4), (1, 1), (3, 3), 1),
)

# x's shape, kernel, stride, padding, dilation
POOL = (
    ((1, 1, 1, 1), (1, 1), (1, 1), (0, 0), (1, 1)),
    ((2, 3, 6, 8), (2, 2), (2, 2), (0, 0), (1, 1)),
    ((1, 2, 7, 7), (3, 3), (2, 2), (1, 1), (1, 1)),
    ((1, 2, 9, 8), (3, 2), (1, 3), (1, 0), (2, 2)),
    ((1, 1, 1, 12), (1, 4), (1, 2), (0, 2), (1, 1)),
)

# batch, channels, numbers of each
CHANNELS = ((1, 1, 1), (2, 3, 5), (1, 10, 1), (1, 4, 300), (3, 2, 7))


class Dice:
    """Numbers that are the same everywhere, between -2 and 2."""

    def __init__(self, seed):
        self._state = seed

    def number(self):
        self._state = (self._state * 1103 + 12345) % 65536
        return (self._state - 32768) / 16384

    def buffer(self, count):
        """Return a buffer of `count` numbers within a larger one."""
        view, _ = room(count)
        for place in range(count):
            view[place] = self.number()
        return view

    def parameter(self, count, layout, least=None):
        """Return `count` numbers, none below `least`, as a parameter of a model has them."""
        dtype, form, shift = layout
        data = bytearray(shift + count * struct.calcsize(form))
        for place in range(count):
            number = self.number() if least is None else max(least, self.number())
            struct.pack_into(form, data, shift + place * struct.calcsize(form), number)
        return kernels.weights(memoryview(data)[shift:], dtype, count), data


def room(count):
    """Return a buffer of `count` numbers, and the larger one that it is part of."""
    whole = array("f", [UNTOUCHED] * (count + 2 * MARGIN))
    return memoryview(whole)[MARGIN : MARGIN + count], whole


def check(name):
    """Hold every kernel of the set `name` against plain's; raises `AssertionError` with the case."""
    for case in cases():
        kernel, before, count, after = case
        found = _answer(name, kernel, before, count, after)
        wanted = _answer("plain", kernel, before, count, after)
        for place in range(count):
            off = abs(found[place] - wanted[place])
            assert off <= TOLERANCE * max(1.0, abs(wanted[place])), (kernel, after, place, found, wanted)
    kernels.use()


def _answer(name, kernel, before, count, after):
    kernels.use(name)
    out, whole = room(count)
    getattr(kernels, kernel)(*(before + (out,) + after))
    for place in range(MARGIN):
        assert whole[place] == UNTOUCHED and whole[-1 - place] == UNTOUCHED, (kernel, after)
    return list(out)


def cases():
    """Yield (kernel, arguments before out, numbers in out, arguments behind it)."""
    for number, layout in enumerate(LAYOUTS):
        dice = Dice(number + 1)
        for make in (_linear, _conv2d, _norms):
            for case in make(dice, layout):
                yield case
    dice = Dice(100)
    for make in (_pools, _each):
        for case in make(dice):
            yield case


def _linear(dice, layout):
    for rows, inputs, outputs in LINEAR:
        weight, _kept = dice.parameter(inputs * outputs, layout)
        bias, _kept_too = dice.parameter(outputs, layout)
        x = dice.buffer(rows * inputs)
        for added in (bias, None):
            yield "linear", (x, weight, added), rows * outputs, (rows, inputs, outputs)


def _conv2d(dice, layout):
    for x_shape, weight_shape, stride, padding, dilation, groups in CONV2D:
        weight, _kept = dice.parameter(_count(weight_shape), layout)
        bias, _kept_too = dice.parameter(weight_shape[0], layout)
        x = dice.buffer(_count(x_shape))
        out_shape = (x_shape[0], weight_shape[0]) + slid(x_shape, weight_shape[2:], stride, padding, dilation)
        shapes = [out_shape]
        if (
            stride == (1, 1) and min(weight_shape[2:]) > 1
        ):  # one more to the right and below, as an even kernel
            shapes.append(out_shape[:2] + (out_shape[2] + 1, out_shape[3] + 1))
        for added in (bias, None):
            before = (x, x_shape, weight, weight_shape, added)
            for shape in shapes:
                yield "conv2d", before, _count(shape), (shape, stride, padding, dilation, groups)


def _norms(dice, layout):
    for batch, channels, inner in CHANNELS:
        kept = [dice.parameter(channels, layout, least) for least in (None, None, None, 0.25)]
        gamma, beta, mean, variance = [pair[0] for pair in kept]
        sizes = (batch, channels, inner)
        x = dice.buffer(batch * channels * inner)
        yield "batch_norm", (x, gamma, beta, mean, variance, 1e-5), len(x), sizes
        yield "affine", (x, gamma, beta), len(x), sizes
        if channels > 1:
            yield "layer_norm", (x, gamma, beta, 1e-5), len(x), (batch * inner, channels)
            yield "layer_norm", (x, None, None, 1e-5), len(x), (batch * inner, channels)


def _pools(dice):
    for x_shape, kernel, stride, padding, dilation in POOL:
        x = dice.buffer(_count(x_shape))
        out_shape = x_shape[:2] + slid(x_shape, kernel, stride, padding, dilation)
        windows = (out_shape, kernel, stride, padding)
        yield "max_pool2d", (x, x_shape), _count(out_shape), windows + (dilation,)
        out_shape = x_shape[:2] + slid(x_shape, kernel, stride, padding, (1, 1))
        for count_include_pad in (False, True):
            windows = (out_shape, kernel, stride, padding, count_include_pad)
            yield "avg_pool2d", (x, x_shape), _count(out_shape), windows
        for size in ((1, 1), x_shape[2:], (1, 3)):
            out_shape = x_shape[:2] + size
            yield "adaptive_avg_pool2d", (x, x_shape), _count(out_shape), (out_shape,)


def _each(dice):
    for count in (1, 7, 2500):
        x = dice.buffer(count)
        for kernel in ("relu", "sigmoid", "tanh"):
            yield kernel, (x,), count, (count,)
        yield "add", (x, dice.buffer(count)), count, (count,)
        yield "softmax", (x,), count, (1, count, 1)
    yield "softmax", (dice.buffer(24),), 24, (2, 3, 4)
    yield "softmax", (dice.buffer(24),), 24, (8, 3, 1)


def slid(x_shape, kernel, stride, padding, dilation):
    """Return the height and width of what windows over x leave."""
    inside = [x_shape[2 + n] + 2 * padding[n] - dilation[n] * (kernel[n] - 1) for n in range(2)]
    return tuple([(inside[n] - 1) // stride[n] + 1 for n in range(2)])


def _count(shape):
    product = 1
    for extent in shape:
        product *= extent
    return product
