"""Numbers in memory: buffers for results, and parameters read where they lie."""

from array import array

from burnpack import half
from burnpack.compat import const
from burnpack.dtype import row
from burnrt.kernels.plain.in_place import in_place

if False:  # for type checkers
    from collections.abc import Callable, Sequence

    from burnpack.types import Buffer, Dtype
    from burnrt.types import NumberBuffer, Numbers


# Numbers from which on a part of a view takes less than each number for itself, of time and of the heap.
_LONG = const(8)

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
    done = min(count, 4 * _LONG)
    for place in range(start, start + done):
        out[place] = value
    view = _view(out, out) if done < count else None
    while view is not None and done < count:
        more = min(done, count - done)
        view[start + done : start + done + more] = view[start : start + more]
        done += more
    for place in range(start + done, start + count):
        out[place] = value


def copy_rows(
    x: "Numbers", start: int, step: int, out: "NumberBuffer", to: int, out_step: int, rows: int, size: int
) -> None:
    """Copy `rows` rows of `size` numbers. The first begins at `start` in x and goes to `to` in out.

    step, out_step: from where a row begins to where the next does, in x, where that may be 0 or below, and
        in out, another buffer.
    """
    if size == 1 and out_step:
        for place in range(to, to + rows * out_step, out_step):
            out[place] = x[start]
            start += step
        return
    source = _view(x, out) if size > _LONG else None
    target = memoryview(out) if source is not None else None  # type: ignore[arg-type] # a buffer, as x
    for _ in range(rows):
        if source is not None:
            target[to : to + size] = source[start : start + size]  # type: ignore[index] # there is one
        else:
            shift = start - to
            for place in range(to, to + size):
                out[place] = x[place + shift]
        start += step
        to += out_step


def _view(numbers: "Numbers", out: "NumberBuffer") -> "memoryview | None":
    """Return a view of numbers whose parts can be copied to `out` at once, or None."""
    try:
        view = memoryview(numbers)  # type: ignore[arg-type] # maybe
        memoryview(out)[:0] = view[:0]  # type: ignore[arg-type] # a buffer
        return view
    except (TypeError, ValueError):  # no buffer, or of other numbers
        return None


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
