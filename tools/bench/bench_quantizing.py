"""What integers cost in right answers, on images that were never trained on."""

from pathlib import Path
from typing import Any

import numpy as np

from burnstore import PytorchStore, SafetensorsStore, array_from_tensor
from burnstore.models.model import load_module
from burnstore.quantize import quantize_model
from burnstore.quantize.measure import measure
from burnstore.quantize.quantized import Quantized
from tools.bench import Row, at_most
from tools.bench.timing import ROOT

EXAMPLES = ROOT / "examples"
CALIBRATION = 100  # images, which are not among those that are counted
POINTS_LOST = 0.5

# model: its class, weights and images, and the largest value of a pixel
MODELS = {
    "digits": ("digits/model.py:DigitsNet", "digits/digits.pt", "digits/test_images.safetensors", 16),
    "MNIST": ("mnist/model.py:MnistTiny", "mnist/tiny.pt", "mnist/tiny_test.safetensors", 255),
}


def run() -> list[Row]:
    rows = []
    for name, (spec, weights, images, deepest) in MODELS.items():
        samples, labels = _labelled(EXAMPLES / images, deepest)
        quantized = _quantized(spec, EXAMPLES / weights, samples[:CALIBRATION])
        found = measure(quantized, samples[CALIBRATION:], labels[CALIBRATION:])
        rights = (found.right_before, found.right_after)
        before, after = ((right or 0) / found.samples * 100 for right in rights)
        what = "%s, points lost of %.2f, %d images" % (name, before, found.samples)
        rows.append(at_most(what, round(before - after, 2), "points", POINTS_LOST))
    return rows


def _labelled(path: Path, deepest: int) -> tuple[Any, Any]:
    """Return the images as a network's inputs, (count, 1, height, width), and their labels."""
    with SafetensorsStore.from_file(path) as store:
        images, labels = (array_from_tensor(store.get_tensor(name)).copy() for name in ("images", "labels"))
    return images[:, None] / np.float32(deepest), labels


def _quantized(spec: str, weights: Path, samples: Any) -> Quantized:
    model = load_module(f"{EXAMPLES / spec}")
    with PytorchStore.from_file(weights) as store:
        model.load_from(store)
    return quantize_model(model, samples)
