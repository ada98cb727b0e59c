"""Parts of a value."""

from burnpack.errors import InvalidTensor
from burnrt.functional.copies import Copies, moved
from burnrt.functional.operands import operands
from burnrt.functional.wholes import dimension, whole
from burnrt.nn.copying import row_major

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    from burnrt.value import Value


_MOST = 1 << 28


class Part(Copies):
    """Some places of a dimension."""


def narrow(input: "Any", dim: int, start: int, length: int) -> "Value":
    """Return `length` places of a dimension, from `start` on, which may count from the end."""
    value = operands(input)[0]
    dim = dimension(dim, len(value.shape))
    extent = value.shape[dim]
    whole("length", 0, length)
    if type(start) is not int or not -extent <= start <= extent:
        raise InvalidTensor(
            "start: no such place", expected="%d to %d" % (-extent, extent), found=repr(start)
        )
    start = start if start >= 0 else start + extent
    if start + length > extent:
        expected, found = "%d at most" % extent, "%d + %d" % (start, length)
        raise InvalidTensor("start + length: beyond the dimension", expected=expected, found=found)
    return _taken(value, dim, start, length)


def select(input: "Any", dim: int, index: int) -> "Value":
    """Return one place of a dimension, which the result lacks."""
    value = operands(input)[0]
    dim = dimension(dim, len(value.shape))
    part = _taken(value, dim, _place(index, value.shape[dim]), 1)
    return part.reshape(part.shape[:dim] + part.shape[dim + 1 :])


def unbind(input: "Any", dim: int = 0) -> "tuple[Value, ...]":
    """Return each place of a dimension, which the results lack."""
    value = operands(input)[0]
    dim = dimension(dim, len(value.shape))
    return tuple([select(value, dim, index) for index in range(value.shape[dim])])


def split(tensor: "Any", split_size_or_sections: "Any", dim: int = 0) -> "tuple[Value, ...]":
    """Return parts of a dimension: each of one size, where the last may be smaller, or of the sizes given."""
    value = operands(tensor)[0]
    dim = dimension(dim, len(value.shape))
    extent, sizes = value.shape[dim], split_size_or_sections
    if isinstance(sizes, int):
        whole("split_size", 1 if extent else 0, sizes)
        sizes = [min(sizes, extent - start) for start in range(0, extent, sizes or 1)] or [0]
    sizes = whole("sections", 0, sizes)
    if sum(sizes) != extent:
        raise InvalidTensor("the sections are not the whole", expected=extent, found=list(sizes))
    return _cut(value, dim, sizes)


def chunk(input: "Any", chunks: int, dim: int = 0) -> "tuple[Value, ...]":
    """Return as many parts of a dimension, or fewer; all but the last have one size."""
    value = operands(input)[0]
    dim = dimension(dim, len(value.shape))
    whole("chunks", 1, chunks)
    extent = value.shape[dim]
    return split(value, -(-extent // chunks), dim) if extent else _cut(value, dim, [0] * chunks)


def tensor_split(input: "Any", indices_or_sections: "Any", dim: int = 0) -> "tuple[Value, ...]":
    """Return so many parts of a dimension, the first ones greater by 1, or those that begin at the places."""
    value = operands(input)[0]
    dim = dimension(dim, len(value.shape))
    extent = value.shape[dim]
    if isinstance(indices_or_sections, int):
        (number,) = whole("sections", 1, indices_or_sections)
        sizes = [extent // number + (at < extent % number) for at in range(number)]
        return _cut(value, dim, sizes)
    given = whole("indices", -_MOST, indices_or_sections)
    places = [min(max(0, place if place >= 0 else place + extent), extent) for place in given]
    starts, ends = [0] + places, places + [extent]
    return tuple([_taken(value, dim, start, max(0, end - start)) for start, end in zip(starts, ends)])


def _cut(value: "Value", dim: int, sizes: "Sequence[int]") -> "tuple[Value, ...]":
    parts, start = [], 0
    for size in sizes:
        parts.append(_taken(value, dim, start, size))
        start += size
    return tuple(parts)


def _taken(value: "Value", dim: int, start: int, length: int) -> "Value":
    spans = row_major(value.shape)
    step = spans[dim][1]
    spans[dim] = (length, step)
    shape = value.shape[:dim] + (length,) + value.shape[dim + 1 :]
    return moved(Part, value, shape, spans, start * step)


def _place(index: object, extent: int) -> int:
    if type(index) is not int or not -extent <= index < extent:
        expected = "%d to %d" % (-extent, extent - 1)
        raise InvalidTensor("no such place in the dimension", expected=expected, found=repr(index))
    return index % extent
