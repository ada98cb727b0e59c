"""The table of accuracy in docs/performance.md: what quantizing costs the trained networks of the examples.

    python -m tools.accuracy            makes the table anew
    python -m tools.accuracy FOLDER     writes the samples, for tools/bench/pt2e.py, which needs torch

Calibrates with samples that are not among those that are compared. What PyTorch's PT2E loses on the same
samples is read from tools/accuracy_pt2e.json, as that script has written it. The program
espeak-ng, which examples/keywords/train.py needs as well, speaks the keywords.
"""

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from burnstore import SafetensorsStore, array_from_tensor
from burnstore.io.opened import open_model
from burnstore.models.loaded import load_exported
from burnstore.models.model import load_module
from burnstore.quantize import quantize_model
from burnstore.quantize.measure import Report, measure
from tools.performance import DOCUMENT, ROOT, load

EXAMPLES = ROOT / "examples"
JUDGED = ROOT / "tools" / "accuracy_pt2e.json"
BEGIN, END = "<!-- by tools/accuracy.py -->", "<!-- until the end of accuracy -->"
HEADS = (
    "network",
    "right of",
    "floats",
    "integers",
    "PT2E, X86Inductor",
    "PT2E, XNNPACK",
    "error: integers",
    "X86Inductor",
    "XNNPACK",
)
QUANTIZERS = ("x86", "xnnpack")


class Samples(NamedTuple):
    """calibration, x: (count, ...), to calibrate with and to compare. labels: of x."""

    calibration: NDArray[np.float32]
    x: NDArray[np.float32]
    labels: NDArray[np.int64]


def images(path: str, deepest: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return held-out images with numbers from 0 to 1, and their labels."""
    with SafetensorsStore.from_file(EXAMPLES / path) as store:
        found, labels = (array_from_tensor(store.get_tensor(name)) for name in ("images", "labels"))
        return found[:, None].astype(np.float32) / np.float32(deepest), labels.astype(np.int64)


def digits() -> Samples:
    x, labels = images("digits/test_images.safetensors", 16)
    return Samples(x[:100], x[100:], labels[100:])


def mnist() -> Samples:
    x, labels = images("mnist/tiny_test.safetensors", 255)
    return Samples(x[:200], x[200:], labels[200:])


def mobilenet() -> Samples:
    x, labels = images("mnist/tiny_test.safetensors", 255)
    return Samples(np.load(EXAMPLES / "mobilenet" / "cases.npz")["input0"], x, labels)


def module_of(folder: str, name: str) -> Any:
    """Return a module of an example."""
    sys.path.insert(0, str(EXAMPLES / folder))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.pop(0)


def keywords() -> Samples:
    """Return clips of the voices that the network was trained on, and more of those that it never heard."""
    speech = module_of("keywords", "speech")
    known = [voice for voice in speech.VOICES if voice not in speech.HELD_OUT]
    made = []
    for seed, count, voices in ((1, 200, known), (2, 1000, speech.HELD_OUT)):
        random = np.random.default_rng(seed)
        sounds, labels = speech.words(count, voices, random)
        clips = speech.clips(sounds, labels, random)[:, None]
        made.append((clips.astype(np.float32) / np.float32(128), labels.astype(np.int64)))
    return Samples(made[0][0], *made[1])


def activity() -> Samples:
    """Return held-out recordings, one after the other: every fourth is calibrated with, a label a sample."""
    with SafetensorsStore.from_file(EXAMPLES / "activity" / "recordings.safetensors") as store:
        motions, labels = (array_from_tensor(store.get_tensor(name)) for name in ("motions", "labels"))
    counts = motions.astype(np.float32) / np.float32(100)
    held = np.arange(len(counts)) % 4 == 0
    calibration, x = (counts[chosen].reshape(-1, counts.shape[2]) for chosen in (held, ~held))
    return Samples(calibration, x, labels[~held].astype(np.int64).repeat(counts.shape[1]))


def gestures() -> Samples:
    windows = module_of("gestures", "motions").windows
    random = np.random.default_rng(1)
    calibration, (x, labels) = windows(200, random)[0], windows(400, random)
    return Samples(calibration, x, labels.astype(np.int64))


def described(module: str, weights: str) -> Any:
    """Return a model by its class, with the weights of a checkpoint."""
    model = load_module(str(EXAMPLES / module))
    load(model, EXAMPLES / weights)
    return model


def exported(path: str) -> Any:
    """Return a model by its exported program."""
    with open_model(EXAMPLES / path) as opened:
        return load_exported(opened).module


class Network(NamedTuple):
    """options: of `quantize_model`. judged: the name in tools/accuracy_pt2e.json."""

    title: str
    judged: str
    samples: Callable[[], Samples]
    model: Callable[[], Any]
    options: dict[str, Any]


NETWORKS = (
    Network(
        "digits 8×8", "digits", digits, lambda: described("digits/model.py:DigitsNet", "digits/digits.pt"), {}
    ),
    Network(
        "MNIST, emlearn's network",
        "tiny",
        mnist,
        lambda: described("mnist/model.py:MnistTiny", "mnist/tiny.pt"),
        {},
    ),
    Network("MNIST, MobileNetV2", "mobilenet", mobilenet, lambda: exported("mobilenet/mobilenet.pt2"), {}),
    Network(
        "gestures",
        "gestures",
        gestures,
        lambda: described("gestures/model.py:GestureNet", "gestures/gestures.pt"),
        {},
    ),
    Network(
        "activity, a GRU cell",
        "activity",
        activity,
        lambda: exported("activity/activity.pt2"),
        {"states": {"h": 1}},
    ),
    Network("keywords, a GRU", "keywords", keywords, lambda: exported("keywords/keywords.pt2"), {}),
    Network(
        "the same, `--int16 auto`",
        "keywords",
        keywords,
        lambda: exported("keywords/keywords.pt2"),
        {"int16": "auto"},
    ),
    Network(
        "the same, its energies in floats",
        "keywords",
        keywords,
        lambda: exported("keywords/keywords.pt2"),
        {"floats": ("pow*", "add*", "log", "mean", "sub")},
    ),
)


def row(network: Network, given: Samples, judged: dict[str, Any]) -> list[str]:
    """Return the cells of a network. judged: {quantizer: [right, RMSE]} of PT2E."""
    quantized = quantize_model(network.model(), given.calibration, **network.options)
    found: Report = measure(quantized, given.x, given.labels)
    count = found.samples
    others = [judged[quantizer] for quantizer in QUANTIZERS]
    right = [found.right_before or 0, found.right_after or 0, *(each[0] for each in others)]
    errors = [found.rmse, *(each[1] for each in others)]
    cells = [f"{100 * number / count:.2f} %" for number in right]
    return [network.title, str(count), *cells, *(f"{100 * each / found.deviation:.1f} %" for each in errors)]


def table(judged: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| " + " | ".join(HEADS) + " |"
    yield "|---|" + "---:|" * (len(HEADS) - 1)
    samples = cache(lambda make: make())
    for each in NETWORKS:
        yield "| " + " | ".join(row(each, samples(each.samples), judged[each.judged])) + " |"


def main() -> int:
    if len(sys.argv) > 1:
        for name, samples in {each.judged: each.samples for each in NETWORKS}.items():
            np.savez(Path(sys.argv[1]) / f"{name}.npz", **samples()._asdict())
        return 0
    judged = json.loads(JUDGED.read_text(encoding="utf-8"))
    lines = [*table(judged)]
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    text = "\n".join([before + BEGIN, "", *lines, "", END + rest.partition(END)[2]])
    DOCUMENT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
