"""A transposed convolution is a convolution for each place in a stride, whatever its geometry."""

import numpy as np
import pytest

from burnrt import nn, tensor
from burnstore.graph.layers import integer_network
from burnstore.graph.transposed import phases
from burnstore.quantize import quantize_model
from burnstore.quantize.measure import measure
from burnstore.quantize.reference import Reference
from kit.int8.quantized_steps import computed
from kit.int8.quantizing import kernels_of, samples
from kit.models.chains import Chain, loaded

PLANES, LINES = nn.ConvTranspose2d, nn.ConvTranspose1d
GEOMETRIES = [
    (PLANES(2, 3, 2, stride=2), (2, 3, 4)),
    (PLANES(2, 3, 4, stride=2, padding=1), (2, 3, 4)),
    (PLANES(2, 3, 3, stride=2, padding=1, output_padding=1), (2, 3, 4)),
    (PLANES(2, 3, 3), (2, 3, 4)),
    (PLANES(2, 3, 1, stride=2), (2, 3, 4)),  # nothing reaches some places
    (PLANES(2, 3, 2, stride=5, padding=1, bias=False), (2, 3, 3)),
    (PLANES(4, 6, 3, stride=(1, 3), groups=2, dilation=2, padding=(2, 1)), (4, 4, 3)),
    (PLANES(4, 4, 3, stride=2, groups=4), (4, 3, 3)),
    (LINES(2, 3, 8, stride=4, padding=2), (2, 5)),
    (LINES(2, 3, 5, stride=3, padding=4, dilation=3), (2, 6)),
    (LINES(2, 3, 2, padding=1, dilation=3), (2, 6)),
    (LINES(2, 3, 2, stride=2, padding=6), (2, 12)),  # the padding is larger than the kernel
    (LINES(2, 3, 3, stride=2, dilation=2, padding=3, output_padding=1), (2, 4)),
]


@pytest.mark.parametrize(("layer", "shape"), GEOMETRIES)
def test_the_convolutions_of_all_places_together_are_the_transposed_one(layer, shape):
    model, x = loaded(Chain(layer=layer), 1), samples(shape, 1)
    (whole,) = integer_network(Reference(model, [(1, *shape)]).graph).operations
    found, seen = np.full(whole.count, np.nan), 0
    for phase in phases(whole):
        made, moved = computed(phase.convolution, [x.reshape(-1).astype(np.float64)]), phase.moved
        places = np.full((), moved.to)
        for extent, _, step in moved.dims:
            places = places[..., None] + np.arange(extent) * step
        found[places.reshape(-1)] = made
        seen += len(made)
    assert seen == whole.count
    assert np.allclose(found, np.asarray(model(tensor(x))).reshape(-1), atol=1e-5)


@pytest.mark.parametrize("shape", [(6, 5, 5), (6, 4, 3)])
def test_a_norm_and_a_relu_behind_it_are_merged_and_bytes_are_close_to_floats(shape):
    layers = {"up": PLANES(6, 4, 4, stride=2, padding=1), "norm": nn.BatchNorm(4), "act": nn.ReLU()}
    given = samples(shape, 32)
    found = quantize_model(loaded(Chain(**layers), 2), given)
    assert kernels_of(found) == ["conv2d", "copy"] * 4
    (step,) = measure(found, given).steps
    assert step.kernel == "conv2d" and step.ratio > 40
    assert step.macs == 6 * 4 * 16 * np.prod(shape[1:])


def test_a_stride_of_one_needs_no_move():
    found = quantize_model(loaded(Chain(up=LINES(2, 3, 3)), 2), samples((2, 8), 8))
    assert kernels_of(found) == ["conv2d"]


def test_channels_for_themselves_are_convolved_alone():
    found = quantize_model(loaded(Chain(up=PLANES(4, 4, 2, stride=2, groups=4)), 2), samples((4, 3, 3), 8))
    assert kernels_of(found) == ["depthwise2d", "copy"] * 4
