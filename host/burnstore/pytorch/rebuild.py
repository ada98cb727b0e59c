"""Tensors, as the pickle rebuilds them from storages: what stands for PyTorch's own functions.

Here their arguments are only taken apart. Whether a tensor fits its storage is checked in `layout`,
where its name is known.
"""

from burnpack.errors import Malformed, printable
from burnstore.pytorch.objects import Builder, Dict, Global, Opaque, Refused
from burnstore.pytorch.storage import Storage

RANK_MOST = 64  # as PyTorch itself

# PyTorch's dtypes by the names that they are pickled under.
DTYPES = {
    "float64": "F64",
    "float32": "F32",
    "float16": "F16",
    "bfloat16": "BF16",
    "int64": "I64",
    "int32": "I32",
    "int16": "I16",
    "int8": "I8",
    "uint64": "U64",
    "uint32": "U32",
    "uint16": "U16",
    "uint8": "U8",
    "bool": "Bool",
    "complex32": "C32",
    "complex64": "C64",
    "complex128": "C128",
    "float8_e5m2": "F8_E5M2",
    "float8_e4m3fn": "F8_E4M3",
    "float8_e5m2fnuz": "F8_E5M2FNUZ",
    "float8_e4m3fnuz": "F8_E4M3FNUZ",
    "float8_e8m0fnu": "F8_E8M0",
    "float4_e2m1fn_x2": "F4",
    "bits8": "Bits8",
    "bits1x8": "Bits8",
    "bits2x4": "Bits8",
    "bits4x2": "Bits8",
    "bits16": "Bits16",
}


class TensorView:
    """A tensor: a strided view of a storage.

    offset, shape, stride: in elements of `dtype`, as the pickle has them, checked by nobody yet.
    conjugate, negative: whether the values are the conjugate or the negative of what is stored.
    swapped: whether the storage is big-endian; None: as all of the file are.
    hooked: whether it has hooks, which are not read.
    """

    __slots__ = (
        "conjugate",
        "dtype",
        "hooked",
        "negative",
        "offset",
        "shape",
        "storage",
        "stride",
        "swapped",
    )

    def __init__(
        self, storage: Storage, dtype: str, offset: int, shape: tuple[int, ...], stride: tuple[int, ...]
    ) -> None:
        self.storage = storage
        self.dtype = dtype
        self.offset = offset
        self.shape = shape
        self.stride = stride
        self.conjugate = False
        self.negative = False
        self.swapped: bool | None = None
        self.hooked = False


def rebuild_tensor(arguments: tuple[object, ...]) -> TensorView | Refused:
    """_rebuild_tensor(storage, offset, size, stride)."""
    return view_of("_rebuild_tensor", arguments, 4)


def rebuild_tensor_v2(arguments: tuple[object, ...]) -> TensorView | Refused:
    """_rebuild_tensor_v2(storage, offset, size, stride, grad, backward_hooks, metadata=None)."""
    view = view_of("_rebuild_tensor_v2", arguments, 6)
    if isinstance(view, Refused):
        return view
    view.hooked = _has_items(arguments[5])
    if len(arguments) > 6:
        _set_flags(view, arguments[6])
    return view


def rebuild_tensor_v3(arguments: tuple[object, ...]) -> TensorView | Refused:
    """_rebuild_tensor_v3(storage, offset, size, stride, grad, backward_hooks, dtype, metadata=None)."""
    view = view_of("_rebuild_tensor_v3", arguments, 7)
    dtype = arguments[6]
    if not isinstance(dtype, Global) or dtype.module != "torch":
        found = dtype.path if isinstance(dtype, Global) else type(dtype).__name__
        raise Malformed("a tensor has an unknown dtype", "the pickle", found=found)
    if isinstance(view, Refused):
        return view
    if dtype.name not in DTYPES:
        return Refused(f"a tensor of the dtype {printable(dtype.path)}")
    view.dtype = DTYPES[dtype.name]
    view.hooked = _has_items(arguments[5])
    if len(arguments) > 7:
        _set_flags(view, arguments[7])
    return view


def rebuild_parameter(arguments: tuple[object, ...]) -> object:
    """_rebuild_parameter(data, ...), _rebuild_parameter_with_state(data, ...): the tensor itself."""
    data = arguments[0] if arguments else None
    if isinstance(data, Opaque):
        return Refused(f"a Parameter made by {printable(data.origin.path)}")
    if not isinstance(data, (TensorView, Refused)):
        raise Malformed("a Parameter holds no tensor", "the pickle")
    if len(arguments) > 2 and isinstance(data, TensorView):
        data.hooked = data.hooked or _has_items(arguments[2])
    return data


def rebuild_from_type(arguments: tuple[object, ...]) -> object:
    """_rebuild_from_type_v2(function, class, arguments, state): a tensor of a subclass, as a plain one."""
    if len(arguments) != 4 or not isinstance(arguments[0], Global) or type(arguments[2]) is not tuple:
        raise Malformed("a tensor's subclass has no function and arguments", "the pickle")
    function, inner = arguments[0], arguments[2]
    if function.build in (rebuild_tensor, rebuild_tensor_v2, rebuild_tensor_v3, rebuild_parameter):
        return function.build(inner)
    if isinstance(function.build, Refusal):
        return function.build(inner)
    return Refused(f"a tensor subclass made by {printable(function.path)}")


def rebuild_moved(arguments: tuple[object, ...]) -> object:
    """_rebuild_device_tensor_from_cpu_tensor(data, dtype, device, grad): the tensor on the CPU."""
    view = rebuild_parameter(arguments)
    dtype = arguments[1] if len(arguments) > 1 else None
    if isinstance(view, TensorView) and (
        not isinstance(dtype, Global) or DTYPES.get(dtype.name) != view.dtype
    ):
        return Refused("a tensor that PyTorch casts while it loads")
    return view


class Refusal:
    """What stands for a function that makes a tensor of a kind which is not read."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def __call__(self, arguments: tuple[object, ...]) -> Refused:
        return Refused(self._kind)


def refuse_unknown(module: str, name: str) -> Builder | None:
    """Return what stands for one of PyTorch's functions for tensors that this release does not know yet."""
    known = module == "torch._utils" and name.startswith("_rebuild_")
    return Refusal(f"a tensor made by {printable(f'{module}.{name}')}") if known else None


def _has_items(hooks: object) -> bool:
    return isinstance(hooks, Dict) and bool(hooks.pairs)


def view_of(function: str, arguments: tuple[object, ...], count: int) -> TensorView | Refused:
    """Return the view that the first four of a function's arguments are: storage, offset, shape, stride."""
    if len(arguments) < count:
        raise Malformed("too few arguments", function, expected=count, found=len(arguments))
    storage, offset, shape, stride = arguments[:4]
    if isinstance(storage, Refused):
        return storage
    if type(storage) is not Storage:
        raise Malformed("a tensor is made of no storage", function, found=type(storage).__name__)
    shape, stride = _extents(function, shape), _extents(function, stride)
    return TensorView(storage, storage.dtype, offset, shape, stride)  # type: ignore[arg-type]


def _extents(function: str, value: object) -> tuple[int, ...]:
    extents = tuple(value) if type(value) is list else value
    if type(extents) is not tuple or len(extents) > RANK_MOST:
        found = type(value).__name__
        raise Malformed(f"a shape or stride is no tuple of at most {RANK_MOST}", function, found=found)
    return extents


def _set_flags(view: TensorView, metadata: object) -> None:
    if metadata is None:
        return
    if type(metadata) is not Dict:
        raise Malformed("a tensor's flags are no dict", "the pickle", found=type(metadata).__name__)
    for key, value in metadata.pairs:
        if type(value) is not bool or type(key) is not str or key not in ("conj", "neg"):
            raise Malformed(
                "a tensor has an unknown flag", "the pickle", found=key if type(key) is str else None
            )
        if key == "conj":
            view.conjugate = value
        else:
            view.negative = value
