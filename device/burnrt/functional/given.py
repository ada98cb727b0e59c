"""Layers whose parameters a function is given."""

from burnpack.errors import InvalidTensor
from burnpack.module import Param
from burnrt.functional.operands import operands
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value


def through(layer: "Layer", input: "Value", **parameters: "Any") -> "Value":
    """Return what a layer makes of a value with these parameters.

    layer: a new one, without numbers. parameters: by the layer's names; each a parameter of the model, a
        value, or None where there is none.

    Raises `InvalidTensor` for a parameter of another shape than the layer's.
    """
    names = []
    for name in sorted(parameters):
        parameter, own = parameters[name], getattr(layer, name)
        if parameter is None or isinstance(parameter, Param):
            setattr(layer, name, parameter)
        else:
            names.append(name)
        if parameter is not None and tuple(parameter.shape) != own.shape:
            _refuse(layer, name, parameter, own)
    if not names:
        return layer(input)  # type: ignore[no-any-return] # a call gives what `forward` does
    values = operands(input, *[parameters[name] for name in names])
    return values[0].through(Given(layer, names), *values[1:])


def extents(parameter: "Any", rank: int, name: str) -> "Shape":
    """Return the shape of a parameter that a function is given. Raises `InvalidTensor` for another rank."""
    shape = getattr(parameter, "shape", None)
    if shape is None or len(shape) != rank:
        found = type(parameter).__name__ if shape is None else list(shape)
        raise InvalidTensor("wrong parameter", name, expected="%d dimensions" % rank, found=found)
    return tuple(shape)


class Given(Layer):
    """A layer of which some parameters are values, the inputs behind its own."""

    def __init__(self, layer: "Layer", names: "list[str]") -> None:
        self.layer, self._names = layer, names

    def output_shape(self, shape: "Shape", *_: "Shape") -> "Shape":
        """Return the shape of the output: the layer's, as its parameters' shapes were looked at."""
        return self.layer.output_shape(shape)

    def bind(self, input: "Value", *values: "Value") -> "Calls":
        """Return the calls of the layer. values: the parameters, and the output."""
        own, given = self.layer.weights, dict(zip(self._names, values))

        def weights(name: str) -> "Any":
            return given[name].data if name in given else own(name)

        self.layer.weights = weights  # type: ignore[method-assign]
        try:
            return self.layer.bind(input, values[-1])
        finally:
            del self.layer.weights


def _refuse(layer: "Layer", name: str, parameter: "Any", own: "Any") -> None:
    expected = "none" if own is None else list(own.shape)
    item = "%s.%s" % (type(layer).__name__, name)
    raise InvalidTensor("wrong shape", item, expected=expected, found=list(parameter.shape))
