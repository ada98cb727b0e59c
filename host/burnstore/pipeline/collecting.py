"""Out of a module."""

from burnpack.module import Module
from burnpack.tensor import Tensor
from burnpack.tied import collect_untied
from burnstore.naming.steps import renamed
from burnstore.pipeline.options import Options, Pairs


def collected(module: Module, options: Options) -> tuple[list[Tensor], Pairs]:
    """Return a module's tensors as they are written, unread, and the (key, text) pairs to write with them.

    The filter sees the module's own paths, the remapper the names that the adapter gives.
    """
    asked = (options.filter, options.to_adapter, bool(options.skip_enum_variants))
    tensors, aliases = collect_untied(module, *asked) if options.alias_tied else (module.collect(*asked), [])
    names = [tensor.name for tensor in tensors] + [other for other, _ in aliases]
    steps = [options.remapper] if options.remapper is not None else []
    new = dict(zip(names, renamed(names, steps), strict=True))
    told = tuple((new[other], new[kept]) for other, kept in aliases)
    return [tensor.renamed(new[tensor.name]) for tensor in tensors], options.metadata + told
