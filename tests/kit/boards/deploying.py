"""Models to deploy, and the command that does."""

import numpy as np
import pytest

from burnpack.module import walk
from burnpack.reader import Reader
from burnrt import nn
from burnstore import cli
from burnstore.models.program import load_program
from burnstore.models.selftest import OUTPUT, any_input, with_program_golden
from burnstore.numerics.arrays import tensor_from_array
from burnstore.pipeline.writing import save_burnpack
from burnstore.quantize import quantize_model

SHAPE = (1, 8, 8)


class Net(nn.Module):
    """A small network: a convolution, a pool and dense layers; with `dense`, these alone."""

    def __init__(self, dense=False, last=False):
        self.conv = nn.Identity() if dense else nn.Conv2d(1, 8, 3)
        self.pool = nn.Identity() if dense else nn.MaxPool2d(2)
        self.flat = nn.Flatten()
        self.hidden = nn.Linear(64 if dense else 72, 128)
        self.fc = nn.Linear(128, 4)
        self.last = nn.LogSoftmax(1) if last else nn.Identity()

    def forward(self, x):
        return self.last(self.fc(self.hidden(self.flat(self.pool(self.conv(x))))))


def save_model(path, seed=0, cases=2, wrong=0.0, **kind):
    """Save a quantized model with a self-test; `wrong` is added to the last of what that holds for right."""
    path.parent.mkdir(exist_ok=True)
    generator = np.random.default_rng(seed)
    model = Net(**kind)
    for _, _, param in walk(model):
        param.data = generator.normal(0, 0.3, param.shape).astype("<f4").tobytes()
    given = generator.normal(0.2, 1, (24, *SHAPE)).astype(np.float32)
    data = quantize_model(model, given).to_bytes()
    reader = Reader.from_static(data)
    program = load_program(data)
    inputs = [any_input(program, case) for case in range(cases)]
    tensors, scalars = with_program_golden(reader, program, inputs)
    if wrong:
        assert tensors[-1].name.startswith(OUTPUT)
        answer = program.outputs[0].read().data  # of the last case
        answer = np.asarray(answer, np.float32).reshape(tensors[-1].shape) + np.float32(wrong)
        tensors[-1] = tensor_from_array(tensors[-1].name, answer)
    kept = [(name, value) for name, value in reader.scalars() if not name.startswith("selftest.")]
    save_burnpack(path, tensors, reader.metadata(), kept + scalars, overwrite=True)
    return path


def command(*words):
    """Run the command; return its exit code."""
    with pytest.raises(SystemExit) as ended:
        cli.main([*map(str, words)])
    return ended.value.code
