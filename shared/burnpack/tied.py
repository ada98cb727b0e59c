"""Parameters with two names, saved under the first alone."""

from burnpack.collect import adapted, gathered, joined

if False:  # for type checkers
    from burnpack.module import Module
    from burnpack.tensor import Tensor
    from burnpack.types import Adapter, Filter


def collect_untied(
    module: "Module",
    filter: "Filter | None" = None,
    adapter: "Adapter | None" = None,
    skip_enum_variants: bool = False,
) -> "tuple[list[Tensor], list[tuple[str, str]]]":
    """Return what `burnpack.collect` does, each parameter once, and (name left out, name kept) pairs.

    A parameter whose names are of different meanings to an adapter, such as a Linear's weight and an
    Embedding's, comes under both.
    """
    first: "dict[tuple[int, str | None, str], Tensor]" = {}
    pairs, aliases = [], []
    for tensor, context, param in adapted(gathered(module, filter, skip_enum_variants), adapter):
        known = first.setdefault((id(param), context.module_type, context.name), tensor)
        if known is tensor:
            pairs.append((tensor, context))
        else:
            aliases.append((tensor.name, known.name))
    return [tensor for tensor, _ in joined(pairs, adapter)], aliases
