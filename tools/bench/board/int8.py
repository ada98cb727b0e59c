"""Measures integer kernels on MicroPython: prints lines of a name and nanoseconds per multiply-accumulate.

dense_loop is what anyone would write first: a loop over signed bytes. dense_ulab, where ulab is there, is its
`dot` of floats.
"""

import time
from array import array

from burnrt.kernels.int8.memory import words as words_of

ROUNDS = 9
INPUTS, OUTPUTS = 512, 32
CHANNELS, OUT_CHANNELS, SIDE, TAPS = 8, 16, 8, 9
RESCALE = 8 << 24 | 8 << 16 | 1 << 13


def numbers(count, step):
    return bytearray([number * step & 255 for number in range(count)])


def words(*given):
    return words_of(bytearray(array("i", given)))


def dense(linear):
    """Return how often it multiplies, and the action."""
    arena, weight = numbers(INPUTS + OUTPUTS, 77), numbers(INPUTS * OUTPUTS + 4, 13)
    constants = words(*([0] * OUTPUTS + [RESCALE] * OUTPUTS))
    row = words(0, INPUTS, 0, 255, 100, OUTPUTS, 1, INPUTS, OUTPUTS)
    return INPUTS * OUTPUTS, lambda: linear(arena, weight, constants, row)


def convolution(conv2d):
    taps, plane = CHANNELS * TAPS, SIDE * SIDE
    out = CHANNELS * plane
    work = out + OUT_CHANNELS * plane
    arena, weight = numbers(work + 2 * taps, 77), numbers(taps * OUT_CHANNELS + 4, 13)
    constants = words(*([0] * OUT_CHANNELS + [RESCALE] * OUT_CHANNELS))
    window = (CHANNELS, SIDE, SIDE, SIDE, SIDE, 3, 3, 1, 1, 1, 1, 1, 1)
    row = words(0, out, 0, 255, 100, OUT_CHANNELS, work, 9, *(window + (1, OUT_CHANNELS, 1)))
    return OUT_CHANNELS * plane * taps, lambda: conv2d(arena, weight, constants, row)


def by_address(kernel):
    """Return a kernel that takes addresses as one that takes what lies there."""
    from uctypes import addressof

    return lambda *given: kernel(*[addressof(data) for data in given])


def loop(arena, weight, constants, row):
    """Compute the sums of a dense layer, and no more."""
    at = 0
    for _ in range(row[8]):
        total = 0
        for place in range(row[7]):
            value = weight[at]
            if value > 127:
                value -= 256
            total += arena[place] * value
            at += 1


def dense_ulab():
    from ulab import numpy

    x = numpy.array(list(numbers(INPUTS, 77)))
    weight = numpy.array(list(numbers(INPUTS * OUTPUTS, 13))).reshape((OUTPUTS, INPUTS)).transpose()
    return INPUTS * OUTPUTS, lambda: numpy.dot(x.reshape((1, INPUTS)), weight)


def dense_plain():
    import burnrt.kernels.int8.plain as plain

    return dense(plain.linear)


def conv_plain():
    import burnrt.kernels.int8.plain as plain

    return convolution(plain.conv2d)


def dense_viper():
    import burnrt.kernels.int8.viper as viper

    return dense(by_address(viper.linear))


def conv_viper():
    import burnrt.kernels.int8.viper as viper

    return convolution(by_address(viper.conv2d))


def dense_loop():
    return dense(loop)


def subjects():
    """Return (name, how often it multiplies, action) of all that run here."""
    found = []
    for make in (dense_loop, dense_plain, conv_plain, dense_viper, conv_viper, dense_ulab):
        try:
            found.append((make.__name__,) + make())
        except (ImportError, SyntaxError, ValueError):
            continue
    return found


def repeats(action):
    """Return how often to repeat the action for it to take some 20 ms."""
    start = time.ticks_us()
    action()
    return 1 + 20000 // (1 + time.ticks_diff(time.ticks_us(), start))


def nanoseconds(count, action, times):
    start = time.ticks_us()
    for _ in range(times):
        action()
    return time.ticks_diff(time.ticks_us(), start) * 1000 / times / count


def measure():
    """Print the best of several rounds, in which all take turns, for the machine has other work, too."""
    chosen = [(name, count, action, repeats(action)) for name, count, action in subjects()]
    best = [1e9] * len(chosen)
    for _ in range(ROUNDS):
        for index, (_, count, action, times) in enumerate(chosen):
            best[index] = min(best[index], nanoseconds(count, action, times))
    for index, (name, _, _, _) in enumerate(chosen):
        print(name, best[index])


measure()
