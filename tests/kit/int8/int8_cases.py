"""Cases of the integer operations: valid by the contract of `burnrt.kernels.int8`, random or extreme.

    case = random_case("conv2d", np.random.default_rng(1))                    # small
    case = random_case("linear", generator, rows=1, inputs=256, outputs=64)   # of exactly this geometry

Geometry by operation, each name optional; pairs are (vertical, horizontal):

    linear                        rows inputs outputs
    linear4                       inputs outputs places planar (0 or 1)
    conv2d                        groups channels out_channels (of one group) pairs, and the window
    depthwise2d, max_pool2d       channels, and the window
    avg_pool2d                    channels, cells (1, or how many places the output plane has), and the window
    the window                    size (of the input plane) kernel stride padding dilation out_size
    add, lookup                   count
    softmax                       rows length
    copy, fill                    as `move_cases` says
    masked_softmax                rows length period
    matmul                        matrices lines inner columns zero (of the second numbers)
    embedding                     count size entries wide (0 or 1: whether indices have 16 bits)
    lookup_each                   count (of each table) tables
    resample                      channels size (of the input plane) out_size kernel (of how many rows and
                                  columns each number is made)
    normalize                     rows pairs (of gains and offsets in a row) inner (numbers that share one)
                                  center each (whether each row has its own)
    gru, lstm, rnn                as `recurrent_cases` says
    wide_..., narrow              as `wide_cases` says
    add_strided, multiply_strided extents (planes, lines, count), whole (of each operand, along which of these
                                  it has numbers of its own), kept
"""

from typing import Any, NamedTuple

import numpy as np

from burnrt import words as at
from burnrt.kernels.int8 import memory
from burnrt.kernels.int8 import numpy as definition
from burnrt.lengths import LENGTHS
from kit.int8 import move_cases, recurrent_cases, wide_cases
from kit.int8.int8_numbers import (
    LARGEST,
    Generator,
    Pair,
    cut,
    finishing,
    numbers,
    packed_weights,
    room,
    weights,
)
from kit.int8.small_int8 import place_of

OPERATIONS = tuple(LENGTHS)
PACKED = ("linear4",)  # of which weights lie at a multiple of 4, and none behind the last is read
SPARE = 4  # bytes behind the weights


class Case(NamedTuple):
    """What a kernel is called with, as bytes.

    output, work: offset and size of the places in the arena that the kernel writes to; all else stays as it
    is. What is in `work` afterwards is nobody's business.
    """

    operation: str
    arena: bytearray
    weight: bytes
    constants: bytes
    words: bytes
    macs: int
    output: Pair
    work: Pair


def random_case(operation: str, generator: Generator, **geometry: Any) -> Case:
    """Return a case of the operation; `geometry` as the module says."""
    return _MAKERS[operation](generator, **geometry)


def expected(case: Case) -> bytearray:
    """Return the arena as the definition leaves it."""
    arena = bytearray(case.arena)
    kernel = getattr(definition, case.operation)
    kernel(arena, case.weight, memory.words(case.constants), memory.words(case.words))
    return arena


def agrees(case: Case, arena: bytes) -> bool:
    """Tell whether `arena`, as a kernel left it, is what the definition says, at each place but in `work`."""
    found, wanted = bytearray(arena), expected(case)
    start, size = case.work
    found[start : start + size] = wanted[start : start + size]
    return found == wanted


def _linear(g: Generator, rows: int = 0, inputs: int = 0, outputs: int = 0) -> Case:
    rows, inputs, outputs = rows or _upto(g, 3), inputs or _upto(g, 40), outputs or _upto(g, 9)
    weight = weights(g, (outputs, inputs))
    arena = _Arena(g, INPUT=rows * inputs, OUTPUT=rows * outputs)
    arena.fill("INPUT", numbers(g, rows * inputs))
    x = arena.numbers("INPUT").reshape(rows, inputs).astype(np.int64)
    constants, finish = finishing(g, x @ weight.T.astype(np.int64), room(weight), axis=1)
    words = {**arena.offsets, **finish, "ROWS": rows, "INPUTS": inputs, "OUTPUTS": outputs}
    return arena.case("linear", weight, constants, words, rows * inputs * outputs)


def _linear4(
    g: Generator, inputs: int = 0, outputs: int = 0, places: int = 0, planar: int | None = None
) -> Case:
    inputs, outputs, places = inputs or _upto(g, 40), outputs or _upto(g, 9), places or _upto(g, 4)
    planar = int(g.integers(2)) if planar is None else planar
    weight, stored = packed_weights(g, (outputs, inputs))
    arena = _Arena(g, INPUT=places * inputs, OUTPUT=places * outputs, WORK=at.packed_work(inputs))
    arena.fill("INPUT", numbers(g, places * inputs))
    x = arena.numbers("INPUT").reshape((inputs, places) if planar else (places, inputs))
    sums = (x.T if planar else x).astype(np.int64) @ weight.T.astype(np.int64)
    constants, finish = finishing(g, sums, room(weight), axis=1)
    words = {**arena.offsets, **finish, "INPUTS": inputs, "OUTPUTS": outputs, "PLACES": places}
    return arena.case("linear4", stored, constants, words | {"PLANAR": planar}, places * inputs * outputs)


def _conv2d(
    g: Generator, groups: int = 0, channels: int = 0, out_channels: int = 0, pairs: int = 0, **window: Any
) -> Case:
    groups, channels, out_channels, pairs = (
        groups or _upto(g, 3),
        channels or _upto(g, 5),
        out_channels or _upto(g, 5),
        pairs or _upto(g, 4),
    )
    window_words = _window(g, **window)
    taps = _both(window_words, "KERNEL")
    weight = weights(g, (groups * out_channels, channels * taps))
    words = {"CHANNELS": channels, **window_words, "GROUPS": groups, "OUT_CHANNELS": out_channels}
    words["PAIRS"] = pairs
    work = at.work_size(channels, window_words["KERNEL"], window_words["KERNEL1"], pairs)
    return _convolution(g, "conv2d", weight, words, groups * channels, work)


def _depthwise2d(g: Generator, channels: int = 0, **window: Any) -> Case:
    channels = channels or _upto(g, 6)
    words = {"CHANNELS": channels, **_window(g, **window)}
    weight = weights(g, (channels, _both(words, "KERNEL")))
    return _convolution(g, "depthwise2d", weight, words, channels, None)


def _convolution(
    g: Generator, operation: str, weight: np.ndarray, words: dict[str, int], planes: int, work: int | None
) -> Case:
    sizes = {"INPUT": planes * _both(words, "HEIGHT", "WIDTH")}
    sizes["OUTPUT"] = len(weight) * _both(words, "OUT_HEIGHT", "OUT_WIDTH")
    if work is not None:
        sizes["WORK"] = work
    arena = _Arena(g, **sizes)
    arena.fill("INPUT", numbers(g, sizes["INPUT"]))
    # How large sums get is told from some of random numbers: the definition is to be judged, not used.
    x = arena.numbers("INPUT")
    sample = g.choice(x, (32, weight.shape[1])).astype(np.int64) @ weight.T.astype(np.int64)
    constants, finish = finishing(g, sample, room(weight), axis=1)
    words = {**words, **arena.offsets, **finish, "PAD": int(g.choice([0, 255, g.integers(256)]))}
    return arena.case(operation, weight, constants, words, sizes["OUTPUT"] * weight.shape[1])


def _max_pool2d(g: Generator, channels: int = 0, **window: Any) -> Case:
    channels = channels or _upto(g, 4)
    words = {"CHANNELS": channels, **_window(g, pool=True, **window)}
    return _pool(g, "max_pool2d", words, None)


def _avg_pool2d(g: Generator, channels: int = 0, cells: int = 0, **window: Any) -> Case:
    channels = channels or _upto(g, 4)
    words = {"CHANNELS": channels, **_window(g, pool=True, **window)}
    words["CELLS"] = cells or int(g.choice([1, _both(words, "OUT_HEIGHT", "OUT_WIDTH")]))
    return _pool(g, "avg_pool2d", words, words["CELLS"])


def _pool(g: Generator, operation: str, words: dict[str, int], cells: int | None) -> Case:
    inputs = words["CHANNELS"] * _both(words, "HEIGHT", "WIDTH")
    outputs = words["CHANNELS"] * _both(words, "OUT_HEIGHT", "OUT_WIDTH")
    taps = _both(words, "KERNEL")
    arena = _Arena(g, INPUT=inputs, OUTPUT=outputs)
    arena.fill("INPUT", numbers(g, inputs))
    constants, finish = b"", {}
    if cells is not None:
        sample = g.choice(arena.numbers("INPUT"), (32, cells, taps)).astype(np.int64).sum(2)
        constants, finish = finishing(g, sample, np.full(cells, LARGEST - 255 * taps), axis=1)
    return arena.case(operation, b"", constants, {**words, **arena.offsets, **finish}, outputs * taps)


def _add(g: Generator, count: int = 0) -> Case:
    count = count or _upto(g, 30)
    arena = _Arena(g, INPUT=count, OTHER=count, OUTPUT=count)
    arena.share("OUTPUT", g.choice(["INPUT", "OTHER", "OUTPUT"]))
    for name in ("INPUT", "OTHER"):
        arena.fill(name, numbers(g, count))
    bits = g.integers(0, 20)
    factors = g.integers(-(1 << bits) if g.random() < 0.2 else 0, (1 << bits) + 1, 2)
    low, high, _ = cut(g)
    words = {
        "COUNT": count,
        "FIRST_FACTOR": int(factors[0]),
        "SECOND_FACTOR": int(factors[1]),
        "BIAS": _signed(g, LARGEST - (512 << int(bits)) if g.random() < 0.3 else 64 << int(bits)),
        "SHIFT": int(g.choice([g.integers(31), max(0, bits - 1), bits])),
    }
    return arena.case("add", b"", b"", {**words, **arena.offsets, "LOW": low, "HIGH": high}, count)


def _add_strided(g: Generator, **geometry: Any) -> Case:
    bits = int(g.integers(0, 20))
    factors = g.integers(-(1 << bits) if g.random() < 0.5 else 0, (1 << bits) + 1, 2)
    words = {"FIRST_FACTOR": int(factors[0]), "SECOND_FACTOR": int(factors[1])}
    room = LARGEST - 255 * int(np.abs(factors).sum())
    return _broadcast(g, "add_strided", words, room, bits, **geometry)


def _multiply_strided(g: Generator, **geometry: Any) -> Case:
    bits = int(g.integers(0, 15))
    words = {"FACTOR": int(g.integers(0, 1 << bits)), "FIRST_ZERO": _zero(g), "SECOND_ZERO": _zero(g)}
    room = LARGEST - 255 * 255 * words["FACTOR"]
    return _broadcast(g, "multiply_strided", words, room, bits + 7, **geometry)


def _zero(g: Generator) -> int:
    return int(g.choice([0, 255, g.integers(256)]))


def _broadcast(
    g: Generator,
    operation: str,
    words: dict[str, int],
    room: int,
    bits: int,
    extents: tuple[int, int, int] | None = None,
    whole: tuple[tuple[bool, ...], ...] | None = None,
    kept: bool | None = None,
) -> Case:
    extents = extents or (_upto(g, 3), _upto(g, 4), _upto(g, 12))
    whole = whole or [[True, True, True], g.random(3) < 0.6][:: int(g.choice([1, -1]))]
    kept = g.random() < 0.3 if kept is None else kept
    first, second = (_steps(extents, each) for each in ([*whole[0][:2], True], whole[1]))
    count = int(np.prod(extents))
    sizes = [
        1 + sum(step * (extent - 1) for step, extent in zip(steps, extents, strict=True))
        for steps in (first, second)
    ]
    arena = _Arena(g, INPUT=sizes[0], OTHER=sizes[1], OUTPUT=count)
    same = [name for name, size in zip(("INPUT", "OTHER"), sizes, strict=True) if size == count]
    arena.share("OUTPUT", g.choice(["OUTPUT", *same]))
    for name, size in zip(("INPUT", "OTHER"), sizes, strict=True):
        arena.fill(name, numbers(g, size))
    low, high, _ = cut(g)
    words |= {"PLANES": extents[0], "LINES": extents[1], "COUNT": extents[2], "KEPT": int(kept)}
    words |= {"FIRST_STEPS": first[0], "FIRST_STEPS1": first[1]}
    words |= {"SECOND_STEPS": second[0], "SECOND_STEPS1": second[1], "SECOND_STEPS2": second[2]}
    words["BIAS"] = _signed(g, room if g.random() < 0.3 else min(room, 128 << bits))
    words["SHIFT"] = int(g.choice([g.integers(31), max(0, bits - 1), bits]))
    weight = numbers(g, sizes[1]) if kept else b""
    return arena.case(operation, weight, b"", {**words, **arena.offsets, "LOW": low, "HIGH": high}, count)


def _normalize(
    g: Generator, rows: int = 0, pairs: int = 0, inner: int = 0, center: int | None = None, each: bool = False
) -> Case:
    rows, pairs, inner = rows or _upto(g, 3), pairs or _upto(g, 12), inner or int(g.choice([1, _upto(g, 9)]))
    center = int(g.choice([at.OWN_MEAN, at.OWN_MEAN, _zero(g)])) if center is None else center
    count, most = pairs * inner, 16257 if center == at.OWN_MEAN else 255 * 255
    arena = _Arena(g, INPUT=rows * count, OUTPUT=rows * count)
    arena.share("OUTPUT", g.choice(["INPUT", "OUTPUT"]))
    arena.fill("INPUT", _near(g, rows * count))
    bits = min(15, int(np.log2(LARGEST / (255.01 * count))))
    more = min(12, bits, int(np.log2(LARGEST / (most * count)))) // 2 * 2
    more -= 2 * int(g.integers(0, more // 2 + 1)) if g.random() < 0.3 else 0
    room = LARGEST - (most * count << more)
    epsilon = int(g.choice([1, g.integers(1, room + 1), 1 << int(g.integers(0, room.bit_length() - 1))]))
    each = each or g.random() < 0.4
    size = pairs * (rows if each else 1)
    gains = g.choice([0, 1 << 13, -(1 << 13)], size) if g.random() < 0.3 else g.integers(-8192, 8193, size)
    offsets = g.integers(-(1 << 29), (1 << 29) + 1, size) >> int(g.choice([0, 4, 8]))
    low, high, _ = cut(g)
    words = {"ROWS": rows, "SIZE": pairs, "INNER": inner, "NEXT": pairs * int(each), "CENTER": center}
    words |= {"MEAN_BITS": bits, "VARIANCE_BITS": more, "EPSILON": epsilon, "LOW": low, "HIGH": high}
    words["SHIFT"] = int(g.choice([g.integers(31), 20]))
    constants = np.stack([gains, offsets], 1).astype("<i4").tobytes()
    return arena.case("normalize", b"", constants, {**words, **arena.offsets}, rows * count)


def _near(g: Generator, count: int) -> np.ndarray:
    """Return numbers, sometimes a few apart at most."""
    if g.random() < 0.6:
        return numbers(g, count)
    return np.clip(g.integers(256) + g.integers(-2, 3, count), 0, 255).astype(np.uint8)


def _steps(extents: tuple[int, int, int], whole: Any) -> list[int]:
    """Return the steps through an operand that has numbers of its own along some extents."""
    steps, size = [0, 0, 0], 1
    for axis in (2, 1, 0):
        if whole[axis]:
            steps[axis], size = size, size * extents[axis]
    return steps


def _resample(
    g: Generator,
    channels: int = 0,
    size: Pair | None = None,
    out_size: Pair | None = None,
    kernel: Pair | None = None,
) -> Case:
    channels, (height, width) = channels or _upto(g, 3), size or (_upto(g, 7), _upto(g, 9))
    rows, columns = out_size or (_upto(g, 9), _upto(g, 12))
    tall, wide = kernel or (_upto(g, 4), _upto(g, 4))
    arena = _Arena(g, INPUT=channels * height * width, OUTPUT=channels * rows * columns, WORK=4 * width)
    arena.fill("INPUT", numbers(g, channels * height * width))
    taps = [_taps(g, height, rows * tall, tall), _taps(g, width, columns * wide, wide)]
    sums = g.integers(0, 255 << 16, (32, 1))
    constants, finish = finishing(g, sums, np.full(1, LARGEST - 255 * 511 * 511 * tall * wide), axis=1)
    words = {"CHANNELS": channels, "HEIGHT": height, "WIDTH": width, "OUT_HEIGHT": rows}
    words |= {"OUT_WIDTH": columns, "KERNEL": tall, "KERNEL1": wide, **finish, **arena.offsets}
    constants += np.concatenate(taps).astype("<i4").tobytes()
    return arena.case("resample", b"", constants, words, channels * rows * columns)


def _taps(g: Generator, extent: int, count: int, taps: int) -> np.ndarray:
    """Return words that say of which lines others are made; sometimes with the largest weights."""
    weights = g.integers(0, 512, count) if g.random() < 0.2 else g.integers(0, 512 // taps, count)
    return g.integers(0, extent, count) << at.TAP_BITS | weights


def _lookup(g: Generator, count: int = 0) -> Case:
    count = count or _upto(g, 30)
    arena = _Arena(g, INPUT=count, OUTPUT=count)
    arena.share("OUTPUT", g.choice(["INPUT", "OUTPUT"]))
    arena.fill("INPUT", numbers(g, count))
    table = g.integers(0, 256, 256, np.uint8)
    return arena.case("lookup", table, b"", {**arena.offsets, "COUNT": count}, count)


def _lookup_each(g: Generator, count: int = 0, tables: int = 0) -> Case:
    count, tables = count or _upto(g, 12), tables or _upto(g, 4)
    arena = _Arena(g, INPUT=count * tables, OUTPUT=count * tables)
    arena.share("OUTPUT", g.choice(["INPUT", "OUTPUT"]))
    arena.fill("INPUT", numbers(g, count * tables))
    table = g.integers(0, 256, 256 * tables, np.uint8)
    words = {**arena.offsets, "COUNT": count, "TABLES": tables}
    return arena.case("lookup_each", table, b"", words, count * tables)


def _softmax(g: Generator, rows: int = 0, length: int = 0) -> Case:
    rows, length = rows or _upto(g, 3), length or _upto(g, 20)
    arena = _Arena(g, INPUT=rows * length, OUTPUT=rows * length)
    arena.fill("INPUT", numbers(g, rows * length))
    most = min(1 << 21, LARGEST // length)
    if g.random() < 0.3:
        powers = g.integers(0, most + 1, 256)
        powers[0] = most
    else:
        powers = np.rint(g.integers(1, most + 1) * np.exp(-np.arange(256) * g.uniform(0.001, 1)))
    words = {**arena.offsets, "ROWS": rows, "SIZE": length}
    return arena.case("softmax", b"", powers.astype("<i4").tobytes(), words, rows * length)


def _masked_softmax(g: Generator, rows: int = 0, length: int = 0, period: int = 0) -> Case:
    case = _softmax(g, rows, length)
    words = np.frombuffer(case.words, "<i4")
    period = period or _upto(g, 3)
    shown = g.random((period, words[at.SIZE])) < g.choice([0.5, 0.9, 0.1])
    mask = np.packbits(shown, axis=1, bitorder="little").tobytes() + case.weight[-SPARE:]
    return case._replace(
        operation="masked_softmax", weight=mask, words=case.words + period.to_bytes(4, "little")
    )


def _matmul(
    g: Generator, matrices: int = 0, lines: int = 0, inner: int = 0, columns: int = 0, zero: int | None = None
) -> Case:
    extents = matrices or _upto(g, 3), lines or _upto(g, 4), inner or _upto(g, 20), columns or _upto(g, 6)
    matrices, lines, inner, columns = extents
    step, gap = int(g.choice([0, lines * inner, lines * inner + 3])), int(g.integers(3))
    down, across = (columns + gap, 1) if g.random() < 0.5 else (1, inner + gap)
    other_step = int(g.choice([0, inner * columns + gap * max(inner, columns), 1]))
    reads = (matrices - 1) * step + lines * inner
    others = (matrices - 1) * other_step + (inner - 1) * down + (columns - 1) * across + 1
    work = at.product_size(inner, columns)
    arena = _Arena(g, INPUT=reads, OTHER=others, OUTPUT=matrices * lines * columns, WORK=work)
    arena.fill("INPUT", numbers(g, reads))
    arena.fill("OTHER", numbers(g, others))
    words = {"MATRICES": matrices, "LINES": lines, "TERMS": inner, "COLUMNS": columns, "STEP": step}
    words |= {"OTHER_STEP": other_step, "DOWN": down, "ACROSS": across, "PAD": int(g.integers(256))}
    words["OTHER_ZERO"] = int(g.choice([128, 0, 255, g.integers(256)])) if zero is None else zero
    sums = g.integers(-255 * 64, 255 * 64, (32, 1)) * max(1, round(inner**0.5))
    constants, finish = finishing(g, sums, np.full(1, LARGEST - 2 * 255 * 128 * inner), axis=1)
    start = finish.pop("RESCALE")
    words["RESCALING"] = int(np.frombuffer(constants, "<i4")[start])
    macs = matrices * lines * inner * columns
    return arena.case("matmul", b"", b"", {**words, **finish, **arena.offsets}, macs)


def _embedding(
    g: Generator, count: int = 0, size: int = 0, entries: int = 0, wide: int | None = None
) -> Case:
    wide = int(g.integers(2)) if wide is None else wide
    count, size, entries = count or _upto(g, 9), size or _upto(g, 9), entries or _upto(g, 256 << wide)
    arena = _Arena(g, INPUT=count << wide, OUTPUT=count * size)
    indices = np.frombuffer(wide_cases.words16(g, count).tobytes(), np.uint8) if wide else numbers(g, count)
    arena.fill("INPUT", indices)
    words = {**arena.offsets, "WIDE": wide, "COUNT": count, "SIZE": size, "ENTRIES": entries}
    return arena.case("embedding", weights(g, (entries, size)), b"", words, count * size)


_MAKERS = {
    "linear": _linear,
    "linear4": _linear4,
    "conv2d": _conv2d,
    "depthwise2d": _depthwise2d,
    "max_pool2d": _max_pool2d,
    "avg_pool2d": _avg_pool2d,
    "add": _add,
    "lookup": _lookup,
    "softmax": _softmax,
    "copy": lambda g, **geometry: move_cases.copy(_Arena, g, **geometry),
    "fill": lambda g, **geometry: move_cases.fill(_Arena, g, **geometry),
    "masked_softmax": _masked_softmax,
    "matmul": _matmul,
    "embedding": _embedding,
    "lookup_each": _lookup_each,
    "normalize": _normalize,
    "resample": _resample,
    "add_strided": _add_strided,
    "multiply_strided": _multiply_strided,
    **{
        kind: lambda g, kind=kind, **geometry: recurrent_cases.recurrent(_Arena, kind, g, **geometry)
        for kind in ("gru", "lstm", "rnn")
    },
    "wide_conv2d": lambda g, **geometry: wide_cases.sums(_Arena, _window, g, **geometry),
    **{
        kind: lambda g, kind=kind, **geometry: wide_cases.pairs(_Arena, _steps, kind, g, **geometry)
        for kind in ("wide_add", "wide_multiply")
    },
    "wide_lookup": lambda g, **geometry: wide_cases.lookup(_Arena, g, **geometry),
    "narrow": lambda g, **geometry: wide_cases.narrow(_Arena, g, **geometry),
}


class _Arena:
    """Buffers in random order, each at a multiple of 4, with junk between."""

    def __init__(self, generator: Generator, **sizes: int) -> None:
        self.sizes, self.offsets = sizes, {}
        end = 4 * int(generator.integers(4))
        for name in generator.permutation(list(sizes)):
            self.offsets[str(name)] = end
            end += (sizes[name] + 3) // 4 * 4 + 4 * int(generator.integers(4))
        self.bytes = bytearray(generator.bytes(end + 4))

    def share(self, name: str, other: str) -> None:
        """Put one buffer where another is."""
        self.offsets[name] = self.offsets[other]

    def numbers(self, name: str) -> np.ndarray:
        return np.frombuffer(self.bytes, np.uint8, self.sizes[name], self.offsets[name])

    def fill(self, name: str, numbers: np.ndarray) -> None:
        self.numbers(name)[:] = numbers

    def case(
        self, operation: str, weight: np.ndarray | bytes, constants: bytes, words: dict[str, int], macs: int
    ) -> Case:
        row = np.zeros(LENGTHS[operation], "<i4")
        for name, word in words.items():
            row[place_of(name)] = word
        output = self.offsets["OUTPUT"], self.sizes["OUTPUT"]
        work = self.offsets.get("WORK", 0), self.sizes.get("WORK", 0)
        behind = bytes(range(0x81, 0x81 + SPARE))
        arena = bytearray(self.bytes)
        return Case(operation, arena, bytes(weight) + behind, constants, row.tobytes(), macs, output, work)


def _window(
    g: Generator,
    size: Pair | None = None,
    kernel: Pair | None = None,
    stride: Pair | None = None,
    padding: Pair | None = None,
    dilation: Pair | None = None,
    out_size: Pair | None = None,
    pool: bool = False,
) -> dict[str, int]:
    """Return the words of a window; vertical ones by their name, horizontal ones with a "1" behind."""
    given = size, kernel, stride, padding, dilation, out_size
    axes = [_axis(g, pool, *(pair and pair[axis] for pair in given)) for axis in (0, 1)]
    words = {name + "1" * axis: axes[axis][name] for axis in (0, 1) for name in axes[0]}
    renamed = {"SIZE": "HEIGHT", "SIZE1": "WIDTH", "OUT": "OUT_HEIGHT", "OUT1": "OUT_WIDTH"}
    return {renamed.get(name, name): word for name, word in words.items()}


def _axis(g: Generator, pool: bool, size, kernel, stride, padding, dilation, out) -> dict[str, int]:
    for _ in range(1000):
        k, s, d = kernel or _upto(g, 4), stride or _upto(g, 3), dilation or _upto(g, 2)
        p = int(g.integers(k // 2 + 1 if pool else 3)) if padding is None else padding
        extent = size or _upto(g, 9)
        room = extent + 2 * p - d * (k - 1) - 1
        # Sometimes one window more, which ends beyond the padding, as where the padding is not the same at
        # both ends, or where pooling rounds up.
        count = out or room // s + 1 + int(g.random() < 0.2)
        starts = range(-p, count * s - p, s)
        if count > 0 and all(any(0 <= start + d * i < extent for i in range(k)) for start in starts):
            return {"SIZE": extent, "KERNEL": k, "STRIDE": s, "PADDING": p, "DILATION": d, "OUT": count}
    raise ValueError("this geometry leaves no window, or has one that lies wholly in the padding")


def _both(words: dict[str, int], vertical: str, horizontal: str = "") -> int:
    return words[vertical] * words[horizontal or vertical + "1"]


def _upto(g: Generator, most: int) -> int:
    return int(g.integers(1, most + 1))


def _signed(g: Generator, most: int) -> int:
    return int(g.integers(-most, most + 1))
