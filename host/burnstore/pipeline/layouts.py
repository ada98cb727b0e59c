"""Burn's and PyTorch's ways of naming and laying out parameters: which a file has, and the way between."""

from dataclasses import replace
from typing import TYPE_CHECKING

from burnpack.adapters import PyTorchToBurnAdapter as AnyPyTorchToBurn
from burnpack.adapters.split import places
from burnpack.apply import found_name, match, refusal
from burnpack.collect import adapted_one, joined
from burnpack.context import Context, without_variants
from burnpack.hints import LAYOUT
from burnpack.module import Module, walk
from burnpack.result import ApplyResult
from burnpack.tensor import Tensor
from burnpack.turned import is_marked
from burnstore.advice.kinds import said
from burnstore.io.container import Container
from burnstore.naming.steps import NamedListing
from burnstore.numerics.adapters import BurnToPyTorchAdapter, PyTorchToBurnAdapter, has_adapter
from burnstore.pipeline.options import LAYOUTS, Options
from burnstore.pipeline.torch_names import name_in_pytorch, torch_names

if TYPE_CHECKING:
    from burnpack.module import Param
    from burnpack.types import Adapter

BURN, PYTORCH = LAYOUTS

Source = Container | NamedListing
Placed = tuple[Tensor, Context]  # a tensor of a module, and where it is in there


def loading_adapter(options: Options) -> "Adapter | None":
    """Return what brings a source's tensors into a module: its layout's adapter, then the one asked for.

    The layout's adapter is never applied twice: one that is asked for may have it in it.
    """
    asked = options.adapter
    if options.from_layout == BURN or has_adapter(asked, AnyPyTorchToBurn):
        return asked
    return PyTorchToBurnAdapter().chain(asked) if asked else PyTorchToBurnAdapter()


def skips_variants(options: Options) -> bool:
    """Return whether the names of enum variants are left out of the names that a source has."""
    wanted = options.skip_enum_variants
    return options.from_layout != BURN if wanted is None else wanted


def matched(
    module: Module, source: Source, options: Options
) -> tuple[ApplyResult, "list[tuple[Param, Tensor]]"]:
    """Find each parameter's tensor in a source whose layout the options say; none said means PyTorch's.

    See `burnpack.apply.match`.
    """
    return match(module, source, options.filter, loading_adapter(options), skips_variants(options))


def placed(
    module: Module, source: Source, options: Options, target_layout: str
) -> tuple[ApplyResult, list[Placed]]:
    """Match a source with a module; return the result and the tensors in the target's layout, unread.

    The adapter follows from the two layouts: where they are the same, the tensors are the source's own.
    """
    contexts = _contexts(module, options)
    result, matches = matched(module, source, options)
    if options.from_layout == PYTORCH == target_layout:
        return result, _under_torch_names(module, _own_tensors(source, contexts, result, options))
    found = [(tensor, contexts[tensor.name]) for _, tensor in matches]
    if target_layout == BURN:
        return result, [(tensor.renamed(context.path), context) for tensor, context in found]
    adapter = BurnToPyTorchAdapter()
    pairs = []
    for tensor, place in found:
        context = Context(without_variants(place.path, place.containers), place.containers)
        pairs.append((adapter.adapt(tensor.renamed(context.path), context), context))
    return result, _under_torch_names(module, joined(pairs, adapter))


def with_layout(options: Options, module: Module, source: Source, kind: str) -> Options:
    """Return the options with the layout that the source has, where they leave it open: see `layout_of`."""
    layout = options.from_layout or layout_of(module, source, kind, options.allow_partial)
    return replace(options, from_layout=layout)


def layout_of(module: Module, source: Source, kind: str, partial: bool = False) -> str:
    """Return the layout of tensors: of a .safetensors it shows in names and shapes, against the module.

    Else the file's metadata say it, and those of a .bpk always: see `burnpack.turned`.

    kind: the format they come from. partial: whether some of the module's parameters may be missing.
    Raises `LoadFailed` where both layouts fit alike: all Linear weights are square and there are no norms.
    """
    if kind != "safetensors":
        return PYTORCH if kind == "pytorch" or is_marked(source) else BURN
    faults = {layout: _faults(module, source, layout) for layout in LAYOUTS}
    best = min(LAYOUTS, key=lambda layout: faults[layout])
    alike = faults[BURN] == faults[PYTORCH] and not _same(module)
    if alike and is_marked(source):
        return PYTORCH
    # Where neither fits, what is wrong is told better by the one with fewer faults.
    if alike and (partial or not faults[best]):
        what = "Burn's and PyTorch's layout both fit the module, and one of them is meant"
        result, _ = matched(module, source, Options(from_layout=best))
        hints = [(LAYOUT, layout) for layout in LAYOUTS]
        result.advice = lambda _: [(hint, said(hint, f"the layout {hint[1]}")) for hint in hints]
        raise refusal(what, result, source.source)
    return best


def _contexts(module: Module, options: Options) -> dict[str, Context]:
    """Return where each parameter is, by the name that it has while it is matched."""
    skips = skips_variants(options)
    return {
        without_variants(path, containers) if skips else path: Context(path, containers)
        for path, containers, _ in walk(module)
    }


def _under_torch_names(module: Module, found: list[Placed]) -> list[Placed]:
    names = torch_names(module)
    return [(tensor.renamed(names.get(tensor.name, tensor.name)), context) for tensor, context in found]


def _own_tensors(
    source: Source, contexts: dict[str, Context], result: ApplyResult, options: Options
) -> list[Placed]:
    """Return the source's own tensors that the parameters take, each once, under PyTorch's names."""
    found: dict[str, Placed] = {}
    for path in result.applied:
        place = contexts[path]
        context = Context(path, place.containers)
        name = found_name(source, context, place.path, PyTorchToBurnAdapter())
        if name is None:  # one of several parameters that PyTorch stacks
            target = name = next(whole for whole, _, _ in places(context) if whole in source)
        else:
            target = name_in_pytorch(place)
        if target not in found:
            tensor = source.tensor(name)
            if options.adapter is not None:
                tensor = adapted_one(tensor.renamed(path), context, options.adapter)
            found[target] = tensor.renamed(target), context
    return list(found.values())


def _faults(module: Module, source: Source, layout: str) -> int:
    result, _ = matched(module, source, Options(from_layout=layout))
    return len(result.errors) + len(result.missing)


def _same(module: Module) -> bool:
    """Return whether the layouts differ in nothing that the module has: no Linear weight, no norm."""
    adapter = PyTorchToBurnAdapter()
    for path, containers, param in walk(module):
        tensor = Tensor(path, param.dtype, param.shape, b"", None, param.nbytes())
        if adapter.adapt(tensor, Context(path, containers)) is not tensor:
            return False
    return True
