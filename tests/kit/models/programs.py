"""Programs of models in floats for tests: written into a file, and run as `burnrt.Model` does."""

from io import BytesIO

import numpy as np

from burnpack.writer import Writer
from burnrt import Model, kernels, nn, tensor
from burnstore.models.running import values
from burnstore.programs.floats import program_of

WAYS = (("numpy", bytes), ("numpy", BytesIO), ("plain", bytes))  # kernels, and where the program lies


class One(nn.Module):
    """A layer, and how it is called: `called(layer, *inputs)`."""

    def __init__(self, layer, called=None):
        self.part = layer
        self._called = called or (lambda layer, *inputs: layer(*inputs))

    def forward(self, *inputs):
        return self._called(self.part, *inputs)


def file_of(model, *shapes):
    """Return the bytes of a file with a loaded model's program and tensors, and the program's form."""
    tensors = model.collect()
    form = program_of(model, shapes, tensors)
    return Writer([form.tensor(tensors), *tensors], form.metadata()).to_bytes(), form


def answered(data, *inputs, ways=WAYS):
    """Return the arrays that a program answers: the same in all ways."""
    found = [_run(name, source(data), inputs) for name, source in ways]
    for others in found[1:]:
        close(others, found[0])
    return found[0]


def _run(name, source, inputs):
    kernels.use(name)
    try:
        model = Model(source)
        for _ in range(2):  # nothing of the first run is left in the second
            answer = model(*inputs)
        answers = answer if isinstance(answer, tuple) else (answer,)
        return [np.asarray(each.data, np.float32).reshape(each.shape) for each in answers]
    finally:
        kernels.use()


def check(model, *inputs, ways=WAYS):
    """Hold the program of a loaded model against its forward pass; return the form."""
    inputs = [np.asarray(given, np.float32) for given in inputs]
    data, form = file_of(model, *[given.shape for given in inputs])
    close(
        answered(data, *inputs, ways=ways),
        [np.asarray(value) for value in values(model(*map(tensor, inputs)))],
    )
    return form


def close(found, wanted):
    assert [each.shape for each in found] == [each.shape for each in wanted]
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-5 * max(1.0, float(np.abs(other).max())))


def noise(*shape):
    return np.random.default_rng(7).normal(0, 1, shape).astype(np.float32)
