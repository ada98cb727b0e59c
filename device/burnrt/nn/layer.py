"""What all layers share: from a shape to a shape, and from a value to a value."""

from burnpack.errors import InvalidTensor, Unsupported
from burnrt import nn, parameters
from burnrt.nn.module import Module

if False:  # for type checkers
    from collections.abc import Callable
    from typing import Any, NoReturn

    from burnpack.errors import BurnpackError
    from burnpack.types import Shape
    from burnrt.types import Calls, Numbers
    from burnrt.value import Value


class Layer(Module):
    """One step of a forward pass: from values of some shapes to a value of another.

    `layer(x)` returns a new `Value`. A layer says in `output_shape(shape)` what comes out of an input of that
    shape, and in `bind(input, output)` by which kernels the output, a `Value` of that shape, is filled; a
    layer of your own may have `run(input, output)` instead. Neither allocates anything for the output, so a
    plan, which has one buffer for all values, calls both. Several inputs are given one after the other:
    `output_shape(a, b)`, `bind(a, b, output)`.

    in_place: whether the output may lie where an input of its size does.
    inplace, device, dtype: arguments that PyTorch's layers have and that change nothing here.

    Raises `InvalidTensor` for an input of a shape that the layer can't take, and where the layer is made for
    sizes that no layer has; `Unsupported` for arguments of PyTorch's that are not computed here.
    """

    in_place = False

    # A layer of its own number of values says which.
    bind: "Callable[..., Calls]"
    run: "Callable[..., None]"

    def container(self) -> str:
        """Return "Struct:" and a name: of Burn's layer that this is or derives from, or the class's own."""
        return "Struct:" + (_burn_name(type(self)) or type(self).__name__)

    def output_shape(self, shape: "Shape") -> "Shape":
        """Return the shape of the output for an input of `shape`: here, the same."""
        return shape

    def forward(self, input: "Value", *others: "Value") -> "Value":
        """Return the output for an input, a new `Value`.

        input: a `Value`; what its shape is, each layer says.
        others: more inputs, of layers that take several.
        """
        if not hasattr(input, "through"):
            self.refuse_input(input)
        return input.through(self, *others)

    def bind(self, *values: "Value") -> "Calls":  # type: ignore[no-redef]
        """Return the calls that fill the last of `values`, the output, from the others.

        They are a list of (kernel, arguments), to be made in this order, any number of times. What takes
        time or memory to prepare is done here. By default it is one call of `run`.
        """
        return [(self.run, values)]

    def weights(self, name: str) -> "Numbers | None":
        """Return parameter `name` as a sequence of numbers, read in place; None where the layer has none.

        Raises `BurnpackError` where it has no data yet, `InvalidTensor` where it has the wrong number of
        bytes, `Unsupported` where its dtype is not computed with here.
        """
        param = getattr(self, name)
        return None if param is None else parameters.numbers_of(param, "%s.%s" % (type(self).__name__, name))

    def check_sizes(self, least: int, **sizes: "Any") -> None:
        """Raise `InvalidTensor` for an argument that is no whole number, or below `least`."""
        for name in sizes:
            if type(sizes[name]) is not int or sizes[name] < least:
                self.refuse_argument(name, sizes[name], "is whole, at least %d" % least, InvalidTensor)

    def refuse_argument(
        self, name: str, value: object, reason: str, error: "type[BurnpackError]" = Unsupported
    ) -> "NoReturn":
        """Raise an error for an argument with a value that the layer has nothing for.

        name, value: of the argument.
        reason: why, as a text that goes on behind the name.
        error: the class of the error.
        """
        raise error("%s: %s" % (name, reason), type(self).__name__, found=repr(value))

    def refuse_input(self, input: object) -> "NoReturn":
        """Raise `InvalidTensor` for an input that is no `Value`."""
        what = "a model takes a Value: burnrt.tensor(values, shape)"
        if isinstance(input, tuple):
            what = "takes one value: recurrent layers and attention answer two, as in `y, state = lstm(x)`"
        raise InvalidTensor(what, type(self).__name__, found=type(input).__name__)

    def refuse(self, shape: "Shape", expected: str) -> "NoReturn":
        """Raise `InvalidTensor` for an input of `shape` where `expected`, a text, is needed."""
        raise InvalidTensor("wrong input shape", type(self).__name__, expected=expected, found=list(shape))


def _burn_name(cls: type) -> str | None:
    """Return the name of the first class, from `cls` upwards, that is a layer of `burnrt.nn`, or None."""
    if nn.is_layer(cls.__name__):
        return cls.__name__
    for base in cls.__bases__:
        name = _burn_name(base)
        if name:
            return name
    return None
