"""Tensors against their storages: every extent, stride and offset is checked before a byte is read."""

from burnpack.dtype import COMPLEX, kind
from burnpack.errors import BurnpackError, LimitExceeded, Malformed, Unsupported
from burnpack.limits import Limits
from burnstore.pytorch.objects import Refused
from burnstore.pytorch.rebuild import TensorView
from burnstore.pytorch.storage import COUNT_MOST, SIZES, Record, Storages

_SIGNED = ("F64", "F32", "F16", "BF16", "C32", "C64", "C128")  # what a negative view can be of


class Entry:
    """A tensor that lies within its record.

    shape: as it is listed: PyTorch counts two F4 as one element, here they are two.
    nbytes: of all its elements, row by row.
    start: of its first element, in bytes from the record's start.
    expansion: how many of its bytes repeat others of the record, as those of an expanded tensor do.
    contiguous: whether its elements follow each other in the record.
    swapped: whether they are big-endian.
    """

    __slots__ = (
        "contiguous",
        "dtype",
        "expansion",
        "name",
        "nbytes",
        "record",
        "shape",
        "start",
        "swapped",
        "view",
    )

    def __init__(
        self, name: str, view: TensorView, record: Record, nbytes: int, contiguous: bool, swapped: bool
    ) -> None:
        self.name = name
        self.view = view
        self.record = record
        self.nbytes = nbytes
        self.contiguous = contiguous
        self.dtype = view.dtype
        self.expansion = 0
        self.swapped = swapped if view.swapped is None else view.swapped
        self.shape = view.shape if view.dtype != "F4" else (*view.shape[:-1], 2 * view.shape[-1])
        self.start = view.offset * SIZES[view.dtype] if nbytes else 0


def unread(view: TensorView | Refused) -> str | None:
    """Return what a tensor is that is of a kind which can't be read; None for all others."""
    if isinstance(view, Refused):
        return view.kind
    if view.dtype not in SIZES:
        return f"a quantized tensor ({view.dtype})"
    if view.negative and view.dtype not in _SIGNED:
        return f"a negative view of {view.dtype}"
    return "a pair of F4 without a dimension" if view.dtype == "F4" and not view.shape else None


def refusal(name: str, kind: str) -> Unsupported:
    """Return what is raised when a tensor is asked for that is of such a kind."""
    return Unsupported(f"{kind} is not read here (the option filter can leave it out)", name)


def place(name: str, view: TensorView, storages: Storages, limits: Limits, swapped: bool) -> Entry:
    """Return the tensor's place in its record, or raise what is wrong with it.

    swapped: whether the storages are big-endian.
    """
    size = SIZES[view.dtype]
    count, reach, contiguous = measure(name, view)
    if count * size > limits.tensor:
        most = f"at most {limits.tensor} bytes"
        raise LimitExceeded("the tensor is too large", name, expected=most, found=count * size)
    if reach * size > view.storage.nbytes:
        raise _beyond(name, view, reach * size)
    try:
        record = view.storage.record or storages.locate(view.storage)
    except BurnpackError as error:
        raise named(error, name) from error
    entry = Entry(name, view, record, count * size, contiguous, swapped)
    entry.expansion = max(0, count - (reach - view.offset)) * size if count else 0
    return entry


def too_far(entry: Entry, limits: Limits) -> LimitExceeded:
    """Return what is raised when a tensor is asked for that, with those before it, is expanded too far."""
    held = entry.nbytes - entry.expansion
    return LimitExceeded(
        f"{held} bytes of the file are expanded to {entry.nbytes} (the option max_expansion, or "
        "Limits(expansion=...), allows this)",
        entry.name,
        expected=f"at most {limits.expansion} bytes more than the file holds, in all tensors together",
        found=f"{entry.expansion} more",
    )


def check_total(nbytes: int, stored: int, limits: Limits) -> None:
    """Refuse tensors that are too large, taken together, or much larger than their storages.

    nbytes: of all tensors. stored: bytes of all storages, each once.
    """
    if nbytes > limits.file:
        raise LimitExceeded("the tensors are too large, taken together", expected=limits.file, found=nbytes)
    if nbytes > stored + limits.tensor:
        raise LimitExceeded(
            f"the tensors, taken together, are expanded too far from the {stored} bytes of their storages",
            expected=f"at most {limits.tensor} bytes more",
            found=nbytes,
        )


def measure(name: str, view: TensorView) -> tuple[int, int, bool]:
    """Return how many elements a tensor has, how many of its storage's come before their end, and
    whether they follow each other row by row. Without elements it reaches nowhere, whatever its offset."""
    count, reach, contiguous = 1, view.offset, True
    if type(reach) is not int or not 0 <= reach <= COUNT_MOST:
        raise Malformed("the tensor's offset is no valid number", name, found=type(reach).__name__)
    if len(view.shape) != len(view.stride):
        raise Malformed(
            "the tensor has not one stride for each extent",
            name,
            expected=len(view.shape),
            found=len(view.stride),
        )
    for extent, stride in zip(reversed(view.shape), reversed(view.stride), strict=True):
        if (
            type(extent) is not int
            or type(stride) is not int
            or not (0 <= extent <= COUNT_MOST >= stride >= 0)
        ):
            raise Malformed(
                "the tensor's shape or stride holds what is no size", name, found=type(extent).__name__
            )
        if extent != 1:
            contiguous = contiguous and stride == count
            count *= extent
            reach += (extent - 1) * stride
    return (count, reach + 1, contiguous) if count else (0, 0, True)


def component(dtype: str) -> int:
    """Return the bytes of one number, which are swapped together: a complex element has two."""
    size = SIZES[dtype]
    return size // 2 if kind(dtype) == COMPLEX else size


def named(error: BurnpackError, name: str) -> BurnpackError:
    """Return the error, told that it is about the tensor of this name."""
    item = f"{name}: {error.item}" if error.item else name
    return error.about(item, error.source)


def _beyond(name: str, view: TensorView, found: int) -> Malformed:
    return Malformed(
        "the tensor reaches beyond its storage",
        f"{name}: storage {view.storage.key}",
        expected=f"at most {view.storage.nbytes} bytes",
        found=f"{found} for offset {view.offset}, shape {view.shape}, stride {view.stride}",
    )
