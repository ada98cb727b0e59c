"""What the words of a step must be, before a kernel trusts them.

A kernel asks nothing: it reads and writes where the words say. So each word is held to its range here, and in
`flow` what follows from them to the arena. Numbers stay small enough for the smallest integers of
MicroPython, 31 bits with their sign.
"""

from burnpack.compat import ON_BOARD, const
from burnpack.errors import LimitExceeded, Malformed
from burnrt.int8 import words as at

if False:  # for type checkers
    from typing import NoReturn

    from burnrt.types import Words


_PROGRAM = "int8.program"

ARENA_MOST = const(1 << 24)  # bytes: more than a board has, and all that a view reaches on 32 bits
# Numbers that a run may look at: minutes on a board. MobileNetV1 for images of 224 by 224 has 569 million.
WORK_MOST = 1 << 28 if ON_BOARD else 600_000_000
RANK_MOST = const(8)
_EXTENT_MOST = const(32767)  # two of them multiplied still fit
_SUM_MOST = const((1 << 30) - 1)
_PRODUCT_MOST = const(255 * 128)  # of a number and a weight
_FACTOR_END = const(1 << 14)
_POWER_MOST = const(1 << 20)
_POWERS_MOST = const(1 << 28)  # of a row together
_ROW_MOST = const(1 << 14)  # numbers in a softmax
_PASSES = const(8)  # what a number costs that is no part of a sum, in products
END_WORK = const(64)  # what a number costs that comes in or goes out, as floats
_GAP_MOST = const(64)  # words between biases and rescaling words: tensors begin at multiples of so many

_AXES = (("HEIGHT", "OUT_HEIGHT", "vertical "), ("WIDTH", "OUT_WIDTH", "horizontal "))


class Step:
    """A step's words, in a file that may lie.

    inputs, outputs: how many numbers come in and go out. weight: the shape of its weights, or None. columns:
    how many biases and rescaling words it has. rescale: the word at which the latter begin. bias_most: the
    largest that a bias may be, so that no sum gets too large. window: how many numbers go into one that goes
    out. work: how many it looks at in all.
    """

    operation: str
    name: str
    words: "Words"
    weight: tuple[int, ...] | None
    columns: int
    rescale: int
    bias_most: int
    inputs: int
    outputs: int
    window: int
    work: int

    def __init__(self, operation: str, name: str, words: "Words") -> None:
        self.operation = operation
        self.name = name
        self.words = words
        self.weight = None
        self.columns = self.rescale = self.bias_most = 0
        self.window = 1
        self.inputs, self.outputs = _SIZES[operation](self)
        self.work = self.outputs * self.window

    def word(self, place: int, label: str, least: int, most: int) -> int:
        """Return the word at `place`; refuse one that is not in least..most."""
        value = self.words[place]
        if not least <= value <= most:
            self.refuse(label, "%d to %d" % (least, most), value)
        return value

    def extent(self, place: int, label: str) -> int:
        return self.word(place, label, 1, _EXTENT_MOST)

    def refuse(self, label: str, expected: object, found: object) -> "NoReturn":
        """Raise `Malformed` for the word called `label`."""
        item = "step %s, %s" % (self.name, self.operation)
        raise Malformed("wrong %s" % label, item, expected=expected, found=found)


def check_columns(step: "Step", constants: "Words") -> None:
    """Refuse biases and rescaling words that numbers would overflow by."""
    for column in range(step.columns):
        bias, word = constants[column], constants[step.rescale + column]
        if not -step.bias_most <= bias <= step.bias_most:
            step.refuse("bias %d" % column, "at most %d" % step.bias_most, bias)
        if not 1 <= word >> 24 <= 30 or word >> 21 & 7 or word & 0xFFFF >= _FACTOR_END:
            step.refuse("rescaling word %d" % column, "shifts 0-31 and 1-30, a factor below 2^14", word)


def check_powers(step: "Step", powers: "Words") -> None:
    """Refuse the powers of a softmax that have no sum, or too large a one."""
    most = min(_POWER_MOST, _POWERS_MOST // step.words[at.SIZE])
    for place in range(256):
        least = 1 if place == 0 else 0
        if not least <= powers[place] <= most:
            step.refuse("power %d" % place, "%d to %d" % (least, most), powers[place])


def check_work(work: int, most: int) -> None:
    """Refuse a program that looks at more than `most` numbers."""
    if work > most:
        raise LimitExceeded("a run takes too long", _PROGRAM, None, None, "at most %d numbers" % most, work)


def check_arena(size: int) -> None:
    """Refuse an arena that no board has."""
    if not 0 <= size <= ARENA_MOST:
        raise LimitExceeded("wrong size of the arena", _PROGRAM, expected="0 to %d" % ARENA_MOST, found=size)


def _linear(step: "Step") -> tuple[int, int]:
    rows, inputs, outputs = [
        step.extent(place, label)
        for place, label in ((at.ROWS, "ROWS"), (at.INPUTS, "INPUTS"), (at.OUTPUTS, "OUTPUTS"))
    ]
    _check_sum(step, inputs, _PRODUCT_MOST)
    step.window = inputs
    step.weight = (outputs, inputs)
    _set_columns(step, outputs)
    return rows * inputs, rows * outputs


def _conv2d(step: "Step") -> tuple[int, int]:
    channels = step.extent(at.CHANNELS, "CHANNELS")
    groups, outputs = step.extent(at.GROUPS, "GROUPS"), step.extent(at.OUT_CHANNELS, "OUT_CHANNELS")
    _set_weight(step, groups * outputs, channels)
    plane, out_plane = _window(step)
    return groups * channels * plane, groups * outputs * out_plane


def _depthwise2d(step: "Step") -> tuple[int, int]:
    channels = step.extent(at.CHANNELS, "CHANNELS")
    _set_weight(step, channels, 1)
    plane, out_plane = _window(step)
    return channels * plane, channels * out_plane


def _set_weight(step: "Step", outputs: int, channels: int) -> None:
    step.word(at.PAD, "PAD", 0, 255)
    kernel = (step.extent(at.KERNEL, "vertical KERNEL"), step.extent(at.KERNEL + 1, "horizontal KERNEL"))
    step.window = channels
    step.weight = (outputs, channels) + kernel
    _check_sum(step, channels * kernel[0] * kernel[1], _PRODUCT_MOST)
    _set_columns(step, outputs)


def _max_pool2d(step: "Step") -> tuple[int, int]:
    channels = step.extent(at.CHANNELS, "CHANNELS")
    plane, out_plane = _window(step)
    return channels * plane, channels * out_plane


def _avg_pool2d(step: "Step") -> tuple[int, int]:
    sizes = _max_pool2d(step)
    places = step.words[at.OUT_HEIGHT] * step.words[at.OUT_WIDTH]
    cells = step.words[at.CELLS]
    if cells not in (1, places):
        step.refuse("CELLS", "1 or %d" % places, cells)
    _check_sum(step, step.words[at.KERNEL] * step.words[at.KERNEL + 1], 255)
    _set_columns(step, cells)
    return sizes


def _add(step: "Step") -> tuple[int, int]:
    _check_cut(step)
    first, second, bias = step.words[at.FIRST_FACTOR], step.words[at.SECOND_FACTOR], step.words[at.BIAS]
    most = 255 * (abs(first) + abs(second)) + abs(bias)
    if most > _SUM_MOST:
        step.refuse("FIRST_FACTOR, SECOND_FACTOR or BIAS", "sums of at most %d" % _SUM_MOST, most)
    step.word(at.SHIFT, "SHIFT", 0, 30)
    return _lookup(step)


def _lookup(step: "Step") -> tuple[int, int]:
    step.window = _PASSES
    count = step.word(at.COUNT, "COUNT", 1, ARENA_MOST)
    return count, count


def _softmax(step: "Step") -> tuple[int, int]:
    rows, size = step.extent(at.ROWS, "ROWS"), step.word(at.SIZE, "SIZE", 1, _ROW_MOST)
    return rows * size, rows * size


_SIZES = {
    "linear": _linear,
    "conv2d": _conv2d,
    "depthwise2d": _depthwise2d,
    "max_pool2d": _max_pool2d,
    "avg_pool2d": _avg_pool2d,
    "add": _add,
    "lookup": _lookup,
    "softmax": _softmax,
}


def _set_columns(step: "Step", count: int) -> None:
    step.rescale = step.word(at.RESCALE, "RESCALE", count, count + _GAP_MOST)
    _check_cut(step)
    step.columns = count


def _check_cut(step: "Step") -> None:
    low = step.word(at.LOW, "LOW", 0, 255)
    step.word(at.HIGH, "HIGH", low, 255)
    step.word(at.ZERO, "ZERO", 0, 255)


def _check_sum(step: "Step", count: int, largest: int) -> None:
    """Refuse more products than a sum has room for; note what is left for a bias."""
    if count > _SUM_MOST // largest:
        step.refuse("number of products", "at most %d" % (_SUM_MOST // largest), count)
    step.bias_most = _SUM_MOST - count * largest


def _window(step: "Step") -> tuple[int, int]:
    """Return how many numbers there are in a plane that comes in, and in one that goes out."""
    plane = out_plane = 1
    for axis in range(2):
        extent, windows = _axis(step, axis, _AXES[axis])
        plane *= extent
        out_plane *= windows
        step.window *= step.words[at.KERNEL + axis]
    return plane, out_plane


def _axis(step: "Step", axis: int, names: tuple[str, str, str]) -> tuple[int, int]:
    extent = step.extent(at.HEIGHT + axis, names[0])
    windows = step.extent(at.OUT_HEIGHT + axis, names[1])
    kernel = step.extent(at.KERNEL + axis, names[2] + "KERNEL")
    stride = step.extent(at.STRIDE + axis, names[2] + "STRIDE")
    dilation = step.extent(at.DILATION + axis, names[2] + "DILATION")
    padding = step.word(at.PADDING + axis, names[2] + "PADDING", 0, _EXTENT_MOST)
    # One window more is where there is more padding at the end, or where pooling rounds up.
    fit = (extent + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1
    if not fit <= windows <= fit + 1:
        step.refuse(names[1], "%d or %d" % (fit, fit + 1), windows)
    before = padding > dilation * (kernel - 1)  # the first window ends in the padding
    behind = (windows - 1) * stride - padding >= extent
    starting = min(windows, -(-padding // stride))  # windows that begin in the padding
    if before or behind or _over(starting, stride, -padding, dilation, extent):
        step.refuse(names[2] + "PADDING", "something of the input in every window", padding)
    return extent, windows


def _over(count: int, stride: int, start: int, dilation: int, extent: int) -> bool:
    """Return whether one of `count` windows from `start` on has its first place behind the padding, which is
    its start modulo the dilation, behind the input as well."""
    room = max(0, dilation - extent)
    return _wholes(count, stride, start + room, dilation) != _wholes(count, stride, start, dilation)


def _wholes(count: int, step: int, start: int, divisor: int) -> int:
    """Return the sum of (i × step + start) // divisor over i below `count`, in as few steps as Euclid's."""
    total = 0
    while count:
        total += (count - 1) * count // 2 * (step // divisor) + count * (start // divisor)
        step %= divisor
        count, start = divmod(step * count + start % divisor, divisor)
        step, divisor = divisor, step
    return total
