"""Out of a module."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from burnpack.adapters import BurnToPyTorchAdapter
from burnpack.adapters.split import places
from burnpack.collect import adapted_one
from burnpack.context import Context, without_variants
from burnpack.module import Module, walk
from burnpack.tensor import Tensor
from burnpack.tied import collect_untied
from burnstore.naming.steps import Step, renamed
from burnstore.numerics.adapters import has_adapter
from burnstore.pipeline.options import Options, Pairs
from burnstore.pipeline.torch_names import torch_names

if TYPE_CHECKING:
    from burnpack.types import Adapter, Filter


def collected(module: Module, options: Options) -> tuple[list[Tensor], Pairs]:
    """Return a module's tensors as they are written, unread, and the (key, text) pairs to write with them.

    The filter sees the module's own paths, or the names that the adapter gives: see
    `Options.filters_written`. The remapper sees the latter.
    """
    skips = bool(options.skip_enum_variants)
    torchs = torch_names(module) if has_adapter(options.to_adapter, BurnToPyTorchAdapter) else {}
    asked = (_filter(module, options, torchs), options.to_adapter, skips)
    tensors, aliases = collect_untied(module, *asked) if options.alias_tied else (module.collect(*asked), [])
    names = [tensor.name for tensor in tensors] + [other for other, _ in aliases]
    steps: list[Step] = [lambda names: [torchs.get(name, name) for name in names]]
    if options.remapper is not None:
        steps.append(options.remapper)
    new = dict(zip(names, renamed(names, steps), strict=True))
    told = tuple((new[other], new[kept]) for other, kept in aliases)
    return [tensor.renamed(new[tensor.name]) for tensor in tensors], options.metadata + told


class _ByWrittenName:
    """A filter of a module's own paths that asks another one about the names that are written."""

    def __init__(self, given: "Filter", names: dict[str, str]) -> None:
        self._given = given
        self._names = names

    def matches(self, path: str, containers: Sequence[str]) -> bool:
        return self._given.matches(self._names[path], tuple(containers))


def _filter(module: Module, options: Options, torchs: dict[str, str]) -> "Filter | None":
    given, adapter = options.filter, options.to_adapter
    if given is None or adapter is None or not options.filters_written:
        return given
    names = {}
    for path, containers, param in walk(module):
        path = without_variants(path, containers) if options.skip_enum_variants else path
        tensor = Tensor(path, param.dtype, param.shape, b"", None, param.nbytes())
        name = _written_name(tensor, Context(path, containers), adapter)
        names[path] = torchs.get(name, name)
    return _ByWrittenName(given, names)


def _written_name(tensor: Tensor, context: Context, adapter: "Adapter") -> str:
    """Return the name that an adapter gives, which is that of the whole where it stacks tensors."""
    whole = places(context) if hasattr(adapter, "adapt_collected") else []
    return whole[0][0] if whole else adapted_one(tensor, context, adapter).name
