"""The layers of a network, guessed from the names and shapes of its weights.

What those leave open, such as a stride, stands as it usually is, with a comment that says that it is a guess.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from burnpack.tensor import Tensor
from burnstore.classes.description import Description, LayerOf
from burnstore.classes.likely import Found, Place, Shapes, layer_at, whole_layer_at

GUESS = "guess: "
_FORGOTTEN = ("num_batches_tracked",)  # what no layer here has
_NO_FLOATS = ("I", "U", "Bool", "C")  # what dtypes begin with that no parameter has
_GAPS = "a Sequential; Identity stands for what has no weights"


def guessed(tensors: Iterable[Tensor], is_burns: bool, name: str) -> tuple[Description, dict[str, str]]:
    """Return the description of a class that takes these tensors, and comments on its parts.

    is_burns: whether they are in Burn's layout. name: the class's.
    """
    modules, left = _modules(tensors)
    made = _Guessing(is_burns, Description(name, [], []), _wholes(modules, is_burns))
    for path, shapes in modules.items():
        made.take(path, shapes)
    made.name_rows()
    if left:
        made.description.notes.append(f"left out, as they are no floats: {', '.join(left)}")
    return made.description, made.comments


def _modules(tensors: Iterable[Tensor]) -> tuple[dict[str, Shapes], list[str]]:
    """Return the parameters of each module by its path, and the names of tensors that are none."""
    modules: dict[str, Shapes] = {}
    left = []
    for tensor in tensors:
        path, _, name = tensor.name.rpartition(".")
        if name in _FORGOTTEN:
            continue
        if isinstance(tensor.dtype, str) and tensor.dtype.startswith(_NO_FLOATS):
            left.append(tensor.name)
        else:
            modules.setdefault(path, {})[name] = tensor.shape
    return modules, left


def _wholes(modules: dict[str, Shapes], is_burns: bool) -> dict[str, Found]:
    """Return the layers that are made of modules with parameters, by their paths."""
    inside: dict[str, Shapes] = {}
    for path, shapes in modules.items():
        parts = path.split(".")
        for depth in range(max(len(parts) - 3, 1), len(parts) + 1):
            before, behind = ".".join(parts[:depth]), ".".join(parts[depth:])
            names = {f"{behind}.{name}" if behind else name: shape for name, shape in shapes.items()}
            inside.setdefault(before, {}).update(names)
    found = {path: whole_layer_at(Place(path, shapes, is_burns)) for path, shapes in inside.items()}
    return {path: whole for path, whole in found.items() if whole is not None}


@dataclass
class _Guessing:
    is_burns: bool
    description: Description
    wholes: dict[str, Found]
    comments: dict[str, str] = field(default_factory=dict)
    channels: int = 0

    def take(self, path: str, shapes: Shapes) -> None:
        """Take a module in: as a layer, as a part of one, or as parameters."""
        parts = path.split(".")
        around = [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
        whole = next((each for each in around if each in self.wholes), None)
        if whole is not None:
            self._put(whole, self.wholes[whole])
            return
        found = layer_at(self._place(path, shapes)) if path else None
        if found is not None:
            self._put(path, found)
            return
        for name, shape in shapes.items():
            own = f"{path}.{name}" if path else name
            self.description.parameters[own] = shape
            self.comments[own] = GUESS + "a parameter of its own"

    def _place(self, path: str, shapes: Shapes) -> Place:
        return Place(path, shapes, self.is_burns, not self.description.layers, self.channels)

    def _put(self, path: str, found: Found) -> None:
        self.description.layers[path] = found.layer
        self.channels = _outputs(found.layer) or self.channels
        if found.doubt:
            self.comments[path] = GUESS + found.doubt

    def name_rows(self) -> None:
        """Take numbered layers for a row."""
        rows: dict[str, list[str]] = {}
        for path in self.description.layers:
            around, _, name = path.rpartition(".")
            rows.setdefault(around, []).append(name)
        holders = {path.rpartition(".")[0] for path in rows}
        for path, names in rows.items():
            if path not in holders and all(name.isdecimal() for name in names):
                has_gaps = sorted(map(int, names)) != list(range(len(names)))
                doubt = _GAPS if has_gaps else "a Sequential"
                self.description.containers[path] = "Sequential"
                self.comments[path] = GUESS + doubt


def _outputs(layer: LayerOf) -> int:
    """Return how many channels a layer puts out, 0 where that is not known."""
    sizes = [each for each in layer.arguments if isinstance(each, int)]
    if layer.kind in ("BatchNorm", "InstanceNorm"):
        return sizes[0]
    return sizes[1] if layer.kind.startswith("Conv") else 0
