"""The activation that learns."""

from burnpack.dtype import count
from burnpack.module import Param
from burnrt import kernels
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value


class PRelu(Layer):
    """Compute x, or alpha · x where x is negative.

    num_parameters: 1 for one alpha, or as many as there are channels.
    init: only matters in training.
    alpha: (num_parameters).

    Input [...] with one alpha, else [batch, num_parameters, ...]; the output has the same shape.
    """

    alpha: "Param"
    init: float

    in_place = True

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: object = None, dtype: object = None
    ) -> None:
        self.check_sizes(1, num_parameters=num_parameters)
        self.alpha = Param((num_parameters,))
        self.init = init

    def output_shape(self, shape: "Shape") -> "Shape":
        channels = self.alpha.shape[0]
        if channels != 1 and (len(shape) < 2 or shape[1] != channels):
            self.refuse(shape, "[batch, %d, ...]" % channels)
        return shape

    def bind(self, input: "Value", output: "Value") -> "Calls":
        shape, channels = input.shape, self.alpha.shape[0]
        sizes = (1, 1, count(shape)) if channels == 1 else (shape[0], channels, count(shape[2:]))
        return [(kernels.prelu, (input.data, self.weights("alpha"), output.data) + sizes)]
