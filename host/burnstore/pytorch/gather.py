"""The bytes of a tensor: a slice of its record where they are as they should be, and else put in order."""

from collections.abc import Iterator

from burnstore.pytorch.layout import Entry, component


def is_slice(entry: Entry) -> bool:
    """Tell whether the tensor's bytes are in its record as they should be."""
    flags = entry.view.conjugate or entry.view.negative
    return entry.contiguous and not flags and not (entry.swapped and component(entry.dtype) > 1)


def read(entry: Entry) -> memoryview:
    """Return the tensor's bytes, little-endian and row by row."""
    if is_slice(entry):
        return entry.record.read(entry.start, entry.start + entry.nbytes)
    from burnstore.pytorch import strided  # only such tensors pay for numpy

    return strided.gathered(entry)


def fill(entry: Entry, buffer: memoryview) -> None:
    """Write the tensor's bytes into `buffer`, which is as long as they are."""
    from burnstore.pytorch import strided

    strided.fill(entry, buffer)


def pieces(entry: Entry) -> Iterator[memoryview | bytes]:
    """Yield the tensor's bytes in buffers, one after the other."""
    if is_slice(entry):
        return entry.record.pieces(entry.start, entry.start + entry.nbytes)
    from burnstore.pytorch import strided

    return strided.pieces(entry)
