"""Folders, given where a file was expected: which file in them is meant, or what they are."""

import os
from itertools import islice

from burnpack.errors import UnknownFormat
from burnstore.io.foreign import DISTRIBUTED

_LOOKED_AT = 10_000  # entries
_SHOWN = 3
_INDEX = ".index.json"
_ENDINGS = (".safetensors", ".bpk", ".pt", ".pth", ".ckpt", ".bin", ".pkl", ".tar")
# An entry that shows what a folder is, and what that is.
_KNOWN = (
    ("data.pkl", "an archive of PyTorch, unpacked: pack it into a zip archive again, with the folder itself"),
    (".metadata", f"a distributed checkpoint: {DISTRIBUTED}"),
    ("zero_to_fp32.py", "a checkpoint of DeepSpeed: the zero_to_fp32.py in it makes one file"),
    ("saved_model.pb", "a TensorFlow SavedModel, no checkpoint that is read here"),
    ("checkpoint", "checkpoints of TensorFlow, no checkpoint that is read here"),
)


def folder_error(path: str) -> UnknownFormat:
    """Return the error that says which file to give instead of a folder."""
    with os.scandir(path) as entries:
        names = sorted(entry.name for entry in islice(entries, _LOOKED_AT))
    return UnknownFormat(f"a folder, where a file was expected{_told(names)}", source=path)


def _told(names: list[str]) -> str:
    files = [name for name in names if name.endswith(_INDEX)] or [
        name for name in names if name.lower().endswith(_ENDINGS) and name != "data.pkl"
    ]
    for known, what in _KNOWN:
        if known in names and (known == "data.pkl" or not files):
            return f"; it is {what}"
    if not files:
        return ""
    more = f" or another of {len(files)}" if len(files) > _SHOWN else ""
    return f": give the file in it, {' or '.join(files[:_SHOWN])}{more}"
