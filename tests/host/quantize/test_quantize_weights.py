"""Weights and biases as integers: what they stand for, and that no sum overflows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnpack.errors import InvalidTensor
from burnpack.qfloat import QFloat
from burnstore.numerics.arrays import array_from_tensor
from burnstore.numerics.quantized import parts
from burnstore.quantize.calibrate import Bytes
from burnstore.quantize.rescale import LARGEST
from burnstore.quantize.weights import integers
from kit.examples import examples

GIVEN = Bytes(1 / 64, 100)

# Shape, the extents of a block. One divides the other unless that makes more than twice the blocks.
BLOCKS = {
    (3, 5): (5,),
    (3, 255): (255,),
    (3, 256): (128,),
    (3, 257): (129,),
    (3, 11616): (242,),
    (2, 1021): (205,),
    (4, 2, 3): (2, 3),
    (4, 1, 3): (3,),
    (4, 3, 3, 3): (3, 3, 3),
    (4, 1, 5, 5): (5, 5),
    (4, 300, 1, 1): (150, 1, 1),
    (4, 1, 1, 1): (1,),
}


def numbers(shape, seed=0):
    return np.random.default_rng(seed).normal(0, 1, shape)


def made(weight, bias, given=GIVEN, per="channel"):
    return integers("w", weight, np.asarray(bias, float), given, per, weight.shape)


@pytest.mark.parametrize("shape", BLOCKS)
def test_a_channel_has_one_scale_in_blocks_that_an_extent_can_tell(shape):
    weight = numbers(shape)
    found = made(weight, np.zeros(shape[0]))
    assert found.tensor.dtype == QFloat("Q8S", block=(BLOCKS[shape], "F32"))
    scales = parts(found.tensor).scales.reshape(shape[0], -1)
    assert (scales == scales[:, :1]).all() and (scales[:, 0] == found.scales).all()
    assert (np.abs(array_from_tensor(found.tensor) - weight) <= 0.5001 * scales[:, :1].max()).all()


def test_a_tensor_may_have_one_scale():
    weight = numbers((3, 5))
    found = made(weight, np.zeros(3), per="tensor")
    assert found.tensor.dtype == QFloat("Q8S", tensor="F32")
    assert (found.scales == np.float32(np.abs(weight).max() / 127)).all()


@given(st.integers(0, 1 << 32), st.sampled_from(["channel", "tensor"]))
def test_the_bias_holds_what_the_sums_lack(seed, per):
    random = np.random.default_rng(seed)
    weight, bias = random.normal(0, 1, (4, 6)), random.normal(0, 3, 4)
    x = random.integers(0, 256, 6)
    found = made(weight, bias, GIVEN, per)
    rows = parts(found.tensor).values.astype(np.int64)
    steps = GIVEN.scale * found.scales
    exact = rows @ (x - GIVEN.zero_point) * steps + bias
    assert (np.abs((rows @ x + found.bias) * steps - exact) <= 0.5001 * steps).all()


@examples(2)
@given(
    st.integers(0, 1 << 32),
    st.sampled_from(["channel", "tensor"]),
    st.lists(st.integers(-60, 60), min_size=3, max_size=3),
    st.lists(st.integers(-60, 60), min_size=3, max_size=3),
    st.integers(0, 255),
)
def test_no_sum_overflows_whatever_weights_and_biases_are_like(seed, per, powers, bias_powers, zero):
    random = np.random.default_rng(seed)
    weight = random.normal(0, 1, (3, 40)) * 2.0 ** np.array(powers)[:, None] * random.integers(0, 2, (3, 1))
    bias = random.normal(0, 1, 3) * 2.0 ** np.array(bias_powers)
    found = made(weight, bias, Bytes(1 / 64, zero), per)
    rows = parts(found.tensor).values.astype(np.int64)
    assert (np.abs(found.bias) + 255 * np.abs(rows).sum(1) < LARGEST).all()
    # A scale is no larger than weights and bias need: twice that at most, to leave the sums their room.
    needed = np.maximum(np.abs(weight).max(1) / 127, np.abs(bias) / 64**-1 / LARGEST)
    most = 4.001 * (needed.max() if per == "tensor" else needed)
    assert (found.scales <= np.where(needed == 0, found.scales, most)).all()
    stored = array_from_tensor(found.tensor).astype(np.float64)
    assert (np.abs(stored - weight) <= 0.501 * found.scales[:, None]).all()


def test_a_channel_of_zeros_has_its_bias_alone():
    found = made(np.zeros((2, 3)), [0.0, -7.5])
    assert found.bias[0] == 0
    assert found.bias[1] * GIVEN.scale * found.scales[1] == pytest.approx(-7.5, rel=1e-6)


@pytest.mark.parametrize(
    ("weight", "bias", "given", "what"),
    [
        (np.full((1, 2), 3e39), [0.0], GIVEN, "too large"),
        (np.full((1, 2), np.nan), [0.0], GIVEN, "too large"),
        (np.ones((1, 2)), [np.inf], GIVEN, "too large"),
        (np.ones((2, 2)), [0.0, 1e38], Bytes(2.0**-126, 0), "w, output channel 1: its bias is too large"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(weight, bias, given, what):
    with pytest.raises(InvalidTensor, match=what):
        made(weight, bias, given)
