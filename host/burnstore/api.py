"""The front door: what a script calls first, with plain names and plain values.

burnstore.save_file({"w": array}, "a.bpk")
arrays = burnstore.load_file("a.pt")
with burnstore.open("a.pt") as file:
    print(file.keys(), file["w"].shape, file.metadata())
burnstore.convert("a.pt", "a.bpk", module="model.py:Net", half=True)
burnstore.inspect("a.bpk")["tensors"]
"""

import os
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from burnpack.errors import Unsupported
from burnpack.limits import Limits
from burnpack.module import Module
from burnstore.io.files import PathLike, Progress
from burnstore.io.opened import OpenedFile
from burnstore.pipeline.conversion import FORMATS, Conversion, plan, target_path
from burnstore.pipeline.options import Options
from burnstore.pipeline.writing import own_metadata, write
from burnstore.pytorch.left_out import left_out_notes

if TYPE_CHECKING:
    from numpy.typing import NDArray


def open(path: PathLike, limits: Limits | None = None) -> OpenedFile:
    """Open a PyTorch, SafeTensors or Burnpack file, whatever its name. Only its header is read.

    path: the file's, or that of the index of a sharded checkpoint, which opens all its files as one.
    limits: how much is believed of what the file claims: a `Limits`.

    Use it in a `with`: `keys()`, `file[name]`, which is a read-only numpy array and a view of the file where
    that can be, `tensor(name)`, `metadata()`.

    Raises `BurnpackError` for what is in the file, `OSError` for what the operating system refuses.
    """
    return OpenedFile(path, limits)


def load_file(path: PathLike, limits: Limits | None = None) -> "dict[str, NDArray[Any]]":
    """Return all tensors of a file of any format as {name: numpy array}.

    path: the file's.
    limits: how much is believed of what the file claims: a `Limits`.

    The arrays own their memory and can be changed. Names are those that `convert` gives without a module: of
    a PyTorch checkpoint those under its top-level key. What is chosen or left out on the way is told by a
    warning. Quantized tensors become the float32 numbers that they stand for.

    Raises `BurnpackError` for what is in the file, `OSError` for what the operating system refuses.
    """
    import numpy as np

    from burnstore.numerics.arrays import array_from_tensor
    from burnstore.pipeline.selecting import selected

    with OpenedFile(path, limits) as opened:
        listing = selected(opened.reader, Options())
        arrays = {name: np.array(array_from_tensor(listing.tensor(name))) for name in listing.names()}
        for note in [*listing.notes, *left_out_notes(opened.left_out())]:
            warnings.warn(f"{opened.path}: {note}", stacklevel=2)
    return arrays


def save_file(
    tensors: "Mapping[str, Any]",
    path: PathLike,
    metadata: Mapping[str, str] | None = None,
    overwrite: bool = True,
) -> None:
    """Write {name: value} to a .bpk or .safetensors file, streamed and atomically.

    tensors: numpy arrays, what numpy makes arrays of, `Tensor`s or torch's tensors, by their names.
    path: where it is put; its suffix says the format.
    metadata: texts to write beside them.
    overwrite: whether a file that exists is replaced, as other libraries' `save_file` does.

    Raises `BurnpackError`: `Unsupported` for a value that no file holds, `SaveFailed` where the file can't be
    written. The old file is there, whole, until the new one is.
    """
    from burnstore.numerics.values import tensor_from_value

    target = target_path(path)
    kind = FORMATS[target.suffix.lower()]
    if not isinstance(tensors, Mapping):
        what = "tensors are given as {name: value}; those of a torch module are its state_dict()"
        raise Unsupported(what, expected="a dict", found=type(tensors).__name__)
    found = [tensor_from_value(name, value) for name, value in tensors.items()]
    pairs = {**dict(own_metadata(kind)), **(metadata or {})}
    write(target, kind, found, pairs.items(), overwrite=overwrite)


def convert(
    source: Any,
    target: PathLike,
    module: "Module | type | str | None" = None,
    *,
    example: Any = None,
    weights_only: bool = True,
    max_expansion: int | None = None,
    progress: Progress | None = None,
    **asked: Any,
) -> Conversion:
    """Convert a checkpoint: PyTorch, SafeTensors or Burnpack to .bpk or .safetensors, as the command does.

    source, target: paths; the target's suffix says the format. Where torch is there, the source may be a
        `torch.nn.Module`: it is exported, in evaluation mode, and so its program is written, too.
    example: of such a module the inputs to export it with, as in (x,). They and PyTorch's answer are the
        self-test; a file whose program answers otherwise is not written.
    module: the model whose names and layout the target gets: an instance or class of `Module` or
        `torch.nn.Module`, or "FILE:CLASS".
    weights_only: False lets torch load a whole module from the source, a file, by running its code, to be
        exported with the example. Only for files that you trust.
    max_expansion: bytes that packed or repeated tensors may take beyond the file's size.
    progress: is called with the number of bytes of each piece that is written.
    asked: options by the command's names: from_layout, to_layout, top_level_key, fold, strip_prefix, rename,
        contiguous, filter, exact, half, cast, saturate, shard_size, allow_partial, metadata, digest,
        param_ids, overwrite, shape, state. What each means and takes is said by
        `burnstore.pipeline.options.Options`.

    The conversion that was run is returned: its `target`, `size` and `notes` and, with a module, `result`.
    Raises `BurnpackError`, as `Unsupported` for an example without a module; then nothing is written.
    """
    if not isinstance(source, str | os.PathLike) and hasattr(source, "state_dict"):
        from burnstore.models.exporting import exported_file

        with exported_file(source, example) as (path, answers):
            return _converted(path, target, module, max_expansion, progress, asked, answers)
    if example is not None and weights_only:
        what = "an example is for a torch.nn.Module; weights_only=False lets torch load one from a file"
        raise Unsupported(f"{what}, and run its code", "example")
    if example is not None:
        from burnstore.models.exporting import loaded_module

        network = loaded_module(source)
        return convert(network, target, module, example=example, progress=progress, **asked)
    return _converted(source, target, module, max_expansion, progress, asked)


def _converted(
    source: PathLike,
    target: PathLike,
    module: "Module | type | str | None",
    max_expansion: int | None,
    progress: Progress | None,
    asked: dict[str, Any],
    answers: "list[NDArray[Any]] | None" = None,
) -> Conversion:
    """Convert a file. answers: PyTorch's, to the inputs that it was exported with."""
    from burnstore.models.model import module_of

    options = Options.asked(**asked)
    model = None if module is None else module_of(module)
    with OpenedFile(source, Limits(expansion=max_expansion)) as opened:
        conversion = plan(opened, target, model, options, answers)
        conversion.run(progress)
    return conversion


def inspect(
    path: PathLike, hash: bool = False, max_expansion: int | None = None, graph: bool = False
) -> dict[str, Any]:
    """Return what the command `inspect --json` prints, as plain values.

    path: the file's.
    hash: whether to read every tensor and give its SHA-256.
    max_expansion: bytes that packed or repeated tensors may take beyond the file's size.
    graph: whether to give the operations of a network that torch.export saved.

    The keys: format, version, dialect, metadata, scalars, tensors, and where there is anything of it notes,
    others, left_out, expansion, graph. A tensor has name, dtype, shape, offset, nbytes, param_id, and sha256
    where it is asked for.

    Raises `BurnpackError` for what is in the file, `OSError` for what the operating system refuses.
    """
    from burnstore.io.facts import facts

    with OpenedFile(path, Limits(expansion=max_expansion)) as opened:
        return facts(opened, hash, graph)
