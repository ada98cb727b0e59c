"""From a module to tensors."""

from burnpack.context import Context, without_variants
from burnpack.errors import BurnpackError, InvalidTensor, SaveFailed
from burnpack.module import walk
from burnpack.provider import told
from burnpack.tensor import Tensor

if False:  # for type checkers
    from collections.abc import Iterable, Iterator

    from burnpack.module import Module
    from burnpack.types import Adapter, AnyAdapter, Collected, Filter, TensorAndContext


def collect(
    module: "Module",
    filter: "Filter | None" = None,
    adapter: "AnyAdapter | None" = None,
    skip_enum_variants: bool = False,
) -> "list[Tensor]":
    """Return the module's parameters as a list of lazy `Tensor`s, named by their paths.

    They share the parameters' buffers; what an adapter changes is made when a tensor's data is asked
    for. A parameter with two names comes under both. skip_enum_variants: leave the names of variants
    out of the paths. Raises `InvalidTensor` for a parameter without data.
    """
    return collected(gathered(module, filter, skip_enum_variants), adapter)


def collected(found: "Iterable[Collected]", adapter: "AnyAdapter | None") -> "list[Tensor]":
    """Return the tensors of (tensor, context, param) as the adapter makes them and puts them together."""
    if isinstance(adapter, type):  # as Rust has it: an adapter without arguments by its name
        adapter = adapter()
    pairs = [(tensor, context) for tensor, context, _ in adapted(found, adapter)]
    return [tensor for tensor, _ in joined(pairs, adapter)]


def gathered(module: "Module", filter: "Filter | None", skip_enum_variants: bool) -> "Iterator[Collected]":
    """Yield (tensor, context, param) for each parameter that passes the filter."""
    for path, containers, param in walk(module):
        context = Context(without_variants(path, containers) if skip_enum_variants else path, containers)
        if filter is not None and not filter.matches(context.path, containers):
            continue
        if param.data is None:
            raise InvalidTensor("the parameter has no data yet", context.path)
        size = len(param.data)
        yield Tensor(context.path, param.dtype, param.shape, param.data, param.param_id, size), context, param


def adapted(found: "Iterable[Collected]", adapter: "Adapter | None") -> "Iterator[Collected]":
    """Yield (tensor, context, param) with each tensor as the adapter makes it."""
    for tensor, context, param in found:
        yield tensor if adapter is None else adapted_one(tensor, context, adapter), context, param


def adapted_one(tensor: "Tensor", context: "Context", adapter: "Adapter") -> "Tensor":
    """Return a tensor as the adapter makes it; what that does wrong becomes an error with its name."""
    try:
        return adapter.adapt(tensor, context)
    except BurnpackError:
        raise
    except Exception as error:
        raise SaveFailed("the adapter failed: %s" % told(error), context.path)


def joined(pairs: "list[TensorAndContext]", adapter: "Adapter | None") -> "list[TensorAndContext]":
    """Return (tensor, context) pairs as the adapter puts them together."""
    return (
        adapter.adapt_collected(pairs)  # type: ignore[union-attr] # None has no such method either
        if hasattr(adapter, "adapt_collected")
        else pairs
    )
