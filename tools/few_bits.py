"""The table of weights of 4 bits in docs/quantizing.md: what they cost networks of the examples.

    python -m tools.few_bits

The trained networks have the samples of tools/accuracy.py; the autoencoder has random
weights and samples. Mixed bits are asked for a file halfway between those of 8 and of 4 bits, where
more than one layer can have 4.
"""

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from burnstore.models.model import load_module
from burnstore.quantize import quantize_model
from burnstore.quantize.measure import Report, measure
from tools.accuracy import EXAMPLES, NETWORKS, Samples, module_of
from tools.performance import ROOT

DOCUMENT = ROOT / "docs" / "quantizing.md"
BEGIN, END = "<!-- by tools/few_bits.py -->", "<!-- until the end of few bits -->"
HEADS = ("model", "8 bits: file, error, right", "4 bits: file, error, right", "mixed: file, error, right")
TRAINED = ("digits", "tiny")


def autoencoder() -> tuple[Any, Samples]:
    """Return MLPerf Tiny's autoencoder and samples, all random."""
    random = np.random.default_rng(0)
    model = load_module(str(EXAMPLES / "mlperf_tiny" / "model.py:AnomalyDetection"))
    module_of("mlperf_tiny", "weights").fill(model, random)
    calibration, x = (random.random((100, 640), np.float32) for _ in range(2))
    return model, Samples(calibration, x, np.zeros(0, np.int64))


def cell(quantized: Any, given: Samples) -> tuple[str, Report]:
    """Return the file's size, the error and the right answers of a network, and the report of it."""
    labels = given.labels if len(given.labels) else None
    found = measure(quantized, given.x, labels)
    text = f"{quantized.size:,}, {100 * found.rmse / found.deviation:.1f} %"
    right = "" if labels is None else f", {found.right_after} of {found.samples}"
    return text + right, found


def row(title: str, model: Any, given: Samples) -> str:
    """Return the line of a network."""
    made = [quantize_model(model, given.calibration, bits=bits) for bits in (8, 4)]
    (eight, _), (four, report) = (cell(each, given) for each in made)
    mixed = ""
    if len(report.of_4_bits) > 1:
        size = sum(each.size for each in made) // 2
        mixed, _ = cell(quantize_model(model, given.calibration, bits="mixed", size=size), given)
    return f"| {title} | {eight} | {four} | {mixed} |"


def table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| " + " | ".join(HEADS) + " |"
    yield "|---|" + "---:|" * (len(HEADS) - 1)
    for each in NETWORKS:
        if each.judged in TRAINED:
            yield row(each.title, each.model(), each.samples())
    yield row("anomaly, autoencoder", *autoencoder())


def main() -> int:
    lines = [*table()]
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    text = "\n".join([before + BEGIN, "", *lines, "", END + rest.partition(END)[2]])
    DOCUMENT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
