"""Square matrices of Linears that lie the other way round: no shape shows it, so other signs are looked for.

PyTorch has a Linear's weight as (out, in), Burn as (in, out). The signs are, the surest first: matrices that
are not square; what the file's metadata say, as `burnstore convert` writes them; norms of PyTorch's names.
"""

from burnpack.context import Context
from burnpack.forms import TORCH_NAMES
from burnpack.tensor import Tensor

if False:  # for type checkers
    from collections.abc import Iterable
    from typing import Any

    from burnpack.module import Param
    from burnpack.result import ApplyResult
    from burnpack.types import Adapter


def is_marked(tensors: "Any") -> bool:
    """Return whether a source's metadata say that its matrices lie as PyTorch has them.

    "layout" is what `burnstore convert` writes, "format" what Hugging Face does.
    """
    metadata: list[tuple[str, str]] = getattr(tensors, "metadata", list)()
    return ("layout", "pytorch") in metadata or ("format", "pt") in metadata


def straight(
    params: "Iterable[tuple[str, tuple[str, ...], Param]]",
    tensors: "Any",
    adapter: "Adapter | None",
    result: "ApplyResult",
    matches: "list[tuple[Param, Tensor]]",
) -> "list[tuple[Param, Tensor]]":
    """Return what was matched without the square matrices that need turning and get none: each is an error.

    params: a module's, as `walk` yields them. adapter: what has adapted the tensors.
    """
    linears = [param for path, containers, param in params if _is_of_linear(path, containers)]
    weights = set([id(param) for param in linears if len(param.shape) == 2])
    found = [param for param, tensor in matches if id(param) in weights and isinstance(tensor.dtype, str)]
    square = set([id(param) for param in found if param.shape[0] == param.shape[1]])
    if not square or not all([id(param) in square for param in found]) or _turns(adapter):
        return matches
    if not is_marked(tensors) and not _is_pytorchs(result):
        return matches
    rest = []
    for param, tensor in matches:
        if id(param) in square:
            result.applied.remove(tensor.name)
            result.fail("LayoutMismatch", tensor.name, "Burn's layout", "PyTorch's")
        else:
            rest.append((param, tensor))
    return rest


def reversed_shape(text: str) -> str:
    """Return the text of a shape with its extents in the other order."""
    return "[%s]" % ", ".join(reversed(text[1:-1].split(", ")))


def _is_of_linear(path: str, containers: tuple[str, ...]) -> bool:
    context = Context(path, containers)
    return context.module_type == "Struct:Linear" and context.name == "weight"


def _turns(adapter: "Adapter | None") -> bool:
    """Return whether an adapter turns a Linear's matrix."""
    if adapter is None:
        return False
    context = Context("weight", ("Struct:Linear",))
    return adapter.adapt(Tensor("weight", "F32", (1, 2), bytes(8)), context).shape == (2, 1)


def _is_pytorchs(result: "ApplyResult") -> bool:
    """Return whether norms that are missing are there by PyTorch's names, or other matrices are turned."""
    for path, _ in result.missing:
        head, dot, last = path.rpartition(".")
        if last in TORCH_NAMES and head + dot + TORCH_NAMES[last] in result.unused:
            return True
    for kind, path, expected, found in result.errors:
        if kind == "ShapeMismatch" and path.endswith("weight") and reversed_shape(found) == expected:
            return True
    return False
