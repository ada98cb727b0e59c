"""NumPy's scalars, dtypes and arrays in a pickle: simple scalars become Python's, others are described."""

import struct

from burnpack.errors import Malformed

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
_SMALL = 1 << 16  # bytes of an array that are kept


class NumpyDtype:
    """A NumPy dtype: its code as in "f8", and its byte order."""

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

    def __str__(self) -> str:
        found = _SIMPLE.get(self.code)
        return self.code if found is None else found[0]


class Array:
    """A NumPy array: shape and dtype once its state is set. Only a small one's data are kept."""

    __slots__ = ("_by_columns", "_data", "dtype", "shape")

    def __init__(self) -> None:
        self.dtype: NumpyDtype | None = None
        self.shape: tuple[object, ...] = ()
        self._data = b""
        self._by_columns = False

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
        if type(data) is bytes and len(data) <= _SMALL:
            self._data = data
            self._by_columns = by_columns

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
        return len(self._data) * (1 + len(self.shape))

    def elements(self) -> object:
        """Return the elements as nested lists, or the one of an array without dimensions.

        None where the data are not kept, and where the elements are no plain numbers.
        """
        form = None if self.dtype is None else self.dtype.form()
        extents = [extent for extent in self.shape if type(extent) is int and 0 < extent <= _SMALL]
        if form is None or not self._data or len(extents) != len(self.shape):
            return None
        import numpy as np  # only such arrays pay for it

        try:
            found = np.frombuffer(self._data, form[0] + self.dtype.code)  # type: ignore[union-attr]
            return found.reshape(extents, order="F" if self._by_columns else "C").tolist()
        except ValueError:  # not as many as the shape says, or more dimensions than NumPy has
            return None


def make_array(arguments: tuple[object, ...]) -> Array:
    """_reconstruct(class, shape, code): an empty array, whose state follows."""
    return Array()


def make_dtype(arguments: tuple[object, ...]) -> NumpyDtype:
    """dtype(code, align, copy)."""
    if not arguments or type(arguments[0]) is not str:
        raise Malformed("a NumPy dtype has no code", "the pickle")
    return NumpyDtype(arguments[0])


def make_scalar(arguments: tuple[object, ...]) -> object:
    """scalar(dtype, bytes): the number, where it is simple; else its bytes."""
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
    return numbers[0] if len(numbers) == 1 else complex(*numbers)
