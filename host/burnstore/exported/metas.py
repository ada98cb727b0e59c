"""What an exported program says of a tensor: dtype, extents, strides, where it begins in its storage."""

from burnpack.dtype import COMPLEX, kind
from burnpack.errors import LimitExceeded, Unsupported
from burnstore.exported import kinds
from burnstore.exported.graph import Spec
from burnstore.exported.items import Item
from burnstore.exported.symbols import NOTHING_OPEN, Symbols
from burnstore.pytorch.objects import Refused
from burnstore.pytorch.rebuild import RANK_MOST, TensorView
from burnstore.pytorch.storage import COUNT_MOST, Storage


def stored_tensor(meta: Item, storage: Storage) -> TensorView | Refused:
    """Return a tensor whose bytes are in a storage."""
    layout = kinds.layout(meta.field("layout"))
    if layout != kinds.STRIDED:
        return Refused(f"a tensor of the layout {layout}")
    dtype = kinds.scalar_type(meta.field("dtype"))
    shape, stride = (_extents(meta.field(name), NOTHING_OPEN) for name in ("sizes", "strides"))
    offset = NOTHING_OPEN.extent(meta.field("storage_offset"))
    return TensorView(storage, dtype, offset, shape, stride)


def spec(meta: Item, symbols: Symbols) -> Spec:
    """Return what a value of the graph is."""
    layout = kinds.layout(meta.field("layout"))
    if layout != kinds.STRIDED:
        raise Unsupported("a value of a layout that is not read here", meta.place, found=layout)
    dtype = kinds.scalar_type(meta.field("dtype"))
    if kind(dtype) == COMPLEX:
        raise Unsupported("a value of complex numbers is not read here", meta.place, found=dtype)
    return Spec(dtype, _extents(meta.field("sizes"), symbols))


def _extents(item: Item, symbols: Symbols) -> tuple[int, ...]:
    extents = tuple(symbols.extent(extent) for extent in item.items())
    if len(extents) > RANK_MOST:
        raise LimitExceeded("too many dimensions", item.place, expected=RANK_MOST, found=len(extents))
    count = 1
    for extent in extents:
        count *= max(extent, 1)
        if extent < 0 or count > COUNT_MOST:
            raise item.malformed("a shape that no tensor has", found=extents)
    return extents
