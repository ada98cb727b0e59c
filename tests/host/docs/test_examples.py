"""The examples do what they promise, on every interpreter of this machine."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from burnstore.cli import commands
from kit import support
from tools import interpreters

ROOT = Path(support.ROOT)
CLASSIFY = ROOT / "examples" / "mnist" / "classify.py"
PATHS = os.pathsep.join(str(ROOT / folder) for folder in ("shared", "device", "host"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": PATHS}

# network: its answers in golden.json
GOLDEN = {"MnistNet": "mnist.pt log_softmax", "MnistConvBn": "mnist_conv_bn.bpk logits"}

# interpreter: the digits it classifies, how far an output may be from PyTorch's
PLANS = {
    "cpython": (range(10), 1e-4),
    "unix": ((2, 5, 9), 1e-3),  # the least certain: each takes a second
    "wasm": ((9,), 1e-3),  # and here four
}


def model_of(network, folder):
    """Return the path of a network's .bpk, made in `folder` where its file is a checkpoint."""
    if network == "MnistConvBn":
        return support.path("examples/mnist/mnist_conv_bn.bpk")
    converted = str(folder / "mnist.bpk")
    module = "%s:%s" % (CLASSIFY.with_name("model.py"), network)
    words = ["convert", support.path("examples/mnist/mnist.pt"), converted, "--module", module]
    commands.main(words, standalone_mode=False)
    return converted


def classify(interpreter, model, digits):
    arguments = [model, *(support.path("examples/mnist/mnist_example_%d.bin" % digit) for digit in digits)]
    if interpreter == "cpython":
        words = [sys.executable, str(CLASSIFY), *arguments]
        return subprocess.run(words, env=ENVIRONMENT, capture_output=True, check=False)
    return interpreters.run(interpreter, CLASSIFY, arguments, heap="4M")


@pytest.mark.parametrize("interpreter", PLANS)
@pytest.mark.parametrize("network", GOLDEN)
def test_mnist_digits_are_recognised_and_outputs_are_pytorchs(network, interpreter, tmp_path):
    digits, tolerance = PLANS[interpreter]
    try:
        done = classify(interpreter, model_of(network, tmp_path), digits)
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    assert done.returncode == 0, done.stderr.decode()
    golden = json.loads(Path(support.path("examples/mnist/golden.json")).read_text())[GOLDEN[network]]
    lines = done.stdout.decode().splitlines()
    assert len(lines) == len(digits)
    for digit, line in zip(digits, lines, strict=True):
        found, *outputs = line.rpartition(": ")[2].split()
        assert int(found) == digit
        assert [float(number) for number in outputs] == pytest.approx(golden[digit], rel=0, abs=tolerance)


def test_the_demo_finds_that_cpython_and_micropython_agree():
    demo = ROOT / "examples" / "digits" / "demo.py"
    done = subprocess.run(
        [sys.executable, str(demo), "60"], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    if "there is no MicroPython" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    micropythons = done.stdout.count("bytes for runtime and model") // 2
    assert 1 <= micropythons <= 2
    assert done.stdout.count("right: 59 of 60") == 2 * (1 + micropythons)
    assert done.stdout.count(" 0 answers differ") == 2 * micropythons


@pytest.mark.parametrize(
    ("theirs", "code"),
    [
        ([[1.0, 2.0], [4.0, 3.0]], 0),
        ([[1.0, 2.0], [4.0, 3.00001]], 0),
        ([[1.0, 2.0], [4.0, 3.01]], 1),  # too far away
        ([[1.0, 2.0], [4.0, 4.00001]], 1),  # another answer
    ],
)
def test_the_demo_fails_where_answers_or_scores_differ(theirs, code):
    spec = importlib.util.spec_from_file_location("demo", ROOT / "examples" / "digits" / "demo.py")
    demo = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(demo)
    assert demo.compare([[1.0, 2.0], [4.0, 3.0]], theirs, 1e-4) == code
