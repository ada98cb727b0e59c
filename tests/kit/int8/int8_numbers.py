"""The numbers in cases of the integer operations: random ones, and the extremes."""

import numpy as np

LARGEST = (1 << 30) - 1  # no sum, nor a part of one, passes this: the largest small integer of 32 bits

Pair = tuple[int, int]
Generator = np.random.Generator


def numbers(g: Generator, count: int) -> np.ndarray:
    """Return bytes: any, the ends of the range, or all the same."""
    kinds = (g.integers(0, 256, count), g.choice([0, 255], count), np.full(count, g.choice([0, 255])))
    return kinds[g.choice(3, p=(0.7, 0.2, 0.1))].astype(np.uint8)


def weights(g: Generator, shape: Pair) -> np.ndarray:
    kinds = (
        g.integers(-128, 128, shape),
        np.clip(g.normal(0, 40, shape), -127, 127),
        g.choice([-128, 127], shape),
        np.full(shape, g.choice([-128, 127])),
    )
    return kinds[g.choice(4, p=(0.4, 0.4, 0.1, 0.1))].astype(np.int8)


def packed_weights(g: Generator, shape: Pair) -> tuple[np.ndarray, bytes]:
    """Return weights of 4 bits, and the bytes that they are in: what fills their last word is anything."""
    weight = weights(g, shape) >> 4
    codes = g.integers(0, 16, (shape[0], (shape[1] + 7) // 8 * 8), np.uint8)
    codes[:, : shape[1]] = weight & 15
    return weight, (codes[:, ::2] | codes[:, 1::2] << 4).tobytes()


def room(weight: np.ndarray) -> np.ndarray:
    """Return how large a bias each output may have."""
    return LARGEST - 255 * np.abs(weight.astype(np.int64)).sum(1)


def cut(g: Generator) -> tuple[int, int, int]:
    """Return LOW, HIGH and ZERO."""
    zero = int(g.choice([0, 255, g.integers(256)]))
    low, high = np.sort(g.integers(0, 256, 2)).tolist()
    kinds = ((0, 255), (zero, 255), (low, high), (low, low))
    return (*kinds[g.choice(4, p=(0.5, 0.2, 0.2, 0.1))], zero)


def finishing(g: Generator, sums: np.ndarray, room: np.ndarray, axis: int) -> tuple[bytes, dict[str, int]]:
    """Return constants and words for sums, of which `sums` are a sample along the other axis.

    Mostly they spread what comes out over the bytes; else they are anything that is valid.
    """
    count = sums.shape[axis]
    spread = np.maximum(1, np.abs(sums).max(1 - axis))
    near, wild = g.random(2) < (0.8, 0.2)
    bias = np.minimum(room, spread if near else room)
    bias = np.rint(bias * (g.choice([-1, 1], count) if wild else g.uniform(-1, 1, count))).astype(np.int64)
    rescale = _rescaling(g, spread + np.abs(bias)) if g.random() < 0.8 else _any_rescaling(g, count)
    start = count + int(g.integers(5))
    constants = np.zeros(start + count, "<i4")
    constants[:count], constants[start:] = bias, rescale
    low, high, zero = cut(g)
    return constants.tobytes(), {"RESCALE": start, "LOW": low, "HIGH": high, "ZERO": zero}


def _rescaling(g: Generator, largest: np.ndarray) -> np.ndarray:
    """Return the rescaling words that bring sums up to `largest` to about -256..256."""
    first = np.maximum(0, np.ceil(np.log2(largest)).astype(np.int64) - 15)
    factor = g.integers(1 << 13, 1 << 14, len(largest))
    second = np.rint(np.log2(np.maximum(1, (largest >> first) * factor / 256))).astype(np.int64)
    return np.clip(second, 1, 30) << 24 | np.clip(first, 0, 31) << 16 | factor


def _any_rescaling(g: Generator, count: int) -> np.ndarray:
    factor = g.choice([0, 1, (1 << 14) - 1, g.integers(1 << 14)], count)
    return g.integers(1, 31, count) << 24 | g.integers(0, 32, count) << 16 | factor
