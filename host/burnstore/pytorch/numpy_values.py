"""NumPy's scalars, dtypes and arrays in a pickle, as numbers and tensors where they are plain numbers."""

import struct
from math import prod

from burnpack.errors import Malformed, printable
from burnstore.pytorch.objects import Global
from burnstore.pytorch.rebuild import DTYPES, RANK_MOST, TensorView
from burnstore.pytorch.storage import SIZES, Record, Slice, Storage

# The codes of plain numbers: NumPy's name of each, and how struct reads one.
_SIMPLE = {
    "b1": ("bool", "?"),
    "i1": ("int8", "b"),
    "i2": ("int16", "h"),
    "i4": ("int32", "i"),
    "i8": ("int64", "q"),
    "u1": ("uint8", "B"),
    "u2": ("uint16", "H"),
    "u4": ("uint32", "I"),
    "u8": ("uint64", "Q"),
    "f2": ("float16", "e"),
    "f4": ("float32", "f"),
    "f8": ("float64", "d"),
    "c8": ("complex64", "ff"),
    "c16": ("complex128", "dd"),
}
_ORDERS = {"<": "<", ">": ">", "|": "<", "=": "<"}  # NumPy's signs, and how struct reads such numbers
_DTYPE_STATE = 2  # how many of the fields of a dtype's state are read: version, byte order
_ARRAY_STATE = 5  # version, shape, dtype, order, data
_SMALL = 1 << 16  # bytes of an array that may become nested lists
# What arrays are of that are no tensors, by the first letter of the dtype's code.
_OTHER = {
    "O": "objects",
    "V": "records",
    "S": "bytes",
    "U": "texts",
    "M": "times",
    "m": "spans of time",
    "f": "floats that Burn has not",
    "c": "complex numbers that Burn has not",
}


class NumpyDtype:
    """A NumPy dtype: its code as in "f8", or a name of ml_dtypes', and its byte order."""

    __slots__ = ("code", "order")

    def __init__(self, code: str) -> None:
        self.code = code
        self.order = "<"

    def set_state(self, state: object) -> None:
        """Take the byte order from the state that NumPy pickles."""
        order = state[1] if type(state) is tuple and len(state) >= _DTYPE_STATE else None
        if type(order) is not str or order not in _ORDERS:  # what is no text may take forever to look up
            raise Malformed("a NumPy dtype has a strange state", "the pickle")
        self.order = order

    def form(self) -> str | None:
        """Return how struct reads a plain number of this dtype; None for what is no plain number."""
        found = _SIMPLE.get(self.code)
        return None if found is None else _ORDERS[self.order] + found[1]

    def element(self) -> str | None:
        """Return the dtype of a tensor of such numbers; None for what is no number of a tensor."""
        name = _SIMPLE[self.code][0] if self.code in _SIMPLE else self.code
        return DTYPES.get(name)

    def __str__(self) -> str:
        found = _SIMPLE.get(self.code)
        return self.code if found is None else found[0]


class Array:
    """A NumPy array: shape, dtype and data once its state is set. known: the tensor that was made of it."""

    __slots__ = ("_by_columns", "_data", "dtype", "known", "shape")

    def __init__(self) -> None:
        self.dtype: NumpyDtype | None = None
        self.shape: tuple[object, ...] = ()
        self._data: object = b""
        self._by_columns = False
        self.known: TensorView | None = None

    def set_state(self, state: object) -> None:
        """Take what the state says that NumPy pickles."""
        if type(state) is not tuple or len(state) != _ARRAY_STATE:
            raise Malformed("a NumPy array has a strange state", "the pickle")
        self._describe(state[1], state[2])
        self._keep(state[4], state[3] is True)

    def _describe(self, shape: object, dtype: object) -> None:
        if type(shape) is not tuple or type(dtype) is not NumpyDtype:
            raise Malformed("a NumPy array has a strange shape or dtype", "the pickle")
        self.shape = shape
        self.dtype = dtype

    def _keep(self, data: object, by_columns: bool) -> None:
        if type(data) is str:  # as Python 2 wrote it, see `Unpickler`
            data = data.encode("utf-8", "surrogateescape")
        self._data = data
        self._by_columns = by_columns

    def unread(self) -> str | None:
        """Return what the array is if it is none of numbers; None for one that is a tensor."""
        if self.dtype is None:
            return "a NumPy array without values"
        if self.dtype.element() is None or type(self._data) is not bytes:
            code = self.dtype.code
            return f"a NumPy array of {_OTHER.get(code[:1], printable(code)) if code else 'nothing'}"
        return None

    def tensor(self, path: str) -> TensorView:
        """Return the array as a tensor. path: where it is, for errors."""
        if self.known is None:
            self.known = self._as_tensor(path)
        return self.known

    def _as_tensor(self, path: str) -> TensorView:
        data, dtype = self._data, self.dtype.element() if self.dtype else None
        assert isinstance(data, bytes) and dtype and self.dtype  # see `unread`
        if len(self.shape) > RANK_MOST or any(type(extent) is not int or extent < 0 for extent in self.shape):
            raise Malformed("a NumPy array has a strange shape", path)
        shape: tuple[int, ...] = tuple(self.shape)  # type: ignore[arg-type]
        expected = prod(shape) * SIZES[dtype]
        if len(data) != expected:
            what = "a NumPy array has not as many bytes as its shape says"
            raise Malformed(what, path, expected=expected, found=len(data))
        storage = Storage(path, dtype, len(data))
        storage.record = Record(f"NumPy array {path}", None, len(data), Slice(memoryview(data)))
        view = TensorView(storage, dtype, 0, shape, _strides(shape, self._by_columns))
        view.swapped = self.dtype.order == ">"
        return view

    @classmethod
    def of_buffer(cls, arguments: tuple[object, ...]) -> "Array":
        """_frombuffer(data, dtype, shape, order), with which protocol 5 makes arrays."""
        if len(arguments) != 4:
            raise Malformed("a NumPy array is made of no data, dtype, shape and order", "the pickle")
        array = cls()
        array._describe(arguments[2], arguments[1])
        array._keep(arguments[0], type(arguments[3]) is str and arguments[3] == "F")
        return array

    def cost(self) -> int:
        """Return how many numbers and lists `elements` may make."""
        return len(self._small()) * (1 + len(self.shape))

    def _small(self) -> bytes:
        """Return the data of a small array, and none of a large one."""
        return self._data if isinstance(self._data, bytes) and len(self._data) <= _SMALL else b""

    def elements(self) -> object:
        """Return the elements as nested lists, or the one of an array without dimensions.

        None for a large array, and where the elements are no plain numbers.
        """
        form = None if self.dtype is None else self.dtype.form()
        extents = [extent for extent in self.shape if type(extent) is int and 0 < extent <= _SMALL]
        data = self._small()
        if form is None or not data or len(extents) != len(self.shape):
            return None
        import numpy as np  # only such arrays pay for it

        try:
            found = np.frombuffer(data, form[0] + self.dtype.code)  # type: ignore[union-attr]
            return found.reshape(extents, order="F" if self._by_columns else "C").tolist()
        except ValueError:  # not as many as the shape says, or more dimensions than NumPy has
            return None


class Scalar:
    """A NumPy scalar: the number, and the same as an array."""

    __slots__ = ("_data", "_dtype", "number")

    def __init__(self, number: object, dtype: NumpyDtype, data: bytes) -> None:
        self.number = number
        self._dtype = dtype
        self._data = data

    @property
    def array(self) -> Array:
        """The scalar as an array without dimensions."""
        array = Array()
        array._describe((), self._dtype)
        array._keep(self._data, False)
        return array


def _strides(shape: tuple[int, ...], by_columns: bool) -> tuple[int, ...]:
    """Return the strides of an array in order, whose first dimension is the fastest if it goes by columns."""
    strides = []
    step = 1
    for extent in shape if by_columns else reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(strides if by_columns else reversed(strides))


def make_array(arguments: tuple[object, ...]) -> Array:
    """_reconstruct(class, shape, code): an empty array, whose state follows."""
    return Array()


def make_dtype(arguments: tuple[object, ...]) -> NumpyDtype:
    """dtype(code, align, copy)."""
    code = arguments[0] if arguments else None
    if type(code) is Global:
        return NumpyDtype(code.name if code.module == "ml_dtypes" else code.path)
    if type(code) is not str:
        raise Malformed("a NumPy dtype has no code", "the pickle")
    return NumpyDtype(code)


def make_scalar(arguments: tuple[object, ...]) -> object:
    """scalar(dtype, bytes): a `Scalar`, where it is a simple number; else its bytes."""
    if len(arguments) != 2 or type(arguments[0]) is not NumpyDtype:
        raise Malformed("a NumPy scalar has no dtype and bytes", "the pickle")
    form, data = arguments[0].form(), arguments[1]
    if type(data) is str:  # as Python 2 wrote it, see `Unpickler`
        data = data.encode("utf-8", "surrogateescape")
    if form is None or type(data) is not bytes:
        return data
    size = struct.calcsize(form)
    if len(data) != size:
        raise Malformed("a NumPy scalar has a wrong length", "the pickle", expected=size, found=len(data))
    numbers = struct.unpack(form, data)
    return Scalar(numbers[0] if len(numbers) == 1 else complex(*numbers), arguments[0], data)
