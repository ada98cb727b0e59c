"""Between PyTorch's names and layout and Burn's."""

from burnpack.adapters.base import ModuleAdapter
from burnpack.adapters.layers import other_name
from burnpack.dtype import row
from burnpack.tensor import Tensor

if False:  # for type checkers
    from collections.abc import Callable, Sequence

    from burnpack.context import Context
    from burnpack.types import Buffer, TensorAndContext, TensorSource


_TORCH, _BURN = 1, 2  # columns of the table of names


class _Between(ModuleAdapter):
    """What both directions share: a Linear's matrix is transposed, some parameters have another name."""

    @staticmethod
    def transpose(data: "Buffer", rows: int, columns: int, size: int) -> "Buffer":
        """Return a new buffer with a row-major matrix, transposed.

        data: the matrix's bytes.
        rows, columns: its extents.
        size: bytes of an element.
        """
        return transposed(data, rows, columns, size)

    def _adapted(self, tensor: "Tensor", context: "Context", here: int, there: int) -> "Tensor":
        return _renamed(_turned(tensor, context, self.transpose), context, here, there)


class PyTorchToBurnAdapter(_Between):
    """An adapter from PyTorch's names and layout to Burn's.

    Linear weights go from (out, in) to (in, out); norms' `weight` and `bias` become `gamma` and `beta`. What
    PyTorch stacks into one tensor is taken apart on loading: see `SplitAdapter`.
    """

    def adapt(self, tensor: "Tensor", context: "Context") -> "Tensor":
        """Return the tensor in Burn's layout, under Burn's name."""
        return self._adapted(tensor, context, _TORCH, _BURN)

    def get_alternative_param_name(self, name: str, module_type: str | None) -> str | None:
        """Return what PyTorch calls Burn's `name`."""
        return other_name(name, module_type, _BURN, _TORCH)

    def adapt_source(self, source: "TensorSource", contexts: "Sequence[Context]") -> "TensorSource":
        """Return the source with what PyTorch stacks taken apart.

        source: an opened container.
        contexts: the `Context`s of the module's parameters.
        """
        from burnpack.adapters.split import taken_apart

        return taken_apart(source, contexts)


class BurnToPyTorchAdapter(_Between):
    """An adapter from Burn's names and layout to PyTorch's: the reverse of `PyTorchToBurnAdapter`.

    What PyTorch stacks into one tensor is put together on saving: see `SplitAdapter`.
    """

    def adapt(self, tensor: "Tensor", context: "Context") -> "Tensor":
        """Return the tensor in PyTorch's layout, under PyTorch's name."""
        return self._adapted(tensor, context, _BURN, _TORCH)

    def get_alternative_param_name(self, name: str, module_type: str | None) -> str | None:
        """Return what Burn calls PyTorch's `name`."""
        return other_name(name, module_type, _TORCH, _BURN)

    def adapt_collected(self, pairs: "list[TensorAndContext]") -> "list[TensorAndContext]":
        """Return (tensor, context) pairs with what PyTorch stacks put together."""
        from burnpack.adapters.split import put_together

        return put_together(pairs)


def _renamed(tensor: "Tensor", context: "Context", here: int, there: int) -> "Tensor":
    head, _, last = ("." + tensor.name).rpartition(".")
    other = other_name(last, context.module_type, here, there)
    return tensor.renamed((head + "." + other)[1:]) if other else tensor


def _turned(
    tensor: "Tensor", context: "Context", transpose: "Callable[[Buffer, int, int, int], Buffer]"
) -> "Tensor":
    matrix = context.module_type == "Struct:Linear" and context.name == "weight" and len(tensor.shape) == 2
    known = row(tensor.dtype) if isinstance(tensor.dtype, str) else None
    if not matrix or known is None or known[1] % 8:
        return tensor  # quantized ones pass as they are
    rows, columns = tensor.shape

    def data() -> "Buffer":
        return transpose(tensor.data(), rows, columns, known[1] // 8)

    return Tensor(tensor.name, tensor.dtype, (columns, rows), data, tensor.param_id)


def transposed(data: "Buffer", rows: int, columns: int, size: int) -> bytearray:
    """Return a new buffer with a row-major matrix, transposed.

    data: the matrix's bytes.
    rows, columns: its extents.
    size: bytes of an element.
    """
    result = bytearray(rows * columns * size)
    source = 0
    for line in range(rows):
        target = line * size
        for _ in range(columns):
            result[target : target + size] = data[source : source + size]
            source += size
            target += rows * size
    return result
