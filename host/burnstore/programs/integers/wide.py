"""Steps on values of 16 bits, and those at their borders."""

from dataclasses import replace
from math import prod

import numpy as np

from burnpack.errors import Unsupported
from burnpack.tensor import Tensor
from burnrt import words as at
from burnstore.graph.moves import Move, Moved
from burnstore.graph.operations import (
    Add,
    AveragePool,
    Convolution,
    Linear,
    Lookup,
    Product,
    Sum,
    Window,
)
from burnstore.graph.wide import Narrow, Widen
from burnstore.programs.integers.moves import split, words_of
from burnstore.programs.integers.step import Made, Maker, Step
from burnstore.quantize.rescale import (
    WIDE_ADD_MOST,
    WIDE_MOST,
    narrow_words,
    wide_add_words,
    wide_word,
)
from burnstore.quantize.tables import best_table
from burnstore.quantize.weights import integers
from burnstore.quantize.wide import kept_bytes

_EXTENT_MOST = 1 << 15
_SPLIT = 3  # bits that go off a product before it is rescaled


def _linear(step: Step) -> Made:
    operation: Linear = step.operation
    outputs, inputs = operation.weight.shape
    window = Window((1, 1), (1, 1), (1, 1))
    return _weighted(step, (outputs, inputs), (inputs, outputs, 1), window)


def _convolution(step: Step) -> Made:
    operation: Convolution = step.operation
    out, inputs, height, width = operation.weight.shape
    shape = (out, inputs, width) if operation.lines else (out, inputs, height, width)
    geometry = (inputs, out // operation.groups, operation.groups)
    return _weighted(step, shape, geometry, operation.window)


def _weighted(step: Step, shape: tuple[int, ...], geometry: tuple[int, int, int], window: Window) -> Made:
    """Return a step with weights. geometry: channels in and out of a group, and groups."""
    operation, per = step.operation, step.operation.per or step.per
    name, scales = f"{step.name}.weight", operation.scales
    found = integers(
        name, operation.weight, operation.bias, step.given, per, shape, kept=scales, fit=step.fit
    )
    factors = step.given.scale * found.scales / step.made.scale
    used = np.abs(operation.weight).reshape(len(factors), -1).any(1)
    _check(step, float(factors[used].max(initial=0)), WIDE_MOST)
    words = [wide_word(factor) for factor in factors.tolist()]
    return _sums(step, geometry, window, found.tensor, found.bias, words)


def _check(step: Step, factor: float, most: float) -> None:
    """Refuse a factor that is larger than there can be: what is made is too fine for what comes in."""
    if factor > most:
        what = "what it is joined with has too small numbers for 16 bits of both"
        raise Unsupported(what, step.name, expected=most, found=factor)


def _mean(step: Step) -> Made:
    """Return the step of a pool as sums with weights of 1.

    Where no window reaches into the next plane, all planes are one, and the weights those of one channel.
    """
    operation: AveragePool = step.operation
    window, channels = operation.window, operation.channels
    (height, width), (rows, columns) = window.size, window.out_size
    down = height if rows == 1 else window.stride[0]
    if down * rows == height and channels * height <= _EXTENT_MOST:
        sizes = (channels * height, width), (channels * rows, columns)
        window, channels = Window(*sizes, window.kernel, (down, window.stride[1])), 1
    factor = step.given.scale / (step.made.scale * float(operation.divisors[0]))
    _check(step, factor, WIDE_MOST)
    bias = np.full(channels, -step.given.zero_point * int(operation.inside[0]))
    weight = b"\x01" * (channels * prod(window.kernel))
    return _sums(step, (1, 1, channels), window, weight, bias, [wide_word(factor)] * channels)


def _sums(
    step: Step,
    geometry: tuple[int, int, int],
    window: Window,
    weight: Tensor | bytes,
    bias: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    rescaling: list[int],
) -> Made:
    channels, outputs, groups = geometry
    rescale, constants = step.constants(bias, rescaling)
    (work,) = step.memory.work[step.operation.output]
    given, low, high = step.given, *_bounds(step)
    words = step.words(rescale, work, given.zero_point, channels, *window.words(), groups, outputs, cut=False)
    return Made("wide_conv2d", [*words, given.most, low, high, step.made.zero_point], weight, constants)


def _bounds(step: Step) -> tuple[int, int]:
    return step.made.cut(step.operation.low, step.operation.high)


def _add(step: Step) -> Made:
    operation: Add = step.operation
    other = step.memory.offsets[operation.inputs[1]]
    extents, steps = (1, 1, operation.count), ((0, 0, 1), (0, 0, 1))
    return _added(step, (other, None), extents, steps)


def _sum(step: Step) -> Made:
    operation: Sum = step.operation
    return _added(step, _second(step), operation.extents, operation.steps)


def _added(
    step: Step,
    other: tuple[int, bytes | None],
    extents: tuple[int, int, int],
    steps: tuple[tuple[int, int, int], tuple[int, int, int]],
) -> Made:
    second = step.all_given[1] if other[1] is None else kept_bytes(step.operation)
    given = step.given, second
    factors = [
        factor * each.scale / step.made.scale
        for factor, each in zip(step.operation.factors, given, strict=True)
    ]
    _check(step, max(map(abs, factors)), WIDE_ADD_MOST)
    zeros = given[0].zero_point, given[1].zero_point
    found = wide_add_words((factors[0], factors[1]), zeros, step.made.zero_point)
    return _pairs(step, "wide_add", other, extents, steps, found)


def _product(step: Step) -> Made:
    operation: Product = step.operation
    other = _second(step)
    second = step.all_given[1] if other[1] is None else kept_bytes(operation)
    factor = step.given.scale * second.scale / step.made.scale * (1 << _SPLIT)
    _check(step, factor, WIDE_MOST)
    found = [step.given.zero_point, second.zero_point, wide_word(factor), step.made.zero_point]
    return _pairs(step, "wide_multiply", other, operation.extents, operation.steps, found)


def _second(step: Step) -> tuple[int, bytes | None]:
    """Return where the second operand lies, or its numbers where these are kept."""
    operation: Sum | Product = step.operation
    if operation.kept is None:
        return step.memory.offsets[operation.inputs[1]], None
    return 0, kept_bytes(operation).of(operation.kept).tobytes()


def _pairs(
    step: Step,
    kernel: str,
    other: tuple[int, bytes | None],
    extents: tuple[int, int, int],
    steps: tuple[tuple[int, int, int], tuple[int, int, int]],
    found: list[int],
) -> Made:
    walk = [*extents[:2], *steps[0][:2], *steps[1], int(other[1] is not None)]
    words = step.words(other[0], extents[2], *found, *walk, *_bounds(step), cut=False)
    return Made(kernel, words, other[1])


def _lookup(step: Step) -> Made:
    operation: Lookup = step.operation
    bounds = operation.low, operation.high
    shape, table = best_table(operation.function, step.given, step.made, bounds, step.name)
    return Made("wide_lookup", step.words(0, operation.count, *shape, cut=False), table)


def _widen(step: Step) -> list[Made]:
    """Return steps that put each byte where the lower one of two is, of which the upper one is 0."""
    offsets, operation = step.memory.offsets, step.operation
    count, place = operation.count, offsets[operation.output]
    found = Moved(0, 0, 0, ((count, 1, 2),))
    words = words_of(found, offsets[operation.inputs[0]], 0, place, 0, 2 * count)
    return [Made("fill", [0, place, 0, 0, 0, 0, 2 * count, 0]), Made("copy", words)]


def _narrow(step: Step) -> Made:
    found = narrow_words(step.given.scale / step.made.scale, step.given.zero_point, step.made.zero_point)
    words = step.words(0, step.operation.count, *found)
    words[at.ZERO] = 0
    return Made("narrow", words)


def _move(step: Step) -> list[Made]:
    operation: Move = step.operation
    place, steps = step.memory.offsets[operation.output], []
    parts = [_doubled(part) for part in operation.parts]
    if operation.filled is not None:
        everywhere = Moved(0, 0, 0, ((operation.count, 0, 1),), np.full(1, operation.filled))
        parts.insert(0, _doubled(everywhere))
    apart = operation.filled is None and all(part.is_one_piece for part in parts)
    for part in parts:
        for each in split(part):
            start, _ = each.span
            into = (place + start, 0, each.count) if apart else (place, start, 2 * operation.count)
            if each.numbers is None:
                given = step.memory.offsets[operation.inputs[each.number]]
                steps.append(Made("copy", words_of(each, given, 0, *into)))
            else:
                first, last = each.reach
                numbers = each.numbers[first // 2 : last // 2 + 1].clip(operation.low, operation.high)
                weight = step.made.of(numbers).tobytes()
                steps.append(Made("copy", words_of(each, -first, 2, *into), weight))
    return steps


def _doubled(part: Moved) -> Moved:
    """Return the same of bytes, of which a number has two. Numbers that are kept stay as they are."""
    dims = [(extent, 2 * step, 2 * out_step) for extent, step, out_step in part.dims]
    near = next((place for place, dim in enumerate(dims) if dim[1:] == (2, 2)), None)
    if near is None:
        dims.append((2, 1, 1))
    else:
        dims[near] = (2 * dims[near][0], 1, 1)
    return replace(part, start=2 * part.start, to=2 * part.to, dims=tuple(dims))


WIDE: dict[type, Maker] = {
    Linear: _linear,
    Convolution: _convolution,
    AveragePool: _mean,
    Add: _add,
    Sum: _sum,
    Product: _product,
    Lookup: _lookup,
    Move: _move,
    Widen: _widen,
    Narrow: _narrow,
}
