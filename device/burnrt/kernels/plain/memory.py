"""Numbers in memory: buffers for results, and parameters read where they lie."""

from array import array

from burnpack import half
from burnpack.dtype import row
from burnrt.kernels.plain.in_place import in_place

if False:  # for type checkers
    from collections.abc import Callable, Sequence

    from burnpack.types import Buffer, Dtype
    from burnrt.types import NumberBuffer, Numbers


_HALVES: "dict[Dtype, Callable[[int], float]]" = {"F16": half.decode_f16, "BF16": half.decode_bf16}


def buffer(count: int) -> "NumberBuffer":
    """Return an `array("f")` of `count` numbers; what they are is not said."""
    return array("f", range(count))  # from a range: no second copy exists while it is made


def floats(values: "Sequence[float] | NumberBuffer") -> "NumberBuffer":
    """Return an `array("f")` with a copy of the numbers in the sequence `values`."""
    copy = buffer(len(values))
    for index, value in enumerate(values):
        copy[index] = value
    return copy


def fill(out: "NumberBuffer", start: int, count: int, value: float) -> None:
    """Set `count` numbers of `out`, from `start` on."""
    for place in range(start, start + count):
        out[place] = value


def copy_rows(
    x: "Numbers", start: int, step: int, out: "NumberBuffer", to: int, out_step: int, rows: int, size: int
) -> None:
    """Copy `rows` rows of `size` numbers. The first begins at `start` in x and goes to `to` in out.

    step, out_step: from where a row begins to where the next does, in x and in out, another buffer.
    """
    for _ in range(rows):
        shift = start - to
        for place in range(to, to + size):
            out[place] = x[place + shift]
        start += step
        to += out_step


def weights(data: "Buffer", dtype: "Dtype", count: int) -> "Numbers | None":
    """Return the `count` numbers in `data` as an indexable sequence, or None for a dtype not known here.

    data: little-endian bytes at any address; they are read where they lie, so they must stay alive.
    dtype: F32, Flex32, F64, F16 or BF16.
    """
    if dtype in _HALVES:
        return Halves(data, _HALVES[dtype])
    known = row(dtype)
    code = known[3] if known else None
    return in_place(data, code, count) if code in ("f", "d") else None


class Halves:
    """A sequence of half-precision numbers, decoded one at a time as they are asked for."""

    def __init__(self, data: "Buffer", decode: "Callable[[int], float]") -> None:
        self._data = data
        self._decode = decode

    def __getitem__(self, index: int) -> float:
        data = self._data
        return self._decode(data[2 * index] | data[2 * index + 1] << 8)
