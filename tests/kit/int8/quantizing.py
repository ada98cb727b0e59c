"""Networks for tests of quantizing: random parameters and samples, and what bytes are answered."""

import numpy as np

from burnpack.module import walk
from burnpack.reader import Reader
from burnrt import Model
from burnstore.numerics.arrays import array_from_tensor
from burnstore.quantize import quantize_model
from kit.models.chains import Chain, loaded, put


def samples(shape, count=24, seed=1):
    return np.random.default_rng(seed).normal(0.2, 1, (count, *shape)).astype(np.float32)


def opened(quantized):
    """Return the container that a quantized model is saved as."""
    return Reader.from_static(quantized.to_bytes())


def answering(quantized):
    """Return a function that answers bytes to an input of bytes, by the kernels that are in use now."""
    model = Model(quantized.to_bytes())

    def answer(given):
        model.input[:] = given.tobytes()
        model.run()
        return np.frombuffer(bytes(model.output), np.uint8)

    return answer


def kernels_of(quantized):
    """Return what kernel each step calls, without what all of integers begin with."""
    return [kernel.removeprefix("int8.") for kernel, _ in quantized.program.form.steps]


def names_of(quantized):
    """Return the steps' names."""
    return [name for _, name in quantized.program.form.steps]


def any_bytes(quantized, seed):
    """Return an input of bytes: any, all at the ends of their range, or all one."""
    random, count = np.random.default_rng(seed), int(np.prod(quantized.network.input_shape))
    kinds = (
        random.integers(0, 256, count),
        random.choice([0, 255], count),
        np.full(count, random.integers(0, 256)),
    )
    return kinds[seed % 3].astype(np.uint8)


def with_weights_of(model, quantized):
    """Give the model's layers the weights that the bytes in the file stand for; return it."""
    container = opened(quantized)
    for path, _, param in walk(model):
        if path.endswith("weight") and path in container:
            numbers = array_from_tensor(container.tensor(path))
            if numbers.size > np.prod(param.shape):  # enlarged by zeros, so that all windows reach the input
                assert np.count_nonzero(numbers) <= np.prod(param.shape)
                numbers = within(numbers, param.shape)
            put(param, numbers.T if len(param.shape) == 2 else numbers.reshape(param.shape))
    return model


def within(numbers, shape):
    """Return what of enlarged weights lies between the first and the last that is not zero, without gaps."""
    for axis in range(2, len(shape)):
        used = np.flatnonzero(numbers.any(tuple(other for other in range(numbers.ndim) if other != axis)))
        numbers = numbers.take(used, axis)
    return numbers.reshape(shape)


def quantized_chain(shape, seed=0, percentile=None, per="channel", **layers):
    """Return a quantized chain of layers with random parameters, and the chain."""
    model = loaded(Chain(**layers), seed)
    return quantize_model(model, samples(shape), percentile, per), model
