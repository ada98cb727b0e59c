"""A network whose file says what it computes: its class, made from the graph in the file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from burnpack.apply import refusal
from burnpack.errors import InvalidTensor
from burnpack.tensor import Tensor
from burnstore.aten import described
from burnstore.classes.description import Description
from burnstore.classes.running import Described
from burnstore.exported.graph import Graph
from burnstore.exported.opening import graph_of, sample_inputs
from burnstore.io.container import Container
from burnstore.numerics.adapters import PyTorchToBurnAdapter
from burnstore.numerics.arrays import array_from_tensor, tensor_from_array

Floats = NDArray[np.float32]


@dataclass
class Exported:
    """A network of an exported program.

    module: its class, whose parameters have no data yet. constants: tensors that it has besides those of the
    file. samples: the inputs that the program was made with, in floats, or None where they are of other
    shapes than those that are taken, or are not in the file.
    """

    graph: Graph
    description: Description
    module: Described
    constants: list[Tensor]
    samples: list[Floats] | None

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """The shapes of its inputs, the batch first."""
        return tuple(self.description.shapes)

    def tensors(self, of_file: Iterable[Tensor]) -> list[Tensor]:
        """Return the file's tensors, and those that the network has besides or otherwise, in its layout."""
        own = {tensor.name for tensor in self.constants}
        return [*(tensor for tensor in of_file if tensor.name not in own), *self.constants]

    def load(self, container: Container) -> None:
        """Give the module its weights. Raises `LoadFailed` where the file has not all of them."""
        result = self.module.apply(self.tensors(container), adapter=PyTorchToBurnAdapter())
        if result.errors or result.missing:
            raise refusal("the file does not fill the network that it describes", result, container.source)


def exported(container: Container, shapes: Sequence[Sequence[int]] = ()) -> Exported:
    """Return the network of a container that has a graph.

    shapes: of its inputs, the batch first, where the graph leaves extents open; without them see `graph_of`.
    Raises `Unsupported` for operations that nothing here computes, `InvalidTensor` for another number of
    shapes or for others than the graph can take, and what reading the graph raises.
    """
    graph = graph_of(container, shapes)
    for name, shape in zip(graph.inputs, shapes, strict=False):
        if graph.specs[name].shape != tuple(shape):
            taken = list(graph.specs[name].shape)
            what = "the network was exported for inputs of another shape"
            raise InvalidTensor(what, name, source=container.source, expected=taken, found=list(shape))

    def load(name: str) -> Floats:
        return np.asarray(array_from_tensor(container.tensor(name)), np.float32)

    found = described(graph, load)
    constants = [tensor_from_array(path, numbers) for path, numbers in found.constants.items()]
    return Exported(graph, found, Described(found), constants, _samples(container, graph, found))


def _samples(container: Container, graph: Graph, found: Description) -> list[Floats] | None:
    """Return the inputs that a program was made with, the first row where one row is taken."""
    arrays = sample_inputs(container, graph)
    if arrays is None:
        return None
    taken = [
        np.ascontiguousarray(array[: shape[0]] if shape else array, np.float32)
        for array, shape in zip(arrays, found.shapes, strict=True)
    ]
    fits = all(array.shape == shape for array, shape in zip(taken, found.shapes, strict=True))
    return taken if fits else None
