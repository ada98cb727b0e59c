"""The adapters of `burnpack.adapters`, with numpy doing what takes long."""

from burnpack import adapters
from burnpack.adapters import ChainAdapter, IdentityAdapter, SplitAdapter
from burnstore.io.files import Buffer

__all__ = [
    "BurnToPyTorchAdapter",
    "ChainAdapter",
    "FloatCastAdapter",
    "HalfPrecisionAdapter",
    "IdentityAdapter",
    "PyTorchToBurnAdapter",
    "SplitAdapter",
]


def has_adapter(adapter: object, kind: type) -> bool:
    """Return whether an adapter is of a class, or a chain in which one is."""
    if isinstance(adapter, ChainAdapter):
        return has_adapter(adapter.first, kind) or has_adapter(adapter.second, kind)
    return isinstance(adapter, kind)


def _transposed(data: Buffer, rows: int, columns: int, size: int) -> memoryview:
    from burnstore.numerics import elements  # and with it numpy, when there is something to transpose

    return elements.transposed(data, rows, columns, size)


def _cast(data: Buffer, source: str, target: str, saturate: bool, name: str) -> memoryview:
    from burnstore.numerics import elements

    return elements.cast(data, source, target, saturate, name)


class PyTorchToBurnAdapter(adapters.PyTorchToBurnAdapter):
    """The adapter of `burnpack.adapters` that transposes with numpy."""

    transpose = staticmethod(_transposed)


class BurnToPyTorchAdapter(adapters.BurnToPyTorchAdapter):
    """The adapter of `burnpack.adapters` that transposes with numpy."""

    transpose = staticmethod(_transposed)


class HalfPrecisionAdapter(adapters.HalfPrecisionAdapter):
    """The adapter of `burnpack.adapters` that casts with numpy."""

    convert = staticmethod(_cast)


class FloatCastAdapter(adapters.FloatCastAdapter):
    """The adapter of `burnpack.adapters` that casts with numpy."""

    convert = staticmethod(_cast)
