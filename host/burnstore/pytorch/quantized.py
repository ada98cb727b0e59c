"""Tensors that PyTorch holds in integers, and the numbers that they stand for.

number = scale × (integer - zero point), with one scale for all, or one for each index along an axis
"""

from typing import TYPE_CHECKING, NamedTuple

from burnpack.dtype import count
from burnpack.errors import LimitExceeded, Malformed, printable
from burnpack.limits import Limits
from burnstore.pytorch import gather
from burnstore.pytorch.layout import Entry, place, unread
from burnstore.pytorch.objects import Global, Refused
from burnstore.pytorch.rebuild import TensorView, view_of
from burnstore.pytorch.storage import Storages

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DTYPES = {"QInt8": "I8", "QUInt8": "U8", "QInt32": "I32"}  # of the integers
_ONE, _SEVERAL = "per_tensor_affine", ("per_channel_affine", "per_channel_affine_float_qparams")
_SIZE = 4  # bytes of a number
# What a Linear of torch.ao.quantization calls its parameters: each has a name of its own elsewhere.
_PACKED = "_packed_params._packed_params."
_OWN = {"0": "weight", "1": "bias"}
_OF_EMBEDDING = "_packed_params._packed_weight"
_LEAST, _LARGEST = -128, 127  # of a signed byte

_NUMPY = {"I8": "<i1", "U8": "<u1", "I32": "<i4", "I64": "<i8", "F32": "<f4", "F64": "<f8"}


class QuantizedView(TensorView):
    """A tensor of integers.

    steps: a scale and a zero point, or a tensor of each. axis: along which these are, or None.
    """

    __slots__ = ("axis", "steps")

    steps: tuple[object, object]
    axis: int | None


class Steps(NamedTuple):
    """Where the scales and zero points of a tensor are: numbers, or entries."""

    scale: float | Entry
    zero: float | Entry


def rebuild_qtensor(arguments: tuple[object, ...]) -> TensorView | Refused:
    """_rebuild_qtensor(storage, offset, size, stride, quantizer, grad, backward_hooks)."""
    view = view_of("_rebuild_qtensor", arguments, 5)
    if isinstance(view, Refused) or view.dtype not in _DTYPES:
        return view
    quantizer = arguments[4]
    if type(quantizer) is not tuple or len(quantizer) < 3 or not isinstance(quantizer[0], Global):
        raise Malformed("a quantized tensor has no scheme, scale and zero point", "the pickle")
    scheme = quantizer[0]
    several = scheme.name in _SEVERAL and len(quantizer) > 3
    if scheme.module != "torch" or not (several or scheme.name == _ONE):
        return Refused(f"a quantized tensor of the scheme {printable(scheme.path)}")
    found = QuantizedView(view.storage, _DTYPES[view.dtype], view.offset, view.shape, view.stride)
    found.steps, found.axis = quantizer[1:3], quantizer[3] if several else None
    return found


def own_names(found: dict[str, TensorView | Refused]) -> dict[str, TensorView | Refused]:
    """Return tensors by their names, those of a packed Linear by the names that a Linear has."""
    named: dict[str, TensorView | Refused] = {}
    for name, view in found.items():
        if name.endswith(_OF_EMBEDDING) and isinstance(view, QuantizedView):
            own = name[: -len(_OF_EMBEDDING)] + "weight"
            named[name if own in found else own] = view
            continue
        head, is_packed, last = name.rpartition(_PACKED)
        own = head + _OWN.get(last, last)
        weight = found.get(f"{head}{_PACKED}0")
        fits = is_packed and last in _OWN and isinstance(weight, QuantizedView) and own not in found
        named[own if fits else name] = view
    return named


def steps_of(name: str, view: QuantizedView, storages: Storages, limits: Limits, swapped: bool) -> Steps:
    """Return where the scales and zero points of a tensor are. Raises `Malformed` where they are none."""
    if count(view.shape) * _SIZE > limits.tensor:
        most, found = f"at most {limits.tensor} bytes", count(view.shape) * _SIZE
        raise LimitExceeded("the tensor is too large", name, expected=most, found=found)
    if view.axis is None:
        scale, zero = (_number(name, each) for each in view.steps)
        return Steps(scale, zero)
    if type(view.axis) is not int or not 0 <= view.axis < len(view.shape):
        raise Malformed("scales are along no dimension of the tensor", name, found=str(view.axis))
    placed = []
    for each in view.steps:
        if not isinstance(each, TensorView) or unread(each) or each.dtype not in _NUMPY:
            raise Malformed("scales or zero points are no tensor of numbers", name)
        if each.shape != view.shape[view.axis : view.axis + 1]:
            wanted = list(view.shape[view.axis : view.axis + 1])
            what = "not one scale and zero point for each index"
            raise Malformed(what, name, expected=wanted, found=list(each.shape))
        placed.append(place(name, each, storages, limits, swapped))
    return Steps(*placed)


def numbers_of(entry: Entry, steps: Steps) -> memoryview:
    """Return what a tensor's integers stand for, in binary32."""
    import numpy as np  # which no other file needs

    scale, zero = _along(entry, steps)
    with np.errstate(all="ignore"):  # infinities take their course
        found: NDArray[np.float32] = ((_read(entry) - zero) * scale).astype("<f4").reshape(-1)
        return found.view(np.uint8).data


def scales_of(entry: Entry, steps: Steps) -> "NDArray[np.float32] | None":
    """Return the scales of a tensor, in a shape that fits its own; None where these times signed bytes are
    not its numbers: it has zero points, and integers that need them.
    """
    scale, zero = _along(entry, steps)
    integers = _read(entry) - zero
    if not integers.size or integers.min() < _LEAST or integers.max() > _LARGEST:
        return None
    found: NDArray[np.float32] = scale.astype("<f4")
    return found


def _along(entry: Entry, steps: Steps) -> "list[NDArray[np.float64]]":
    """Return the scales and the zero points of a tensor, in a shape that fits its own."""
    import numpy as np

    view = entry.view
    assert isinstance(view, QuantizedView)
    shape = [1] * len(entry.shape)
    if view.axis is not None:
        shape[view.axis] = -1
    read = (_read(each) if isinstance(each, Entry) else each for each in steps)
    return [np.asarray(each, np.float64).reshape(shape) for each in read]


def told(entry: Entry) -> str:
    """Return in a few words what a tensor is."""
    view = entry.view
    assert isinstance(view, QuantizedView)
    scales = "one scale" if view.axis is None else f"{view.shape[view.axis]} scales along {view.axis}"
    return f"quantized by PyTorch: {view.dtype}, {scales}; read as F32"


def _number(name: str, found: object) -> float:
    if type(found) not in (int, float) or abs(found) > 1e38:  # type: ignore[arg-type]
        raise Malformed("a scale or zero point is no number", name, found=type(found).__name__)
    return float(found)  # type: ignore[arg-type]


def _read(entry: Entry) -> "NDArray[np.float64]":
    import numpy as np

    found = np.frombuffer(gather.read(entry), _NUMPY[entry.dtype])
    return found.reshape(entry.shape).astype(np.float64)
