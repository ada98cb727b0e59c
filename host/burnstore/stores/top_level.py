"""The key of a PyTorch checkpoint's dict under which the weights are."""

from burnpack.errors import NotFound, printable
from burnpack.tensor import Tensor
from burnstore.pytorch.flatten import children, key_text
from burnstore.pytorch.objects import Dict, Opaque
from burnstore.pytorch.reader import PytorchReader
from burnstore.pytorch.rebuild import TensorView

# What trainers call the weights: enough of a sign where no name in them has a dot.
_USUAL = ("state_dict", "model_state_dict")


def found(reader: PytorchReader) -> str | None:
    """Return the only key that holds what looks like a module's weights, or None."""
    keys = _candidates(reader)
    return keys[0] if len(keys) == 1 else None


def notes(reader: PytorchReader) -> list[str]:
    """Return what a person should know of how `found` decided."""
    keys = _candidates(reader)
    if not keys:
        return []
    if len(keys) == 1:
        return [f'the weights are those under the top-level key "{printable(keys[0])}"']
    several = printable(", ".join(keys))
    return [
        "weights are under several top-level keys: with_top_level_key, or --top-level-key, "
        f"chooses one of {several}"
    ]


def tensors_under(reader: PytorchReader, key: str) -> list[Tensor]:
    """Return the tensors under a key, named from there on. Raises `NotFound`, with the keys there are."""
    start = key + "."
    tensors = [
        tensor.renamed(tensor.name[len(start) :]) for tensor in reader if tensor.name.startswith(start)
    ]
    if not tensors:
        known = ", ".join(text for text, _ in _pairs(reader)) or "none"
        raise NotFound("no tensors under this top-level key", key, reader.source, None, f"one of: {known}")
    return tensors


def _candidates(reader: PytorchReader) -> list[str]:
    pairs = _pairs(reader)
    if any(isinstance(value, TensorView) for _, value in pairs):
        return []  # the dict itself has the weights
    return [key for key, value in pairs if _has_weights(reader, key, value)]


def _has_weights(reader: PytorchReader, key: str, value: object) -> bool:
    """Return whether a value is a state dict, which has the dotted names of a module's parts, or a module."""
    if type(value) is Opaque:
        return id(value) in reader._fruitful
    if type(value) is not Dict:
        return False
    names = [key_text(name) or "" for name, tensor in value.pairs if isinstance(tensor, TensorView)]
    return any("." in name for name in names) or (bool(names) and key in _USUAL)


def _pairs(reader: PytorchReader) -> list[tuple[str, object]]:
    root = reader._checkpoint.root
    if type(root) is not Dict:
        return []
    return [(key_text(key) or "", value) for key, value in children(root)[1]]
