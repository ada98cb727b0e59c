"""Cases of the operations on values of 16 bits, for `int8_cases`.

wide_conv2d                   groups channels out_channels (of one group), and the window
wide_add, wide_multiply       extents (planes, lines, count), whole, kept: as of add_strided
wide_lookup                   count middle most bits skipped
narrow                        count
"""

from typing import Any

import numpy as np

from burnrt import wide_words as wide
from kit.int8.int8_numbers import LARGEST, Generator, weights

STEPS = 65535


def words16(g: Generator, count: int, most: int = STEPS) -> np.ndarray:
    """Return numbers of 16 bits: any, the ends of the range, all the same, or small ones."""
    kinds = (
        g.integers(0, most + 1, count),
        g.choice([0, most], count),
        np.full(count, g.choice([0, most])),
        g.integers(0, min(most, 300) + 1, count),
    )
    return kinds[g.choice(4, p=(0.6, 0.15, 0.1, 0.15))].astype("<u2")


def cut16(g: Generator) -> tuple[int, int, int]:
    """Return LOW, HIGH and ZERO."""
    zero = int(g.choice([0, STEPS, g.integers(STEPS + 1)]))
    low, high = np.sort(g.integers(0, STEPS + 1, 2)).tolist()
    kinds = ((0, STEPS), (zero, STEPS), (low, high), (low, low))
    return (*kinds[g.choice(4, p=(0.5, 0.2, 0.2, 0.1))], zero)


def rescaling(g: Generator, largest: np.ndarray) -> np.ndarray:
    """Return rescaling words: mostly those that bring sums up to `largest` to about 16 bits."""
    count = len(largest)
    if g.random() < 0.25:
        factor = g.choice([0, 1, STEPS, g.integers(STEPS + 1)], count)
        return g.integers(1, 30, count) << 24 | g.integers(0, 32, count) << 16 | factor
    first = np.maximum(0, np.ceil(np.log2(largest + 1)).astype(np.int64) - 20)
    factor = g.integers(1 << 15, 1 << 16, count)
    second = np.rint(np.log2(np.maximum(1, (largest >> first) * factor / 2**24))).astype(np.int64)
    return np.clip(second, 1, 29) << 24 | np.clip(first, 0, 31) << 16 | factor


def sums(arena_of: Any, window_of: Any, g: Generator, **geometry: Any) -> Any:
    """Return a case of wide_conv2d. arena_of, window_of: what makes an arena, and the words of a window."""
    groups, channels, outputs = (
        geometry.pop(name, 0) or int(g.integers(1, most + 1))
        for name, most in (("groups", 3), ("channels", 5), ("out_channels", 5))
    )
    window = window_of(g, **geometry)
    taps = channels * window["KERNEL"] * window["KERNEL1"]
    plane, cells = window["HEIGHT"] * window["WIDTH"], window["OUT_HEIGHT"] * window["OUT_WIDTH"]
    arena = arena_of(
        g, INPUT=2 * groups * channels * plane, OUTPUT=2 * groups * outputs * cells, WORK=2 * taps
    )
    arena.fill("INPUT", np.frombuffer(words16(g, groups * channels * plane).tobytes(), np.uint8))
    weight = weights(g, (groups * outputs, taps))
    most = min(STEPS, LARGEST // 128 // taps)
    most = int(g.choice([most, g.integers(1, most + 1)]))
    room = LARGEST - 128 * taps * most
    spread = np.abs(weight.astype(np.int64)).sum(1) * most // 2 + 1
    bias = np.rint(np.minimum(room, spread) * g.uniform(-1, 1, len(spread))).astype(np.int64)
    start = len(bias) + int(g.integers(5))
    constants = np.zeros(start + len(bias), "<i4")
    constants[: len(bias)], constants[start:] = bias, rescaling(g, spread)
    low, high, zero = cut16(g)
    words = {"CHANNELS": channels, **window, "GROUPS": groups, "OUT_CHANNELS": outputs, "RESCALE": start}
    words |= {"PAD": int(g.choice([0, most])), "SUMS_MOST": most, "SUMS_LOW": low, "SUMS_HIGH": high}
    words |= {"SUMS_ZERO": zero, **arena.offsets}
    return arena.case("wide_conv2d", weight, constants.tobytes(), words, groups * outputs * cells * taps)


def pairs(
    arena_of: Any,
    steps_of: Any,
    kind: str,
    g: Generator,
    extents: Any = None,
    whole: Any = None,
    kept: bool | None = None,
) -> Any:
    """Return a case of wide_add or wide_multiply. steps_of: what makes steps through an operand."""
    extents = extents or tuple(int(g.integers(1, most + 1)) for most in (3, 4, 12))
    whole = whole or [[True, True, True], g.random(3) < 0.6][:: int(g.choice([1, -1]))]
    kept = g.random() < 0.3 if kept is None else kept
    first, second = (steps_of(extents, each) for each in ([*whole[0][:2], True], whole[1]))
    sizes = [
        1 + sum(step * (extent - 1) for step, extent in zip(steps, extents, strict=True))
        for steps in (first, second)
    ]
    count = int(np.prod(extents))
    arena = arena_of(g, INPUT=2 * sizes[0], OTHER=2 * sizes[1], OUTPUT=2 * count)
    same = [name for name, size in zip(("INPUT", "OTHER"), sizes, strict=True) if size == count]
    arena.share("OUTPUT", g.choice(["OUTPUT", *same]))
    for name, size in zip(("INPUT", "OTHER"), sizes, strict=True):
        arena.fill(name, np.frombuffer(words16(g, size).tobytes(), np.uint8))
    low, high, zero = cut16(g)
    words = {"PLANES": extents[0], "LINES": extents[1], "COUNT": extents[2], "KEPT": int(kept)}
    words |= {"FIRST_STEPS": first[0], "FIRST_STEPS1": first[1]}
    words |= {"SECOND_STEPS": second[0], "SECOND_STEPS1": second[1], "SECOND_STEPS2": second[2]}
    words |= {"PAIRS_LOW": low, "PAIRS_HIGH": high, **arena.offsets}
    words |= _factors(g) if kind == "wide_add" else _product(g, zero)
    weight = words16(g, sizes[1]).tobytes() if kept else b""
    return arena.case(kind, weight, b"", words, count)


def _factors(g: Generator) -> dict[str, int]:
    bits = int(g.integers(0, 13))
    first, second = g.integers(-(1 << bits), (1 << bits) + 1, 2).tolist()
    room = LARGEST - STEPS * (abs(first) + abs(second))
    bias = int(g.integers(-room, room + 1)) if g.random() < 0.3 else int(g.integers(room)) >> 9
    shift = int(g.choice([g.integers(31), bits]))
    return {"FIRST_FACTOR": first, "SECOND_FACTOR": second, "BIAS": bias, "SHIFT": shift}


def _product(g: Generator, zero: int) -> dict[str, int]:
    zeros = [int(g.choice([0, STEPS, g.integers(STEPS + 1)])) for _ in range(2)]
    word = int(rescaling(g, np.array([int(g.integers(1, 1 << 29))]))[0])
    return {"FIRST_ZERO": zeros[0], "SECOND_ZERO": zeros[1], "RESCALING": word, "PAIRS_ZERO": zero}


def lookup(
    arena_of: Any,
    g: Generator,
    count: int = 0,
    middle: int | None = None,
    most: int = 0,
    bits: int = 0,
    skipped: int | None = None,
) -> Any:
    """Return a case of wide_lookup, with a random table."""
    count, bits = count or int(g.integers(1, 31)), bits or int(g.integers(1, 9))
    most = most or int(g.choice([STEPS, 255, g.integers(STEPS + 1)]))
    middle = int(g.choice([0, most, g.integers(most + 1)])) if middle is None else middle
    skipped = int(g.integers(9)) if skipped is None else skipped
    turn = wide.entries(most - middle, bits, skipped)
    size = turn + (wide.entries(middle, bits, skipped) if middle else 0)
    arena = arena_of(g, INPUT=2 * count, OUTPUT=2 * count)
    arena.share("OUTPUT", g.choice(["INPUT", "OUTPUT"]))
    arena.fill("INPUT", np.frombuffer(words16(g, count, most).tobytes(), np.uint8))
    words = {"COUNT": count, "MIDDLE": middle, "MOST": most, "BITS": bits, "SKIPPED": skipped, "TURN": turn}
    return arena.case("wide_lookup", words16(g, size).tobytes(), b"", {**words, **arena.offsets}, count)


def narrow(arena_of: Any, g: Generator, count: int = 0) -> Any:
    """Return a case of narrow."""
    count = count or int(g.integers(1, 31))
    arena = arena_of(g, INPUT=2 * count, OUTPUT=count)
    arena.fill("INPUT", np.frombuffer(words16(g, count).tobytes(), np.uint8))
    factor = int(g.integers(1 << int(g.integers(15))))
    room = LARGEST - STEPS * factor
    bias = int(g.integers(-room, room + 1))
    words = {"COUNT": count, "NARROW_FACTOR": factor, "NARROW_BIAS": bias if g.random() < 0.3 else bias >> 8}
    words |= {"NARROW_SHIFT": int(g.choice([g.integers(31), max(0, factor.bit_length() + 7)]))}
    low, high = np.sort(g.choice([0, 255, g.integers(256)], 2)).tolist()
    return arena.case("narrow", b"", b"", {**words, **arena.offsets, "LOW": low, "HIGH": high}, count)
