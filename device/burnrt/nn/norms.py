"""Normalisation by groups, by channels and by root mean square: their parameters."""

from burnpack.errors import InvalidTensor, Unsupported
from burnpack.module import Param
from burnrt.nn.layer import Declared

_F32_EPSILON = 1.1920929e-07  # the step between 1 and the next F32, which PyTorch takes where none is given


class GroupNorm(Declared):
    """Normalise each group of channels by its own mean and variance.

    gamma, beta: (num_channels), or None without affine.
    """

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True):
        if num_groups < 1 or num_channels % num_groups:
            expected = "a multiple of groups, %d" % num_groups
            raise InvalidTensor("wrong channels", "GroupNorm", expected=expected, found=num_channels)
        self.gamma = Param((num_channels,)) if affine else None
        self.beta = Param((num_channels,)) if affine else None
        self.num_groups = num_groups
        self.epsilon = eps


class InstanceNorm(Declared):
    """Normalise each channel of each sample by its own mean and variance.

    gamma, beta: (num_features), or None without affine, as in PyTorch unless asked for.
    momentum only matters to running statistics, which Burn does not have.
    """

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False):
        if track_running_stats:
            raise Unsupported("Burn's has no running statistics", "InstanceNorm")
        self.gamma = Param((num_features,)) if affine else None
        self.beta = Param((num_features,)) if affine else None
        self.epsilon = eps
        self.momentum = momentum


class RmsNorm(Declared):
    """Divide each row by the root of the mean of its squares.

    gamma: (normalized_shape), or None without elementwise_affine.
    normalized_shape: one number (as in Burn), or the last extents of the input.
    """

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True):
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.gamma = Param(shape) if elementwise_affine else None
        self.epsilon = _F32_EPSILON if eps is None else eps
