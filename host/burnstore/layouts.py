"""Burn's and PyTorch's ways of naming and laying out parameters, and telling which one a file has."""

from typing import TYPE_CHECKING

from burnpack.apply import match
from burnpack.collect import joined
from burnpack.context import Context, without_variants
from burnpack.errors import LoadFailed
from burnpack.filter import PathFilter
from burnpack.module import Module, walk
from burnpack.result import ApplyResult
from burnpack.tensor import Tensor
from burnstore.adapters import BurnToPyTorchAdapter, PyTorchToBurnAdapter
from burnstore.container import Container
from burnstore.naming.steps import NamedListing

if TYPE_CHECKING:
    from burnpack.adapters import Adapter

BURN = "burn"
PYTORCH = "pytorch"
LAYOUTS = (BURN, PYTORCH)

Source = Container | NamedListing
Placed = tuple[Tensor, Context]  # a tensor of a module, and where it is in there


def match_layout(
    module: Module,
    source: Source,
    layout: str,
    filter: PathFilter | None = None,
    adapter: "Adapter | None" = None,
) -> tuple[ApplyResult, list[Placed]]:
    """Match tensors of a known layout; return the result and the lazy tensors, in Burn's names and layout.

    adapter: what else to do with each of them.
    """
    to_burn = PyTorchToBurnAdapter() if layout == PYTORCH else None
    both = to_burn.chain(adapter) if to_burn and adapter else to_burn or adapter
    result, matches = match(module, source, filter, both, layout == PYTORCH)
    places = _places(module, layout)
    return result, [(tensor.renamed(places[tensor.name].path), places[tensor.name]) for _, tensor in matches]


def to_layout(placed: list[Placed], layout: str) -> list[Tensor]:
    """Return a module's tensors, which are in Burn's names and layout, in another layout."""
    if layout == BURN:
        return [tensor for tensor, _ in placed]
    adapter = BurnToPyTorchAdapter()
    pairs = []
    for tensor, place in placed:
        path = without_variants(place.path, place.containers)  # PyTorch has none
        context = Context(path, place.containers)
        pairs.append((adapter.adapt(tensor.renamed(path), context), context))
    return [tensor for tensor, _ in joined(pairs, adapter)]


def layout_of(module: Module, source: Source, kind: str, partial: bool = False) -> str:
    """Return the layout of tensors: of a .safetensors it shows in names and shapes, against the module.

    kind: the format they come from. partial: whether some of the module's parameters may be missing.
    Raises `LoadFailed` where both layouts fit alike: all Linear weights are square and there are no norms.
    """
    if kind != "safetensors":
        return PYTORCH if kind == "pytorch" else BURN
    faults = {layout: _faults(module, source, layout) for layout in LAYOUTS}
    best = min(LAYOUTS, key=lambda layout: faults[layout])
    alike = faults[BURN] == faults[PYTORCH] and not _same(module)
    # Where neither fits, what is wrong is told better by the one with fewer faults.
    if alike and (partial or not faults[best]):
        what = "Burn's and PyTorch's layout both fit the module: say which with --from-layout"
        raise LoadFailed(what, None, source.source)
    return best


def _places(module: Module, layout: str) -> dict[str, Context]:
    """Return where each parameter is, by the name that it has while it is matched."""
    places = {}
    for path, containers, _ in walk(module):
        name = without_variants(path, containers) if layout == PYTORCH else path
        places[name] = Context(path, containers)
    return places


def _faults(module: Module, source: Source, layout: str) -> int:
    result, _ = match_layout(module, source, layout)
    return len(result.errors) + len(result.missing)


def _same(module: Module) -> bool:
    """Return whether the layouts differ in nothing that the module has: no Linear weight, no norm."""
    adapter = PyTorchToBurnAdapter()
    for path, containers, param in walk(module):
        tensor = Tensor(path, param.dtype, param.shape, b"", None, param.nbytes())
        if adapter.adapt(tensor, Context(path, containers)) is not tensor:
            return False
    return True
