"""The class of a whole module, which `torch.save(model)` pickles with the settings of its layers.

What `forward` computes is code, which no pickle holds.
"""

import inspect
from collections.abc import Mapping
from itertools import islice

from burnpack.errors import LimitExceeded
from burnpack.limits import Limits
from burnpack.module import DEPTH_MOST
from burnrt import nn
from burnstore.classes.description import Description, Given, LayerOf
from burnstore.classes.identifiers import is_layer
from burnstore.classes.simpler import in_short
from burnstore.pytorch.modules import ATTRIBUTES, ModuleState, module_state
from burnstore.pytorch.objects import Dict, Opaque
from burnstore.pytorch.plain import Plain

_TORCH = "torch.nn."
_HOLDERS = ("Sequential", "ModuleList", "ModuleDict")
_SAME = {"NonDynamicallyQuantizableLinear": "Linear"}  # classes that only say how they are quantized
_INNER = {"MultiheadAttention": "embed_dim"}  # what sizes are where nothing else is said
_BIASES = ("bias", "in_proj_bias")


def of_module(module: Opaque, shapes: Mapping[str, tuple[int, ...]]) -> tuple[Description, dict[str, str]]:
    """Return the description of a whole module, and comments on its parts.

    shapes: of the tensors that it has, by their names.
    """
    made = _Reading(Description(module.origin.name, [], []), dict(shapes))
    made.take("", module, 0)
    return made.description, made.comments


class _Reading:
    def __init__(self, description: Description, shapes: dict[str, tuple[int, ...]]) -> None:
        self.description = description
        self.comments: dict[str, str] = {}
        self._shapes = shapes
        self._plain = Plain(Limits())

    def take(self, path: str, module: Opaque, depth: int) -> None:
        """Take a module in: as a layer, or with all that it holds."""
        state = module_state(module)
        if state is None:
            return
        if depth > DEPTH_MOST:
            raise LimitExceeded("modules nested too deeply", path, expected=f"{DEPTH_MOST} at most")
        kind = _SAME.get(module.origin.name, module.origin.name)
        if path and module.origin.module.startswith(_TORCH) and is_layer(kind) and kind not in _HOLDERS:
            self.description.layers[path] = LayerOf(kind, (), self._settings(kind, module))
        elif path and not len(state):
            self.description.layers[path] = LayerOf("Identity")
            self.comments[path] = f"left to do: {module.origin.path}"
        else:
            self.description.containers[path] = module.origin.path
            self._take_parts(path, state, depth)

    def _take_parts(self, path: str, state: ModuleState, depth: int) -> None:
        for name, value in state:
            own = f"{path}.{name}" if path else str(name)
            if type(value) is Opaque and module_state(value) is not None:
                self.take(own, value, depth + 1)
            elif own in self._shapes:
                self.description.parameters[own] = self._shapes[own]

    def _settings(self, kind: str, module: Opaque) -> dict[str, Given]:
        """Return the arguments that a layer was made with: PyTorch keeps each under its own name."""
        kept = _attributes(module)
        parameters = kept.get("_parameters")
        found: dict[str, Given] = {}
        for name in inspect.signature(getattr(nn, kind)).parameters:
            if name in kept and name not in ("device", "dtype"):
                value = self._plain.convert(kept[name])
                if _is_given(value):
                    found[name] = in_short(value, name)  # type: ignore[arg-type] # which was asked
            elif name == "bias" and type(parameters) is Dict:
                biases = [value for key, value in parameters.pairs if key in _BIASES]
                if biases and found.get("affine", found.get("elementwise_affine", True)):
                    found["bias"] = biases[0] is not None
        for name in ("kdim", "vdim"):
            if kind in _INNER and found.get(name) == found.get(_INNER[kind]):
                found.pop(name, None)
        return found


def _attributes(module: Opaque) -> dict[str, object]:
    pairs = module.state.pairs if type(module.state) is Dict else []
    return {key: value for key, value in islice(pairs, ATTRIBUTES) if type(key) is str}


def _is_given(value: object) -> bool:
    if type(value) is tuple:
        return all(map(_is_given, value))
    return value is None or type(value) in (bool, int, float, str)
