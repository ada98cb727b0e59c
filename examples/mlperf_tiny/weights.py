"""Random weights for the networks of model.py: good for measuring speed and memory, and for nothing else.

    python examples/mlperf_tiny/weights.py FOLDER

writes FOLDER/<network>.bpk and FOLDER/<network>.npy: the weights, and random samples to calibrate with.
"""

import sys
from pathlib import Path

import numpy as np
from model import NETWORKS

from burnpack.module import walk
from burnstore import BurnpackStore

SEED = 0
SAMPLES = 8


def numbers(path, shape, random):
    """Return random numbers for the parameter at `path`; what flows keeps its size from layer to layer."""
    name = path.rpartition(".")[2]
    if name == "weight":
        outputs_last = len(shape) == 2  # a Linear's
        inputs = shape[0] if outputs_last else int(np.prod(shape[1:]))
        return random.normal(0.0, (2.0 / inputs) ** 0.5, shape)
    if name in ("gamma", "running_var"):
        return random.uniform(0.8, 1.2, shape)
    return random.normal(0.0, 0.1, shape)


def fill(model, random):
    """Give every parameter of `model` random numbers; return the model."""
    for path, _, param in walk(model):
        param.data = numbers(path, param.shape, random).astype("<f4").tobytes()
    return model


def make(folder):
    """Write each network's weights and samples into `folder`; return the networks' names."""
    folder.mkdir(parents=True, exist_ok=True)
    for network in NETWORKS:
        random = np.random.default_rng(SEED)
        model = fill(network(), random)
        model.save_into(BurnpackStore.from_file(folder / (network.__name__ + ".bpk")).overwrite(True))
        samples = random.normal(0.0, 1.0, (SAMPLES, *network.SHAPE[1:])).astype(np.float32)
        np.save(folder / (network.__name__ + ".npy"), samples)
    return [network.__name__ for network in NETWORKS]


if __name__ == "__main__":
    print("\n".join(make(Path(sys.argv[1]))))
