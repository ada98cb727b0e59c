"""NumPy's scalars, dtypes and arrays in a pickle: simple scalars become Python's, others are described."""

import re

import numpy as np

from burnpack.errors import Malformed

_SIMPLE = re.compile(r"b1|[iu][1248]|f[248]|c8|c16")
_ORDERS = ("<", ">", "|", "=")
_DTYPE_STATE = 2  # how many of the fields of a dtype's state are read: version, byte order
_ARRAY_STATE = 5  # version, shape, dtype, order, data


class NumpyDtype:
    """A NumPy dtype: its code as in "f8", and its byte order."""

    __slots__ = ("code", "order")

    def __init__(self, code: str) -> None:
        self.code = code
        self.order = "<"

    def set_state(self, state: object) -> None:
        """Take the byte order from the state that NumPy pickles."""
        if type(state) is not tuple or len(state) < _DTYPE_STATE or state[1] not in _ORDERS:
            raise Malformed("a NumPy dtype has a strange state", "the pickle")
        self.order = state[1]

    def simple(self) -> "np.dtype[np.generic] | None":
        """Return NumPy's own dtype for a plain number, or None."""
        return np.dtype(self.order + self.code) if _SIMPLE.fullmatch(self.code) else None

    def __str__(self) -> str:
        simple = self.simple()
        return str(simple) if simple is not None else self.code


class Array:
    """A NumPy array: shape and dtype once its state is set. Its data are not read."""

    __slots__ = ("dtype", "shape")

    def __init__(self) -> None:
        self.dtype: NumpyDtype | None = None
        self.shape: tuple[object, ...] = ()

    def set_state(self, state: object) -> None:
        """Take shape and dtype from the state that NumPy pickles."""
        if type(state) is not tuple or len(state) != _ARRAY_STATE:
            raise Malformed("a NumPy array has a strange state", "the pickle")
        self._describe(state[1], state[2])

    def _describe(self, shape: object, dtype: object) -> None:
        if type(shape) is not tuple or type(dtype) is not NumpyDtype:
            raise Malformed("a NumPy array has a strange shape or dtype", "the pickle")
        self.shape = shape
        self.dtype = dtype

    @classmethod
    def of_buffer(cls, arguments: tuple[object, ...]) -> "Array":
        """_frombuffer(data, dtype, shape, order), with which protocol 5 makes arrays."""
        if len(arguments) != 4:
            raise Malformed("a NumPy array is made of no data, dtype, shape and order", "the pickle")
        array = cls()
        array._describe(arguments[2], arguments[1])
        return array


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
    dtype, data = arguments[0].simple(), arguments[1]
    if type(data) is str:  # as Python 2 wrote it, see `Unpickler`
        data = data.encode("utf-8", "surrogateescape")
    if dtype is None or type(data) is not bytes:
        return data
    if len(data) != dtype.itemsize:
        raise Malformed(
            "a NumPy scalar has a wrong length", "the pickle", expected=dtype.itemsize, found=len(data)
        )
    return np.frombuffer(data, dtype)[0].item()
