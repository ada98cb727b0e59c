"""What the operations on values of 16 bits say, place by place, with Python's own integers and fractions."""

from fractions import Fraction

import numpy as np

from burnrt import wide_words as wide
from burnrt import words as at


def _number(data, place):
    return int.from_bytes(data[place : place + 2], "little")


def _put(place, number, low, high):
    """Yield the two bytes of a number, each with its place."""
    yield from (
        (2 * place + at, byte) for at, byte in enumerate(_cut(number, low, high).to_bytes(2, "little"))
    )


def _cut(number, low, high):
    return min(max(number, low), high)


def rescaled(total, word):
    """Return a sum rescaled, by way of exact fractions."""
    cut = _cut(total // 2 ** (word >> 16 & 31), -(2**20), 2**20 - 1)
    product = Fraction(cut * (word & 0xFFFF), 256).__floor__()
    return (Fraction(product, 2 ** (word >> 24)) + Fraction(1, 2)).__floor__()


def wide_conv2d(arena, weight, constants, words):
    groups, inputs, outputs = words[at.GROUPS], words[at.CHANNELS], words[at.OUT_CHANNELS]
    height, width, rows, columns, tall, across = words[at.HEIGHT : at.STRIDE]
    bounds = words[wide.SUMS_LOW], words[wide.SUMS_HIGH]
    for place, (output, row, column) in enumerate(np.ndindex(groups * outputs, rows, columns)):
        total = constants[output]
        for number, (channel, i, j) in enumerate(np.ndindex(inputs, tall, across)):
            y = row * words[at.STRIDE] - words[at.PADDING] + i * words[at.DILATION]
            x = column * words[at.STRIDE + 1] - words[at.PADDING + 1] + j * words[at.DILATION + 1]
            found = words[at.PAD]
            if 0 <= y < height and 0 <= x < width:
                plane = output // outputs * inputs + channel
                start = words[at.INPUT] + 2 * ((plane * height + y) * width + x)
                found = min(_number(arena, start), words[wide.SUMS_MOST])
            byte = weight[output * inputs * tall * across + number]
            total += found * (byte - 256 if byte > 127 else byte)
            assert abs(total) < 2**30
        found = words[wide.SUMS_ZERO] + rescaled(total, constants[words[at.RESCALE] + output])
        yield from _put(place, found, *bounds)


def _pairs(arena, weight, words):
    """Yield each place with the two numbers of it."""
    extents = words[at.PLANES], words[at.LINES], words[at.COUNT]
    for place, index in enumerate(np.ndindex(*extents)):
        x = sum(words[at.FIRST_STEPS + axis] * index[axis] for axis in (0, 1)) + index[2]
        y = sum(words[at.SECOND_STEPS + axis] * index[axis] for axis in (0, 1, 2))
        second, start = (weight, 0) if words[at.KEPT] else (arena, words[at.OTHER])
        yield place, _number(arena, words[at.INPUT] + 2 * x), _number(second, start + 2 * y)


def wide_add(arena, weight, constants, words):
    for place, x, y in _pairs(arena, weight, words):
        total = x * words[at.FIRST_FACTOR] + y * words[at.SECOND_FACTOR] + words[at.BIAS]
        yield from _put(place, total // 2 ** words[at.SHIFT], words[wide.PAIRS_LOW], words[wide.PAIRS_HIGH])


def wide_multiply(arena, weight, constants, words):
    for place, x, y in _pairs(arena, weight, words):
        product = (x - words[at.FIRST_ZERO]) * (y - words[at.SECOND_ZERO]) // 8
        found = words[wide.PAIRS_ZERO] + rescaled(product, words[at.RESCALING])
        yield from _put(place, found, words[wide.PAIRS_LOW], words[wide.PAIRS_HIGH])


def wide_lookup(arena, weight, constants, words):
    middle, most, bits, skipped, turn = words[wide.MIDDLE : wide.TURN + 1]
    for place in range(words[at.COUNT]):
        distance = min(_number(arena, words[at.INPUT] + 2 * place), most) - middle
        start, distance = turn if distance < 0 else 0, abs(distance)
        shift = skipped + max(0, (distance >> skipped).bit_length() - 1 - bits)
        entry = start + (shift - skipped) * 2**bits + distance // 2**shift
        low, high = (_number(weight, 2 * (entry + more)) for more in (0, 1))
        part = Fraction(distance % 2**shift, 2**shift)
        yield from _put(place, low + ((high - low) * part + Fraction(shift > 0, 2)).__floor__(), 0, 65535)


def narrow(arena, weight, constants, words):
    for place in range(words[at.COUNT]):
        number = _number(arena, words[at.INPUT] + 2 * place)
        total = number * words[wide.NARROW_FACTOR] + words[wide.NARROW_BIAS]
        yield place, _cut(total // 2 ** words[wide.NARROW_SHIFT], words[at.LOW], words[at.HIGH])


SPELLED = {each.__name__: each for each in (wide_conv2d, wide_add, wide_multiply, wide_lookup, narrow)}
