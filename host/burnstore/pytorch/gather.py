"""The bytes of a tensor: a slice of its record where they are as they should be, and else put in order."""

from burnstore.pytorch.layout import Entry, component


def is_slice(entry: Entry, swapped: bool) -> bool:
    """Tell whether the tensor's bytes are in its record as they should be."""
    flags = entry.view.conjugate or entry.view.negative
    return entry.contiguous and not flags and not (swapped and component(entry.dtype) > 1)


def read(entry: Entry, swapped: bool) -> memoryview:
    """Return the tensor's bytes, little-endian and row by row.

    swapped: whether the record is big-endian.
    """
    if is_slice(entry, swapped):
        return entry.record.read(entry.start, entry.start + entry.nbytes)
    from burnstore.pytorch import strided  # only such tensors pay for numpy

    return strided.gathered(entry, swapped)


def fill(entry: Entry, swapped: bool, buffer: memoryview) -> None:
    """Write the tensor's bytes into `buffer`, which is as long as they are."""
    from burnstore.pytorch import strided

    strided.fill(entry, swapped, buffer)
