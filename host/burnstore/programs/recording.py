"""What layers call, told without numbers: kernels by their names, and where their arguments are.

While it is recorded, a layer's parameters are the tensors of a file, unread, and the buffers that it makes
are told apart: those that it works in, and those that it fills, which are constants.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import prod
from threading import RLock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from burnpack.dtype import count
from burnpack.errors import BurnpackError, InvalidTensor, Unsupported
from burnpack.module import Module, Param, walk
from burnpack.tensor import Tensor
from burnrt import kernels, parameters
from burnrt.arguments import DTYPES
from burnrt.kernels import plain
from burnrt.nn.layer import Layer
from burnrt.value import Value
from burnstore.graph.following import is_own
from burnstore.numerics.arrays import array_from_tensor

_ONE_AT_A_TIME = RLock()
_SAME = {"Flex32": "F32"}  # dtypes that are another one in memory


@dataclass(frozen=True)
class Stored:
    """A parameter: all numbers of a tensor of the file. dtype: of `DTYPES`."""

    tensor: Tensor
    dtype: str

    def __len__(self) -> int:
        return prod(self.tensor.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(array_from_tensor(self.tensor), dtype).reshape(-1)


@dataclass(eq=False)
class Buffer:
    """Numbers that a layer was given or has made. value: which value of the network they are, or None."""

    numbers: NDArray[np.float32]
    value: int | None = None
    is_constant: bool = False


class Part(NamedTuple):
    """`size` numbers of a buffer, from number `start` on."""

    buffer: Buffer
    start: int
    size: int


class Call(NamedTuple):
    """A kernel's name, and its arguments: None, truths, numbers, `Part`s, `Stored`, and tuples of these."""

    kernel: str
    arguments: tuple[Any, ...]


@dataclass
class Calls:
    """What a layer calls, and the buffers that it works in."""

    calls: list[Call] = field(default_factory=list)
    work: list[Buffer] = field(default_factory=list)


class Recorder:
    """Records what the layers of a model call.

    tensors: of the file; those that are parameters have the names and shapes of the model's. None: numbers of
    parameters are constants of the program.
    """

    def __init__(self, model: Module, tensors: Sequence[Tensor] | None) -> None:
        self._are_constants = tensors is None
        named = {tensor.name: tensor for tensor in tensors or ()}
        self._parameters = {id(param): named[path] for path, _, param in walk(model) if path in named}
        self._buffers: dict[int, Buffer] = {}  # by the identity of what has their memory
        self._numbers_of: Any = None  # of a parameter, as layers find them where nothing is recorded
        self._owners: list[Any] = []  # which stay, so that no other gets their identity

    def value(self, number: int | None, shape: tuple[int, ...]) -> Value | None:
        """Return a value of the network to bind a layer to; of one that nobody needs there is none."""
        if number is None:
            return None
        made = self._kept(Buffer(np.empty(count(shape), np.float32), number))
        return Value(memoryview(made.numbers), shape)  # type: ignore[arg-type] # it is one

    def calls(self, name: str, layer: Layer, values: Sequence[Value | None]) -> Calls:
        """Return what a layer calls that is bound to these values.

        name: the layer's path. Raises `Unsupported` for what no program can hold.
        """
        found = Calls()
        bind: Callable[..., list[tuple[Any, tuple[Any, ...]]]] = layer.bind
        for kernel, arguments in bind(*values):
            known = _name(kernel)
            if known is None:
                what = "computes with Python of its own: a program can only name kernels"
                raise Unsupported(what, name, found=type(layer).__name__)
            found.calls.append(Call(known, self._told(known, arguments, layer, name, found)))
        return found

    def _told(
        self, kernel: str, arguments: Sequence[Any], layer: Layer, name: str, found: Calls
    ) -> tuple[Any, ...]:
        """Return the arguments of a kernel, each of the kind that its definition says."""
        kinds = inspect.signature(getattr(plain, kernel)).parameters.values()
        told = []
        for value, kind in zip(arguments, kinds, strict=True):
            argument = self._argument(value, layer, name, found)
            is_read_only = isinstance(argument, Stored) or (
                isinstance(argument, Part) and argument.buffer.is_constant
            )
            if is_read_only and "NumberBuffer" in str(kind.annotation):
                raise Unsupported("writes into numbers that stay as they are in the file", name, found=kernel)
            is_number = kind.annotation is float and isinstance(argument, int)
            told.append(float(argument) if is_number else argument)
        return tuple(told)

    def _argument(self, value: Any, layer: Layer, name: str, found: Calls) -> Any:
        if value is None or isinstance(value, bool | Stored):
            return value
        if isinstance(value, int | np.integer):
            return int(value)
        if isinstance(value, float | np.floating):
            return float(value)
        if isinstance(value, tuple | list):
            return tuple(self._argument(part, layer, name, found) for part in value)
        try:
            numbers = np.asarray(memoryview(value))
        except TypeError:
            numbers = None
        if numbers is None or numbers.dtype != np.float32:
            raise Unsupported(
                "calls a kernel with what a program can't hold", name, found=type(value).__name__
            )
        return self._part(value, numbers, layer, name, found)

    def _part(self, value: Any, numbers: NDArray[Any], layer: Layer, name: str, found: Calls) -> Part:
        """Return which part of which buffer the numbers are."""
        owner = _owner(value)
        buffer = self._buffers.get(id(owner))
        if buffer is None or (buffer.value is None and not buffer.is_constant and buffer not in found.work):
            if buffer is None and is_own(layer):
                what = "calls a kernel with a buffer that is kept elsewhere: bind makes it, by kernels.floats"
                raise Unsupported(what, name, found=type(layer).__name__)
            buffer = self._kept(Buffer(np.asarray(owner)), owner)
            found.work.append(buffer)
        start = (_address(numbers) - _address(buffer.numbers)) // 4 if numbers.size else 0
        return Part(buffer, start, numbers.size)

    def _kept(self, buffer: Buffer, owner: Any = None) -> Buffer:
        """Return the buffer, which is found by its numbers, or else by what has their memory, from now on."""
        key = buffer.numbers if owner is None else owner
        self._owners.append(key)
        self._buffers[id(key)] = buffer
        return buffer

    def _work(self, count: int) -> NDArray[np.float32]:
        return self._kept(Buffer(np.empty(count, np.float32))).numbers

    def _constant(self, values: Any) -> NDArray[np.float32]:
        return self._kept(Buffer(np.array(values, np.float32), is_constant=True)).numbers

    def constant(self, source: Param | Value | float, shape: tuple[int, ...]) -> Value:
        """Return a value that is the same in each run: a parameter of the model, numbers, or one number."""
        if isinstance(source, Param):
            numbers: Any = self._stored(source, "Parameter")
        else:
            numbers = self._constant(source.data if isinstance(source, Value) else [source])
        return Value(numbers, shape)

    def _stored(self, param: Param, item: str) -> Stored | NDArray[np.float32]:
        """Return a parameter as the file's tensor: what `numbers_of` does while it is recorded."""
        if self._are_constants:
            return self._constant(self._numbers_of(param, item))
        tensor = self._parameters.get(id(param))
        if tensor is None:
            raise BurnpackError("is not among the tensors that are written", item)
        if tensor.shape != tuple(param.shape):
            raise InvalidTensor("wrong shape", item, expected=list(param.shape), found=list(tensor.shape))
        dtype = _SAME.get(str(tensor.dtype), str(tensor.dtype))
        if dtype not in DTYPES:
            raise Unsupported("no kernel computes with this dtype", item, found=dtype)
        return Stored(tensor, dtype)

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Let layers find the file's tensors for their parameters, and make buffers that are known here.

        Meanwhile no model of the process computes: all layers are as this one's, whatever thread asks.
        """
        with _ONE_AT_A_TIME:
            yield from self._while_recording()

    def _while_recording(self) -> Iterator[None]:
        theirs = {name: getattr(kernels, name) for name in ("buffer", "floats")}
        numbers_of = parameters.numbers_of
        self._numbers_of = numbers_of
        vars(kernels).update(buffer=self._work, floats=self._constant)
        vars(parameters).update(numbers_of=self._stored)
        try:
            yield
        finally:
            vars(kernels).update(theirs)
            vars(parameters).update(numbers_of=numbers_of)


def _name(kernel: Any) -> str | None:
    """Return what programs call a kernel; None of another function."""
    name = getattr(kernel, "__name__", "_")
    found = None if name.startswith("_") else getattr(kernels, name, None)
    return str(name) if found is kernel else None


def _owner(value: Any) -> Any:
    """Return the object that has the memory of a view."""
    while True:
        inner = value.obj if isinstance(value, memoryview) else getattr(value, "base", None)
        if inner is None:
            return value
        value = inner


def _address(numbers: NDArray[Any]) -> int:
    found: int = numbers.__array_interface__["data"][0]
    return found
