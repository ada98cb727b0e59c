"""Normalisation by groups of channels, and by single channels."""

from burnpack.dtype import count
from burnpack.errors import InvalidTensor
from burnpack.module import Param
from burnrt import kernels
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value


class GroupNorm(Layer):
    """Normalise each group of channels by its own mean and variance.

    (x - mean) / sqrt(variance + eps) · gamma + beta, as in Group Normalization (arXiv 1803.08494), equations
    1 to 6.

    num_groups: how many groups; num_channels is a multiple of it.
    gamma, beta: (num_channels), or None without affine; beta also without bias.

    Input [batch, num_channels, ...]; the output has the same shape.
    """

    gamma: "Param | None"
    beta: "Param | None"
    num_groups: int
    num_channels: int
    epsilon: float

    in_place = True

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: object = None,
        dtype: object = None,
        *,
        bias: bool = True,
    ) -> None:
        self.check_sizes(1, num_groups=num_groups)
        self.check_sizes(0, num_channels=num_channels)
        if num_channels % num_groups:
            expected = "a multiple of groups, %d" % num_groups
            raise InvalidTensor("wrong channels", "GroupNorm", expected=expected, found=num_channels)
        self.gamma = Param((num_channels,)) if affine else None
        self.beta = Param((num_channels,)) if affine and bias else None
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.epsilon = eps

    def output_shape(self, shape: "Shape") -> "Shape":
        if len(shape) < 2 or shape[1] != self.num_channels or min(shape) < 1:
            self.refuse(shape, "[batch, %d, ...]" % self.num_channels)
        return shape

    def bind(self, input: "Value", output: "Value") -> "Calls":
        x, out, epsilon = input.data, output.data, self.epsilon
        batch, channels, inner = input.shape[0], self.num_channels, count(input.shape[2:])
        groups = batch * self.num_groups
        size = channels // self.num_groups * inner
        calls: "Calls" = [(kernels.layer_norm, (x, None, None, epsilon, out, groups, size))]
        gamma, beta = self.weights("gamma"), self.weights("beta")
        if gamma is not None or beta is not None:
            gamma = kernels.floats([1.0] * channels) if gamma is None else gamma
            beta = kernels.floats([0.0] * channels) if beta is None else beta
            calls.append((kernels.affine, (out, gamma, beta, out, batch, channels, inner)))
        return calls


class InstanceNorm(GroupNorm):
    """Normalise each channel of each sample by its own mean and variance.

    It is `GroupNorm` with a group for each channel, and eps as there.

    gamma, beta: (num_features), or None without affine, which is the default; beta also without bias.
    momentum: only matters to running statistics, which Burn does not have.
    track_running_stats: False.

    Input [batch, num_features, ...]; the output has the same shape.
    """

    momentum: float

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: object = None,
        dtype: object = None,
        *,
        bias: bool = True,
    ) -> None:
        if track_running_stats:
            self.refuse_argument("track_running_stats", True, "Burn's has no running statistics")
        self.check_sizes(1, num_features=num_features)
        super().__init__(num_features, num_features, eps, affine, bias=bias)
        self.momentum = momentum
