"""What flows between layers: numbers in one flat buffer, and a shape."""

from burnpack.compat import ON_BOARD
from burnpack.dtype import count
from burnpack.errors import InvalidTensor, Unsupported
from burnrt import kernels

if False:  # for type checkers
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from burnpack.types import Shape
    from burnrt.nn.layer import Layer
    from burnrt.trace import Graph
    from burnrt.types import NumberBuffer


_SHOWN = 10  # numbers, of a value that is printed


def tensor(values: "Any", shape: "Sequence[int] | None" = None) -> "Value":
    """Return a new `Value` with a copy of `values`, the input of a model.

    values: the numbers in row-major order (a list, an array, bytes...), or a numpy array.
    shape: the extents, the batch first, as in (1, 1, 28, 28) for one grey image; without it the
        values' own shape, which is (count,) for a plain sequence.

    Raises `InvalidTensor` when there are more or fewer values than the shape holds.
    """
    if hasattr(values, "reshape"):  # a numpy array
        own_shape, values = values.shape, values.reshape(-1)
    else:
        own_shape = (len(values),)
    return Value(kernels.floats(values), own_shape if shape is None else shape)


def allocate(shape: "Sequence[int]") -> "Value":
    """Return a new `Value` of this shape whose numbers are not set yet. Every layer's output is made here."""
    return Value(kernels.buffer(count(shape)), shape)


def flat(values: "Any", shape: "Sequence[int]") -> "Any":
    """Return the numbers in `values` as one flat sequence.

    values: a `Value` of this shape, or as many numbers in row-major order, or a numpy array: flat, or of this
        shape, where a batch of 1 may be left out.
    Raises `InvalidTensor` for another shape, or more or fewer numbers.
    """
    if hasattr(values, "reshape"):
        found, wanted = tuple(values.shape), tuple(shape)
        is_array = not isinstance(values, Value)
        if found != wanted and not (is_array and (len(found) == 1 or (1,) + found == wanted)):
            raise InvalidTensor("wrong shape", "the input", expected=list(wanted), found=list(found))
        values = values.reshape(-1) if is_array else values.data
    if len(values) != count(shape):
        raise InvalidTensor("wrong number of values", "the input", expected=count(shape), found=len(values))
    return values


def extents(shape: "Sequence[Any]", size: int) -> "Shape":
    """Return the shape that is meant by the arguments of `reshape`, for `size` numbers."""
    shape = tuple(shape if len(shape) != 1 or isinstance(shape[0], int) else shape[0])
    if -1 not in shape:
        return shape
    at = shape.index(-1)
    rest = shape[:at] + shape[at + 1 :]
    return shape[:at] + (size // max(1, count(rest)),) + shape[at + 1 :]


class Value:
    """An array of numbers, row-major.

    data: a flat buffer of as many numbers as the shape holds: `array("f")` (or a memoryview of one),
        and on a computer also a flat numpy array. It is kept and shared, never copied.
    shape: tuple of extents. A layer's input begins with the batch: [batch, features],
        [batch, channels, length], [batch, channels, height, width].

    graph: of a pass that is followed, its `Graph`; here None.

    A value of one dimension is a sequence of numbers; one of more is a sequence of values.
    """

    data: "NumberBuffer"
    shape: "Shape"

    # What is set below, for checkers.
    __radd__: "Callable[[Value, Any], Value]"
    __sub__: "Callable[[Value, Any], Value]"
    __rsub__: "Callable[[Value, Any], Value]"
    __mul__: "Callable[[Value, Any], Value]"
    __rmul__: "Callable[[Value, Any], Value]"
    __truediv__: "Callable[[Value, Any], Value]"
    __rtruediv__: "Callable[[Value, Any], Value]"
    __floordiv__: "Callable[[Value, Any], Value]"
    __rfloordiv__: "Callable[[Value, Any], Value]"
    __mod__: "Callable[[Value, Any], Value]"
    __rmod__: "Callable[[Value, Any], Value]"
    __pow__: "Callable[[Value, Any], Value]"
    __rpow__: "Callable[[Value, Any], Value]"
    __matmul__: "Callable[[Value, Any], Value]"
    __rmatmul__: "Callable[[Value, Any], Value]"
    __and__: "Callable[[Value, Any], Value]"
    __rand__: "Callable[[Value, Any], Value]"
    __or__: "Callable[[Value, Any], Value]"
    __ror__: "Callable[[Value, Any], Value]"
    __xor__: "Callable[[Value, Any], Value]"
    __rxor__: "Callable[[Value, Any], Value]"
    __lt__: "Callable[[Value, Any], Value]"
    __le__: "Callable[[Value, Any], Value]"
    __gt__: "Callable[[Value, Any], Value]"
    __ge__: "Callable[[Value, Any], Value]"
    __neg__: "Callable[[Value], Value]"
    __invert__: "Callable[[Value], Value]"

    # Without these a checker takes operators of the same names for something that `__getattr__` finds.
    __buffer__: None
    __float__: None
    __index__: None
    __int__: None
    __setitem__: None
    __trunc__: None

    graph: "Graph | None" = None

    __array_priority__ = 1000  # numpy's numbers leave `number * value` to the value

    def __init__(self, data: "NumberBuffer | memoryview[Any]", shape: "Iterable[int]") -> None:
        self.data = data
        self.shape = tuple(shape)
        if len(data) != count(self.shape):
            raise InvalidTensor("wrong number of values", expected=count(self.shape), found=len(data))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: "Any") -> "Any":
        """Return the part that PyTorch would: a `Value`, or a number where `index` leaves no dimension.

        index: an int, a slice of a positive step, `...`, None, or a tuple of these. The data is shared where
            the part lies in one piece, and otherwise copied.
        """
        if type(index) is not int:  # who only goes through rows does not pay for it
            from burnrt.nn.index import part

            return part(self, index)
        index = index if index >= 0 else index + self.shape[0]
        if not 0 <= index < self.shape[0]:
            raise IndexError("beyond the first dimension of %r" % (self.shape,))
        if len(self.shape) == 1:
            return self.data[index]
        size = count(self.shape[1:])
        # `data` is a buffer, of whatever kind.
        return Value(memoryview(self.data)[index * size : (index + 1) * size], self.shape[1:])  # type: ignore[arg-type]

    def __iter__(self) -> "Iterator[Any]":
        for index in range(self.shape[0]):
            yield self[index]

    def through(self, layer: "Layer", *others: "Value") -> "Value":
        """Return what `layer` makes of this value and the `others`: a new value."""
        shape = layer.output_shape(self.shape, *[value.shape for value in others])
        return self.into((shape,), layer, *others)[0]

    def into(self, shapes: "Sequence[Shape]", layer: "Layer", *others: "Value") -> "tuple[Value, ...]":
        """Return a tuple of new values of these shapes, which `layer` makes of this one and the `others`."""
        outputs = tuple([allocate(shape) for shape in shapes])
        for kernel, arguments in layer.bind(*((self,) + others + outputs)):
            kernel(*arguments)
        return outputs

    def __add__(self, other: "Any") -> "Value":
        """Return the sums, number by number, as PyTorch does: a new value.

        other: a value, a parameter or a number. All but values of one shape, and all other operators, take
            the functions of burnrt.functional.
        """
        if not isinstance(other, Value) or other.shape != self.shape or other.graph is not self.graph:
            return _computed("add", self, other)  # type: ignore[no-any-return] # a value
        from burnrt.nn.add import Add  # who adds nothing does not pay for it

        return Add()(self, other)  # type: ignore[no-any-return] # a call gives what `forward` does

    def __abs__(self) -> "Value":
        return _computed("abs", self)  # type: ignore[no-any-return] # a value

    def reshape(self, *shape: "int | Iterable[int]") -> "Value":
        """Return the same numbers under another shape; the data is shared.

        shape: a tuple, or the extents one by one. One may be -1: as many as the others leave.
        """
        return Value(self.data, extents(shape, len(self.data)))

    def argmax(self, dim: int | None = None, keepdim: bool = False) -> "Any":
        """Return where the largest number is, counted in row-major order: of one row of scores, the class.

        dim: along which dimension; then, and in a pass that is followed, the answer is a value, with as many
            places as there are rows.
        keepdim: whether the value keeps the dimension, as one of 1.
        """
        if dim is not None or self.graph is not None:
            return _computed("argmax", self, dim, keepdim)
        data = self.data
        best = 0
        for index in range(1, len(data)):
            if data[index] > data[best]:
                best = index
        return best

    def __getattr__(self, name: str) -> "Any":
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            from burnrt.views import method
        except ImportError:  # a board has it where the model's source names one of its methods
            raise AttributeError(name)
        return method(self, name)

    def __array__(self, dtype: "Any" = None, copy: "Any" = None) -> "Any":
        """Let numpy take the value as an array of its shape."""
        import numpy

        return numpy.array(self.data, dtype or numpy.float32).reshape(self.shape)

    def __repr__(self) -> str:
        shown = ", ".join(["%g" % number for number in list(self.data[:_SHOWN])])
        return "Value(%r: %s%s)" % (self.shape, shown, ", ..." if len(self.data) > _SHOWN else "")


def lacking(name: str) -> "Unsupported | AttributeError":
    """Return the error that says what to write in place of `name`, which a value doesn't have."""
    try:
        from burnrt.advice import advised
    except ImportError:  # a board is spared the texts
        return AttributeError(name) if "." in name else Unsupported("a value can't do this", name)
    return advised(name)


def _computed(name: str, *given: object) -> "Any":
    """Return what an operator makes of what is given."""
    try:
        from burnrt.functional import operator as find
    except ImportError:  # a board has them where the model's source asks for one
        raise lacking(name)
    return find(name)(*given)


def _operator(name: str) -> "Callable[..., Any]":
    return lambda *given: _computed(name, *given)


def _comparison(name: str) -> "Callable[[Any, object], Any]":
    def compare(self: "Any", other: object) -> "Any":
        # A value equals itself, as lists and dicts take it; `nbytes` is what parameters have.
        if isinstance(other, (Value, int, float)) or hasattr(other, "nbytes"):
            if other is not self or name != "eq":
                return _computed(name, self, other)
        return (other is self) == (name == "eq")

    return compare


for _name in (
    "radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow matmul rmatmul neg "
    "invert and rand or ror xor rxor lt le gt ge bool int setitem"
).split() + ([] if ON_BOARD else ["float"]):  # on a board a number would ask for it before `__rmul__`
    setattr(Value, "__%s__" % _name, _operator(_name))
Value.__eq__ = _comparison("eq")  # type: ignore[method-assign] # as all others are set
Value.__ne__ = _comparison("ne")  # type: ignore[method-assign]
Value.__hash__ = lambda self: id(self)  # type: ignore[method-assign]
