"""Convert and quantize the tiny network, and say what was lost on the held-out images.

    python examples/mnist/quantize_tiny.py

Writes build/tiny8.bpk. The first 200 images say what range the numbers have; the others are compared.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np

from burnstore import SafetensorsStore, array_from_tensor

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent.parent / "build"
CALIBRATION = 200


def main():
    BUILD.mkdir(exist_ok=True)
    with SafetensorsStore.from_file(HERE / "tiny_test.safetensors") as store:
        images, labels = (array_from_tensor(store.get_tensor(name)) for name in ("images", "labels"))
        pixels = images.reshape(-1, 1, 28, 28) / np.float32(255)
        np.save(BUILD / "tiny_calibration.npy", pixels[:CALIBRATION])
        np.save(BUILD / "tiny_pixels.npy", pixels[CALIBRATION:])
        np.save(BUILD / "tiny_labels.npy", labels[CALIBRATION:])
    burnstore("convert", HERE / "tiny.pt", "-o", BUILD / "tiny.bpk")
    burnstore(
        *("quantize", BUILD / "tiny.bpk", "-o", BUILD / "tiny8.bpk"),
        *("--calibrate", BUILD / "tiny_calibration.npy"),
        *("--input", BUILD / "tiny_pixels.npy", "--labels", BUILD / "tiny_labels.npy"),
    )


def burnstore(command, *words):
    """Run one of burnstore's commands on the network of model.py."""
    words = [str(word) for word in words] + ["--module", f"{HERE / 'model.py'}:MnistTiny", "--overwrite"]
    subprocess.run([sys.executable, "-m", "burnstore", command, *words], check=True)


if __name__ == "__main__":
    main()
