"""What PyTorch's tensors call their shape, and other shapes of the same numbers.

Who writes `x.reshape(...)` and `x.shape` does without this module.
"""

from burnpack.dtype import count
from burnpack.errors import InvalidTensor
from burnrt.value import lacking

if False:  # for type checkers
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from burnpack.types import Shape
    from burnrt.value import Value


def method(value: "Value", name: str) -> "Any":
    """Return what `value.name` is in PyTorch: a function of `burnrt.functional` becomes a method.

    Raises `Unsupported` for what isn't there.
    """
    if name == "ndim":
        return len(value.shape)
    if name == "dtype":
        return "float32"
    if name in ("T", "mT"):
        return _function("t")(value) if name == "T" else _function("transpose")(value, -2, -1)
    function = METHODS.get(name)
    if function is None:
        function = _function("windows" if name == "unfold" else name)
    return lambda *arguments, **named: function(value, *arguments, **named)


def _function(name: str) -> "Callable[..., Any]":
    """Return the function of `burnrt.functional` with this name."""
    try:
        from burnrt import functional
    except ImportError:  # a board has it where the model's source asks for it
        raise lacking("x." + name)
    if functional.home(name) is None:
        raise lacking("x." + name)
    return getattr(functional, name)  # type: ignore[no-any-return] # by name


def _itself(value: "Value") -> "Value":
    return value


def _size(value: "Value", dim: int | None = None) -> "Shape | int":
    return value.shape if dim is None else value.shape[_place(dim, len(value.shape))]


def _view(value: "Value", *shape: "Any") -> "Value":
    return value.reshape(*shape)


def _as(value: "Value", other: "Value") -> "Value":
    return value.reshape(other.shape)


def _flatten(value: "Value", start_dim: int = 0, end_dim: int = -1) -> "Value":
    shape = value.shape or (1,)
    start, end = _place(start_dim, len(shape)), _place(end_dim, len(shape))
    if start > end:
        raise InvalidTensor("flatten(start_dim, end_dim) goes forwards", found=[start_dim, end_dim])
    return value.reshape(shape[:start] + (count(shape[start : end + 1]),) + shape[end + 1 :])


def _unflatten(value: "Value", dim: int, sizes: "Iterable[int]") -> "Value":
    shape, dim = value.shape, _place(dim, len(value.shape))
    sizes = tuple(sizes)
    if -1 in sizes:
        at = sizes.index(-1)
        rest = sizes[:at] + sizes[at + 1 :]
        sizes = sizes[:at] + (shape[dim] // max(1, count(rest)),) + sizes[at + 1 :]
    if count(sizes) != shape[dim]:
        raise InvalidTensor("unflatten", expected="sizes of %d together" % shape[dim], found=list(sizes))
    return value.reshape(shape[:dim] + sizes + shape[dim + 1 :])


def _squeeze(value: "Value", dim: "int | Sequence[int] | None" = None) -> "Value":
    rank = len(value.shape)
    dims = range(rank) if dim is None else dim if isinstance(dim, (tuple, list)) else (dim,)
    dims = [_place(number, rank) for number in dims]
    kept = [extent for place, extent in enumerate(value.shape) if extent != 1 or place not in dims]
    return value.reshape(tuple(kept))


def _unsqueeze(value: "Value", dim: int) -> "Value":
    dim = _place(dim, len(value.shape) + 1)
    return value.reshape(value.shape[:dim] + (1,) + value.shape[dim:])


def _item(value: "Value") -> float:
    if count(value.shape) != 1:
        raise InvalidTensor("item() is there for one number", expected=1, found=count(value.shape))
    return value.data[0]


def _place(dim: object, rank: int) -> int:
    """Return the dimension that a number means, which may count from the end."""
    if not isinstance(dim, int) or not -rank <= dim < rank:
        raise InvalidTensor("no such dimension", expected="%d to %d" % (-rank, rank - 1), found=dim)
    return dim % rank


METHODS: "dict[str, Callable[..., Any]]" = {
    "clone": _itself,
    "contiguous": _itself,
    "cpu": _itself,
    "detach": _itself,
    "dim": lambda value: len(value.shape),
    "flatten": _flatten,
    "float": _itself,
    "item": _item,
    "numel": lambda value: count(value.shape),
    "reshape_as": _as,
    "size": _size,
    "squeeze": _squeeze,
    "unflatten": _unflatten,
    "unsqueeze": _unsqueeze,
    "view": _view,
    "view_as": _as,
}
