"""Which tensor goes into which file of a sharded checkpoint, and what the files are called."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from burnpack.errors import DuplicateName
from burnpack.tensor import Tensor
from burnstore.io.files import with_name_added
from burnstore.io.shards.index import SUFFIX


def grouped(tensors: Iterable[Tensor], most: int) -> list[list[Tensor]]:
    """Return the tensors in groups, in their order: as many in each as `most` bytes hold, at least one.

    Raises `DuplicateName`, which no file by itself would show.
    """
    groups: list[list[Tensor]] = [[]]
    filled = 0
    names: set[str] = set()
    for tensor in tensors:
        if tensor.name in names:
            raise DuplicateName("the same name twice", tensor.name)
        names.add(tensor.name)
        if groups[-1] and filled + tensor.nbytes > most:
            groups.append([])
            filled = 0
        groups[-1].append(tensor)
        filled += tensor.nbytes
    return groups


def index_path(path: Path) -> Path:
    """Return the path of the index that stands for the model at `path`."""
    return with_name_added(path, SUFFIX)


def shard_names(path: Path, count: int) -> list[str]:
    """Return the files' names as Hugging Face gives them: model-00001-of-00002.safetensors.

    Where there is a model of several files already, a token of this save stands in the names: the old
    files must stay until the new index is there, and no name may ever be used for other bytes.
    """
    names = _names(path, "", count)
    taken = [index_path(path), *(path.with_name(name) for name in names)]
    if any(os.path.lexists(candidate) for candidate in taken):
        return _names(path, f".{os.urandom(4).hex()}", count)
    return names


def is_shard_of(path: Path, name: str) -> bool:
    """Return whether `name` is one that `shard_names` could have given to a file of the model at `path`."""
    form = rf"{re.escape(path.stem)}(?:\.[0-9a-f]{{8}})?-[0-9]{{5,}}-of-[0-9]{{5,}}{re.escape(path.suffix)}"
    return re.fullmatch(form, name) is not None


def _names(path: Path, token: str, count: int) -> list[str]:
    return [f"{path.stem}{token}-{number:05}-of-{count:05}{path.suffix}" for number in range(1, count + 1)]
