"""Random networks in integers: each step of bytes is what its numbers come to, whatever the kernels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnpack.module import walk
from burnrt import kernels
from burnstore.graph.operations import Add, AveragePool, Convolution, Linear, Lookup, MaxPool, Softmax
from burnstore.numerics.arrays import array_from_tensor
from burnstore.numerics.quantized import parts
from burnstore.quantize import quantize_model
from burnstore.quantize.integer import IntegerRun
from burnstore.quantize.measure import measure
from kit.examples import examples
from kit.int8.quantized_steps import computed
from kit.int8.quantizing import answering, any_bytes, names_of, opened, put, samples
from kit.models.random_networks import random_network

OPTIONS = st.sampled_from([{}, {"per": "tensor"}, {"percentile": 99.0}])
SEEDS = st.integers(0, 1 << 32)
# By what bytes may be off: half a step, and a little.
OFF_MOST = {
    Add: 0.5 + 255 / 2**12,
    Softmax: 0.5 + 0.02,
    Lookup: 0.5 + 0.01,
    MaxPool: 0.5 + 0.01,  # a bound may lie between two bytes
    **dict.fromkeys((Linear, Convolution, AveragePool), 0.5 + 2**-5 + 0.01),
}
POWERS = st.sampled_from([0, 3, 10, 30])  # of two, by which channels of a weight may differ, either way


def made(seed, options, power=0):
    model, shape = random_network(seed)
    given = samples(shape, 16, seed % 1000)
    random = np.random.default_rng(seed)
    if power:
        spread(model, power, random)
        given *= np.float32(2.0 ** random.integers(-power, power + 1))
    return quantize_model(model, given, **options), given


def spread(model, power, random):
    """Make half of the parameters large or small, channel by channel, or 0."""
    for path, _, param in walk(model):
        if random.random() < 0.5:
            numbers = np.frombuffer(param.data, "<f4").reshape(param.shape)
            size = (len(numbers),) + (1,) * (numbers.ndim - 1)
            factors = 2.0 ** random.integers(-power, power + 1, size)
            if not path.endswith("running_var"):
                factors *= random.random(size) < 0.7
            put(param, numbers * factors)


def check_steps(quantized, x):
    """Hold each step's bytes to what the numbers of its inputs come to."""
    network, known, container = quantized.network, quantized.known, opened(quantized)
    seen = {network.input: x}
    outputs = IntegerRun(quantized.to_bytes()).outputs([x], quantized.program.ends)
    for operation, name, output in zip(network.operations, names_of(quantized), outputs, strict=True):
        weight = None
        if hasattr(operation, "weight"):
            stored = array_from_tensor(container.tensor(name + ".weight")).astype(float)
            weight = stored.reshape(operation.weight.shape)
        numbers = [known[value].numbers(seen[value]) for value in operation.inputs]
        to = known[operation.output]
        wanted = np.clip(computed(operation, numbers, weight), operation.low, operation.high)
        off = output - np.clip(wanted / to.scale + to.zero_point, 0, 255)
        most = OFF_MOST[type(operation)]
        if weight is not None:  # a bias is rounded to steps that may be larger than those of the output
            scale = parts(container.tensor(name + ".weight")).scales.max()
            most += float(scale) * known[operation.inputs[0]].scale / to.scale / 2
        elif isinstance(operation, Softmax):  # and so are the powers that are added up
            most += operation.count / operation.rows / 128
        assert np.abs(off).max() <= most, name
        seen[operation.output] = output


@examples(1)
@given(SEEDS, OPTIONS, POWERS)
def test_each_step_is_what_its_numbers_come_to(seed, options, power):
    quantized, _ = made(seed, options, power)
    for number in range(3):
        check_steps(quantized, any_bytes(quantized, number))


@examples(0.5)
@given(SEEDS)
def test_plain_kernels_answer_the_same_bytes(seed):
    quantized, _ = made(seed, {})
    answer = answering(quantized)
    kernels.int8.use("plain")
    try:
        plainly = answering(quantized)
    finally:
        kernels.int8.use()
    for number in range(2):
        x = any_bytes(quantized, number)
        assert plainly(x).tolist() == answer(x).tolist()


@pytest.mark.parametrize("seed", range(60))
def test_what_comes_of_samples_is_near_the_floats(seed):
    quantized, given = made(seed, {})
    for step in measure(quantized, given).steps:
        # A softmax of many classes, and what is small beside what it is made from, have few steps.
        assert step.ratio > 26 or step.largest < 4 * step.scale or step.kernel == "lookup", step
