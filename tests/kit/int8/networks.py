"""The exported networks that others wrote, and samples to quantize them with."""

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from kit import support

FILES = sorted(Path(support.path("tests/data/pt2")).glob("*.pt2"))
SAMPLES = 32


def samples_of(path):
    """Return the inputs that lie beside a network, with noise; indices are drawn anew."""
    found = load_file(path.with_name(path.stem.replace("_torch2.6", "") + ".io.safetensors"))
    random, samples = np.random.default_rng(0), {}
    for name in sorted(found):
        if name.startswith("input"):
            given = found[name]
            chosen = given[np.arange(SAMPLES) % len(given)] if path.stem != "lstm_seq_first" else given[None]
            chosen = np.broadcast_to(chosen, (SAMPLES, *chosen.shape[1:]))
            if given.dtype.kind == "i":
                samples[name] = random.integers(0, 50, chosen.shape)
            else:
                noise = random.normal(0, 0.1 * given.std() + 0.01, chosen.shape)
                samples[name] = (chosen + noise).astype(np.float32)
    return samples
