"""A module of PyTorch's, exported by PyTorch."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from burnpack.errors import LoadFailed, Unsupported
from burnstore.models.running import Answers
from burnstore.models.told import told


@contextmanager
def exported_file(network: Any, example: Any) -> Iterator[tuple[Path, Answers]]:
    """Let PyTorch export a module into a temporary file, in evaluation mode; give its path and its answers.

    example: the inputs to export it with: a tuple of tensors, or one tensor. Afterwards each part of the
    module is in the mode that it was in. Raises `LoadFailed` where PyTorch can't.
    """
    torch: Any = import_module("torch")

    if example is None:
        what = "a module is exported with an example of its inputs: convert(net, path, example=(x,))"
        raise Unsupported(what, type(network).__name__)
    given = tuple(example) if isinstance(example, Sequence) else (example,)
    modes = [(part, part.training) for part in network.modules()]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{type(network).__name__}.pt2"
        try:
            torch.export.save(torch.export.export(network.eval(), given), path)
            with torch.no_grad():
                leaves = import_module("torch.utils._pytree").tree_leaves(network(*given))
        except Exception as error:
            what = f"PyTorch can't export it: {told(error)}"
            raise LoadFailed(what, type(network).__name__) from error
        finally:
            for part, mode in modes:
                part.training = mode
        yield path, [np.asarray(each.numpy(), np.float32) for each in leaves if hasattr(each, "numpy")]


def loaded_module(path: Any) -> Any:
    """Let torch load a whole module from a file, whose code runs. Raises `LoadFailed` for anything else."""
    torch: Any = import_module("torch")
    try:
        found = torch.load(path, weights_only=False, map_location="cpu")
    except Exception as error:
        raise LoadFailed(f"torch can't load it: {told(error)}", source=str(path)) from error
    if not isinstance(found, torch.nn.Module):
        raise LoadFailed("no module of PyTorch's", source=str(path), found=type(found).__name__)
    return found
