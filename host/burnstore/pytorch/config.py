"""What a checkpoint says besides its tensors: its configuration, and facts about its container."""

import os
from typing import Any

from burnpack.errors import DuplicateName, NotFound, Unsupported
from burnpack.limits import Limits
from burnstore.io.files import MappedFile, PathLike
from burnstore.pytorch.checkpoint import number
from burnstore.pytorch.containers import load, loading
from burnstore.pytorch.plain import LEFT_OUT, Plain, as_key, named
from burnstore.pytorch.reader import PytorchReader
from burnstore.pytorch.tensors import UnreadTensor

SHOWN = 20  # keys that an error lists


def load_config(path: PathLike, key: str | None = None, limits: Limits | None = None) -> Any:
    """Return the plain values of a PyTorch checkpoint: numbers, texts, lists and dicts.

    path: the checkpoint's. No tensor is read, and none is checked.
    key: of the checkpoint's dict; only what is under it is returned.
    limits: how much is believed of what the file claims: a `Limits`.

    Where there are only tensors, this is {}, or None for one alone. Raises `NotFound` where there is no such
    key.
    """
    limits = limits or Limits()
    with MappedFile(path) as file, loading(os.fspath(path)):
        root = load(file.view, limits).root
        asked = root if key is None else _under(root, key)
        found = Plain(limits).convert(asked)
        if found is LEFT_OUT:
            return None if named(asked) is None else {}
    return found


def metadata(path: PathLike, limits: Limits | None = None) -> dict[str, Any]:
    """Return facts about a PyTorch checkpoint and its container, as a dict. No tensor is read.

    path: the checkpoint's.
    limits: how much is believed of what the file claims: a `Limits`.

    The keys: format; container: "zip", "torchscript", "legacy", "tar" or "pickle"; byteorder;
    pickle_protocol; version, format_version and storage_alignment where the container states them; tensors:
    how many have names; nbytes: of all of them that can be read.
    """
    with PytorchReader.open(path, limits) as reader:
        found: dict[str, Any] = {}
        for key, text in reader.metadata():
            stated = number(text)
            found[key] = text if stated is None else stated
        found["tensors"] = len(reader)
        found["nbytes"] = sum(tensor.nbytes for tensor in reader if not isinstance(tensor, UnreadTensor))
    return found


def _under(root: object, key: str) -> object:
    pairs = named(root)
    if pairs is None:
        raise Unsupported("the checkpoint has no keys: it is no dict", key, found=type(root).__name__)
    keys = [(as_key(other), value) for other, value in pairs]
    texts = [(str(text), value) for text, value in keys if text is not LEFT_OUT]
    found = [value for text, value in texts if text == key]
    if len(found) == 1:
        return found[0]
    if found:
        raise DuplicateName("several top-level keys of this name", key)
    known = ", ".join([text for text, _ in texts[:SHOWN]]) or "none"
    raise NotFound("no such top-level key", key, expected=f"one of: {known}")
