"""Normalisation layers, as they are after training."""

from burnpack.dtype import count
from burnpack.module import Param
from burnrt import kernels
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from collections.abc import Iterable
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value


_F32_EPSILON = 1.1920929e-07  # the step between 1 and the next F32, which PyTorch takes where none is given


class BatchNorm(Layer):
    """Normalise each channel by the mean and variance that training left.

    (x - running_mean) / sqrt(running_var + eps) · gamma + beta: Batch Normalization (arXiv 1502.03167).

    num_features: how many channels.
    running_mean, running_var: (num_features).
    gamma, beta: (num_features), or None without affine; beta also without bias.
    momentum: only matters in training.
    track_running_stats: True, as the batch's own statistics are not computed.

    Input [batch, num_features, ...] of any rank from 2 on; the output has the same shape.
    """

    gamma: "Param | None"
    beta: "Param | None"
    running_mean: "Param"
    running_var: "Param"
    epsilon: float
    momentum: float | None

    in_place = True

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: object = None,
        dtype: object = None,
        *,
        bias: bool = True,
    ) -> None:
        self.check_sizes(0, num_features=num_features)
        if not track_running_stats:
            self.refuse_argument("track_running_stats", False, "the batch's own statistics are not taken")
        self.gamma = Param((num_features,)) if affine else None
        self.beta = Param((num_features,)) if affine and bias else None
        self.running_mean = Param((num_features,))
        self.running_var = Param((num_features,))
        self.epsilon = eps
        self.momentum = momentum

    def output_shape(self, shape: "Shape") -> "Shape":
        channels = self.running_mean.shape[0]
        if len(shape) < 2 or shape[1] != channels:
            self.refuse(shape, "[batch, %d, ...]" % channels)
        return shape

    def bind(self, input: "Value", output: "Value") -> "Calls":
        channels = input.shape[1]
        names = ("gamma", "beta", "running_mean", "running_var")
        gamma, beta, mean, variance = [self.weights(name) for name in names]
        if gamma is None:
            gamma = kernels.floats([1.0] * channels)
        if beta is None:
            beta = kernels.floats([0.0] * channels)
        numbers = (input.data, gamma, beta, mean, variance, self.epsilon, output.data)
        return [(kernels.batch_norm, numbers + (input.shape[0], channels, count(input.shape[2:])))]


class _Rows(Layer):
    """What the layers share that normalise row by row: the extents of a row, the last ones of the input."""

    normalized_shape: "Shape"
    epsilon: float

    in_place = True

    def __init__(self, normalized_shape: "Any", eps: float) -> None:
        one = isinstance(normalized_shape, int)
        self.normalized_shape = (normalized_shape,) if one else tuple(normalized_shape)
        for extent in self.normalized_shape or (None,):
            self.check_sizes(0, normalized_shape=extent)
        self.epsilon = eps

    def output_shape(self, shape: "Shape") -> "Shape":
        rank = len(self.normalized_shape)
        if tuple(shape[len(shape) - rank :]) != self.normalized_shape:
            self.refuse(shape, "[..., %s]" % ", ".join([str(extent) for extent in self.normalized_shape]))
        return shape

    def sizes(self, shape: "Shape") -> tuple[int, int]:
        """Return how many rows an input of `shape` has, and how many numbers a row."""
        return count(shape[: len(shape) - len(self.normalized_shape)]), count(self.normalized_shape)


class LayerNorm(_Rows):
    """Normalise each row by its own mean and variance.

    (x - mean) / sqrt(variance + eps) · gamma + beta: Layer Normalization (arXiv 1607.06450). The variance is
    the mean of the squared distances from the mean.

    normalized_shape: one number (as in Burn), or the last extents of the input.
    gamma, beta: (normalized_shape), or None without elementwise_affine; beta also without bias.

    Input [..., normalized_shape]; the output has the same shape.
    """

    gamma: "Param | None"
    beta: "Param | None"

    def __init__(
        self,
        normalized_shape: "int | Iterable[int]",
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: object = None,
        dtype: object = None,
    ) -> None:
        super().__init__(normalized_shape, eps)
        self.gamma = Param(self.normalized_shape) if elementwise_affine else None
        self.beta = Param(self.normalized_shape) if elementwise_affine and bias else None

    def bind(self, input: "Value", output: "Value") -> "Calls":
        numbers = (self.weights("gamma"), self.weights("beta"), self.epsilon)
        return [(kernels.layer_norm, (input.data,) + numbers + (output.data,) + self.sizes(input.shape))]


class RmsNorm(_Rows):
    """Divide each row by the root of the mean of its squares.

    x / sqrt(mean of x² + eps) · gamma: Root Mean Square Layer Normalization (arXiv 1910.07467), equation 4;
    eps as in Burn and PyTorch. Where eps is None, it is the step between 1 and the next F32.

    normalized_shape: one number (as in Burn), or the last extents of the input.
    gamma: (normalized_shape), or None without elementwise_affine.

    Input [..., normalized_shape]; the output has the same shape.
    """

    gamma: "Param | None"

    def __init__(
        self,
        normalized_shape: "int | Iterable[int]",
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: object = None,
        dtype: object = None,
    ) -> None:
        super().__init__(normalized_shape, _F32_EPSILON if eps is None else eps)
        self.gamma = Param(self.normalized_shape) if elementwise_affine else None

    def bind(self, input: "Value", output: "Value") -> "Calls":
        numbers = (self.weights("gamma"), self.epsilon)
        return [(kernels.rms_norm, (input.data,) + numbers + (output.data,) + self.sizes(input.shape))]
