"""Random small networks of all layers that there are integers for."""

import numpy as np

from burnrt import nn
from kit.models.chains import Chain, loaded

ACTIVATIONS = (nn.ReLU, nn.Relu6, nn.Hardtanh, nn.Gelu, nn.Sigmoid, nn.SiLU, nn.Tanh, nn.LeakyRelu, nn.PRelu)
ACTIVATIONS += (nn.ELU, nn.Mish, nn.Softplus, nn.Softsign)


class Around(nn.Module):
    """What layers make of a value, and the value."""

    def __init__(self, inner):
        self.inner = inner

    def output_shape(self, shape):
        return shape

    def forward(self, x):
        return self.inner(x) + x


def random_network(seed):
    """Return (a loaded network, the shape of a sample)."""
    random = np.random.default_rng(seed)
    rank = int(random.integers(1, 4))
    shape = (int(random.integers(1, 5)), *(int(extent) for extent in random.integers(5, 10, rank - 1)))
    layers, at = [], (1, *shape)
    for _ in range(random.integers(1, 6)):
        layer = _layer(random, at)
        layers.append(layer)
        at = layer.output_shape(at)
    layers.append(nn.Flatten())
    if random.random() < 0.3:
        layers.append(random.choice([nn.Softmax, nn.LogSoftmax])(1))
    return loaded(Chain(**{"layer%d" % n: layer for n, layer in enumerate(layers)}), seed), shape


def _layer(random, shape, around=True):
    makers = [_activation, _norm, _linear]
    if around:
        makers.append(_around)
    if len(shape) > 2:
        makers += [_convolution, _convolution]
    if len(shape) == 4 and min(shape[2:]) > 2:
        makers += [_pool]
    return makers[random.integers(len(makers))](random, shape)


def _activation(random, shape):
    return random.choice(ACTIVATIONS)()


def _norm(random, shape):
    return nn.BatchNorm(shape[1])


def _linear(random, shape):
    return nn.Linear(shape[-1], int(random.integers(3, 9)), bias=bool(random.integers(2)))


def _convolution(random, shape):
    channels, per_group = shape[1], int(random.integers(1, 4))
    groups = int(random.choice([1, channels]))
    kernel, stride, padding = (int(random.integers(*ends)) for ends in ((1, 4), (1, 3), (0, 4)))
    if min(shape[2:]) < kernel:
        kernel = 1
    layer = nn.Conv2d if len(shape) == 4 else nn.Conv1d
    padding = min(padding, 1 if kernel < 3 else kernel)  # past the kernel, too
    if stride == 1 and random.random() < 0.3:
        padding = "same"
    return layer(channels, groups * per_group, kernel, stride, padding, groups=groups)


def _pool(random, shape):
    kind = random.integers(3)
    if kind == 2:
        return nn.AdaptiveAvgPool2d(int(random.integers(1, 1 + min(shape[2:]))))
    padding, ceil = int(random.integers(2)), bool(random.integers(2))
    return (nn.MaxPool2d, nn.AvgPool2d)[kind](2, int(random.integers(1, 3)), padding, ceil_mode=ceil)


def _around(random, shape):
    return Around(_activation(random, shape))
