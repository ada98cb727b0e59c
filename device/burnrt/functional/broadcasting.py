"""Values of several shapes brought to one, as by PyTorch's arithmetic: the shape, and steps through each."""

from burnpack.errors import InvalidTensor
from burnrt import kernels
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value


def broadcast(*shapes: "Shape") -> "Shape":
    """Return the shape that all of these are brought to. Raises `InvalidTensor` where they do not fit."""
    rank = max([len(shape) for shape in shapes])
    found = []
    for axis in range(-rank, 0):
        extents = [shape[axis] for shape in shapes if len(shape) >= -axis and shape[axis] != 1]
        if extents != extents[:1] * len(extents):
            found_shapes = ", ".join([repr(list(shape)) for shape in shapes])
            raise InvalidTensor("shapes that can't be broadcast together", found=found_shapes)
        found.append(extents[0] if extents else 1)
    return tuple(found)


def steps_of(shape: "Shape", rank: int) -> "list[int]":
    """Return from each number to the next along each of `rank` dimensions: 0 where there is but one."""
    step, steps = 1, [0] * rank
    for axis in range(-1, -len(shape) - 1, -1):
        steps[axis] = step if shape[axis] != 1 else 0
        step *= shape[axis]
    return steps


def joined(shape: "Shape", *steps: "list[int]") -> "tuple[Shape, list[Shape]]":
    """Return (extents, steps): as few dimensions as go through the same numbers in the same order.

    steps: of each of several values through the dimensions of `shape`.
    """
    extents: "list[int]" = []
    found: "list[list[int]]" = [[] for _ in steps]
    for axis in range(len(shape)):
        if shape[axis] == 1:
            continue
        if extents and all([one[-1] == shape[axis] * each[axis] for one, each in zip(found, steps)]):
            extents[-1] *= shape[axis]
        else:
            extents.append(shape[axis])
            for one in found:
                one.append(0)
        for one, each in zip(found, steps):
            one[-1] = each[axis]
    return tuple(extents) or (1,), [tuple(one) or (0,) for one in found]


def is_packed(extents: "Shape", steps: "Shape") -> bool:
    """Tell whether steps go through all numbers as they lie."""
    size = 1
    for axis in range(len(extents) - 1, -1, -1):
        if steps[axis] != size:
            return False
        size *= extents[axis]
    return True


def channels_of(extents: "Shape", steps: "Shape") -> "Shape | None":
    """Return (batch, channels, inner) where steps go to a number for each channel; None where they don't."""
    moving = [axis for axis in range(len(steps)) if steps[axis]]
    if not moving and len(extents) == 1:
        return 1, 1, extents[0]
    if len(moving) != 1 or steps[moving[0]] != 1 or len(extents) > 3:
        return None
    axis = moving[0]
    before, behind = extents[:axis], extents[axis + 1 :]
    return (before or (1,))[0], extents[axis], (behind or (1,))[0]


class Broadcast(Layer):
    """Compute each number of the output from one of each input, which are broadcast.

    Inputs of any shapes that PyTorch brings to one, [...], which is the output's.
    kernel: the name of what computes it, of a subclass; it is told the inputs with their steps.
    """

    in_place = True
    kernel = ""

    def output_shape(self, *shapes: "Shape") -> "Shape":
        """Return the shape that all inputs are brought to. Raises `InvalidTensor` where they do not fit."""
        return broadcast(*shapes)

    def bind(self, *values: "Value") -> "Calls":
        inputs, output = values[:-1], values[-1]
        rank = len(output.shape)
        extents, steps = joined(output.shape, *[steps_of(value.shape, rank) for value in inputs])
        return self.calls(inputs, output, extents, steps) if len(output.data) else []

    def calls(
        self, inputs: "tuple[Value, ...]", output: "Value", extents: "Shape", steps: "list[Shape]"
    ) -> "Calls":
        """Return the calls. extents, steps: as `joined` has them."""
        told: "list[Any]" = []
        for value, each in zip(inputs, steps):
            told += [value.data, each]
        return [(getattr(kernels, self.kernel), tuple(told + [output.data, extents]))]
