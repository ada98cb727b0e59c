"""What modules of torch.ao.quantization leave in a state dict: integers of weights, and bytes of values.

A quantized module has `scale` and `zero_point` of what it answers with beside its parameters, and QuantStub
has those of what goes in. A model of the same modules, by the same names, rounds its values as these say.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from burnpack.errors import LoadFailed, Malformed
from burnpack.module import Module, walk
from burnpack.tensor import Tensor
from burnrt.functional.quantizing import fake_quantize_per_tensor_affine
from burnrt.trace import paths_of
from burnstore.models.running import inputs_of
from burnstore.numerics.arrays import array_from_tensor
from burnstore.pytorch.tensors import IntegerTensor

_SCALE, _ZERO = "scale", "zero_point"
_UNSIGNED, _SIGNED = (0, 255), (-128, 127)
_UNTOLD = (1.0, 0)  # of a module that has seen no numbers, or finds its scales while it runs
# Layers whose bytes are always the same where they take bytes: scale, and how many of 256 steps are below 0.
_ALWAYS = {"Sigmoid": (1 / 256, 0), "HardSigmoid": (1 / 256, 0), "Tanh": (1 / 128, 128)}

Bytes = tuple[float, int]  # scale and zero point
Tell = Callable[[str], None]


def has_integers(tensors: Iterable[Tensor]) -> bool:
    """Tell whether some tensors of a file are those of quantized modules."""
    return any(isinstance(each, IntegerTensor) for each in tensors)


def without_merged(model: Module, tensors: Mapping[str, Tensor], tell: Tell) -> None:
    """Let those batch norms of a model do nothing of which a file has nothing: PyTorch has merged them."""
    for name, part in _parts(model).items():
        if _kind(part) == "BatchNorm" and not any(each.startswith(f"{name}.") for each in tensors):
            vars(part).update(forward=lambda given: given, children=list)
            tell(f"{name} is not in the file: it is merged into what is before it")


def keep(model: Module, tensors: Mapping[str, Tensor], tell: Tell) -> None:
    """Let a loaded model round its values as a file says, and know the scales of its weights.

    tensors: of the file, by the model's names. Raises `LoadFailed` where the weights of a quantized tensor
    are not the model's, `Malformed` for a scale and zero point that no byte has.
    """
    for name, each in tensors.items():
        if isinstance(each, IntegerTensor):
            _keep_scales(model, name, each)
    told = _told(model, tensors)
    signed = any(zero < 0 for _, zero in told.values())
    parts = _parts(model)
    for name in [name for name, each in told.items() if each == _UNTOLD]:
        del told[name]
        tell(f"{name}: scale 1 and zero point 0 say that it has seen no numbers, and are not used")
    stubs = [name for name in told if name not in parts and tensors[f"{name}.{_SCALE}"].shape == (1,)]
    if len(stubs) == 1 and inputs_of(model) == 1:
        _round_input(model, told.pop(stubs[0]), signed)
    for name, found in told.items():
        if name in parts:
            _round_answer(parts[name], found, signed)
        else:
            tell(f"{name}: its scale is not used, as the class has no module of this name")
    for name, part in parts.items():
        always = _ALWAYS.get(_kind(part))
        if always and name not in told:
            _round_answer(part, always, False)
    vars(model)["passes_bytes"] = True


def passes_bytes(model: Module) -> bool:
    """Tell whether what only combines numbers of a value, as a pool does, keeps the bytes of its input."""
    return getattr(model, "passes_bytes", False)


def _keep_scales(model: Module, name: str, found: IntegerTensor) -> None:
    """Keep with a parameter the scales that its numbers are integers of."""
    param = next((param for path, _, param in walk(model) if path == name), None)
    if param is None or param.data is None:
        return
    own = np.frombuffer(param.data, "<f4") if param.dtype == "F32" else np.empty(0, "<f4")
    numbers = array_from_tensor(found)
    if not any(np.array_equal(own, each.reshape(-1)) for each in (numbers, numbers.T)):
        what = "the class has other numbers under this name: its modules must have the names of the file"
        raise LoadFailed(what, name)
    scales = found.scales()
    if scales is not None:
        vars(param)["scales"] = scales


def _told(model: Module, tensors: Mapping[str, Tensor]) -> dict[str, Bytes]:
    """Return the scale and zero point of each module, by its name."""
    own = {path for path, _, _ in walk(model)}
    found = {}
    for name in tensors:
        module, _, last = name.rpartition(".")
        zero = f"{module}.{_ZERO}"
        if last == _SCALE and module and zero in tensors and not {name, zero} & own:
            found[module] = _bytes(module, *(array_from_tensor(tensors[each]) for each in (name, zero)))
    return found


def _bytes(module: str, scale: Any, zero: Any) -> Bytes:
    if scale.size != 1 or zero.size != 1:
        what = "not one scale and zero point"
        raise Malformed(what, module, found=f"{scale.size} and {zero.size} numbers")
    found = float(scale.reshape(())), float(zero.reshape(()))
    if not 0 < found[0] < np.inf or found[1] not in range(_SIGNED[0], _UNSIGNED[1] + 1):
        raise Malformed("a scale and zero point that no byte has", module, found=str(found))
    return found[0], int(found[1])


def _round_answer(part: Module, found: Bytes, signed: bool) -> None:
    forward = part.forward

    def rounded(*inputs: Any, **named: Any) -> Any:
        return _rounded(forward(*inputs, **named), found, signed)

    vars(part)["forward"] = rounded


def _round_input(model: Module, found: Bytes, signed: bool) -> None:
    forward = model.forward
    vars(model)["forward"] = lambda given: forward(_rounded(given, found, signed))


def _rounded(value: Any, found: Bytes, signed: bool) -> Any:
    return fake_quantize_per_tensor_affine(value, *found, *(_SIGNED if signed else _UNSIGNED))


def _kind(part: Module) -> str:
    return str(part.container()).rpartition(":")[2]


def _parts(model: Module) -> dict[str, Module]:
    """Return the modules within a model by their names."""
    paths, found = paths_of(model), {}
    pending: list[Any] = [model]
    while pending:
        holder = pending.pop()
        children = [part for _, part in holder.children()] if isinstance(holder, Module) else list(holder)
        for part in children:
            if isinstance(part, Module) and paths[id(part)] not in found:
                found[paths[id(part)]] = part
            elif not isinstance(part, list | tuple):
                continue
            pending.append(part)
    return found
