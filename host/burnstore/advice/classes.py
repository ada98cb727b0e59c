"""Layers that no adapter knows by their names, and arguments of layers that are swapped."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from burnpack.adapters.layers import LAYERS
from burnpack.context import Context, without_variants
from burnpack.module import DEPTH_MOST, Module, walk
from burnpack.result import ApplyResult
from burnpack.similar import ALIKE, similarity
from burnpack.turned import reversed_shape
from burnstore.advice.kinds import LAYER, SWAPPED, Hint

_LIKE = 2  # known layers that are tried for one that is not


def layer_hints(module: Module, result: ApplyResult) -> list[Hint]:
    """Return which layers, of parameters that do not fit, may be known ones by other names."""
    wanted = {path for path, _ in result.missing} | {error[1] for error in result.errors}
    found: dict[str, None] = {}
    for path, containers, _ in walk(module):
        layer = (Context(path, containers).module_type or "").removeprefix("Struct:")
        if layer not in LAYERS and ":" not in layer and wanted & {path, without_variants(path, containers)}:
            found[layer] = None
    return [(LAYER, layer, known) for layer in found for known in _like(layer)]


@contextmanager
def known_as(module: Module, hints: Iterable[Hint]) -> Iterator[None]:
    """Let the layers that hints name count as the known ones meanwhile."""
    classes = {f"Struct:{hint[1]}": f"Struct:{hint[2]}" for hint in hints if hint[0] == LAYER}
    parts = [part for part in _parts(module) if part.container() in classes] if classes else []
    for part in parts:
        part.__dict__["container"] = _saying(classes[part.container()])
    try:
        yield
    finally:
        for part in parts:
            del part.__dict__["container"]


def swapped_hints(result: ApplyResult) -> list[Hint]:
    """Return which layers would fit with their numbers of inputs and outputs exchanged."""
    shapes = {
        path: (expected, found) for kind, path, expected, found in result.errors if kind == "ShapeMismatch"
    }
    hints: list[Hint] = []
    for path, (expected, found) in shapes.items():
        head, _, last = path.rpartition(".")
        outputs = shapes.get(f"{head}.bias", (None, ""))[1]
        if last == "weight" and head and reversed_shape(found) == expected and _is_end(outputs, found):
            hints.append((SWAPPED, head))
    return hints


def _like(layer: str) -> list[str]:
    rated = [(similarity(layer.lower(), known.lower()), known) for known in LAYERS]
    alike = [pair for pair in rated if pair[0] >= ALIKE]
    return [known for _, known in sorted(alike, key=lambda pair: -pair[0])[:_LIKE]]


def _saying(container: str) -> Callable[[], str]:
    return lambda: container


def _parts(module: Module) -> Iterator[Module]:
    """Yield a module and all below it, each once."""
    known: set[int] = set()
    waiting: list[tuple[object, int]] = [(module, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > DEPTH_MOST or id(value) in known:
            continue
        known.add(id(value))
        if isinstance(value, Module):
            yield value
            waiting += [(child, depth + 1) for _, child in value.children()]
        elif isinstance(value, (list, tuple)):
            waiting += [(child, depth + 1) for child in value]


def _is_end(bias: str, weight: str | None) -> bool:
    """Return whether a bias is as long as a matrix, which lies as Burn has it, is wide."""
    return bool(bias) and bias[1:-1] == (weight or "")[1:-1].split(", ")[-1]
