"""The examples that import weights answer right, in a copy that has nothing beside it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kit import support

ROOT = Path(support.ROOT)
PATHS = os.pathsep.join(str(ROOT / folder) for folder in ("shared", "device", "host"))
SCRIPTS = ("pytorch", "safetensors", "convert", "burnpack")
OTHERS = ("inspect_burnpack", "half_precision")


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """Return a folder with the examples in it and nothing beside it."""
    folder = tmp_path_factory.mktemp("clone") / "repository"
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def run(root, name, *arguments):
    script = root / "examples" / f"{name}.py"
    done = subprocess.run(
        [sys.executable, str(script), *arguments],
        env={**os.environ, "PYTHONPATH": PATHS},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def answers(printed):
    lines = [line for line in printed.splitlines() if line.startswith("an image of a ")]
    return [(line.split()[4].rstrip(":"), line.split()[-1]) for line in lines]


ALL_RIGHT = [(str(digit), str(digit)) for digit in range(10)]


@pytest.mark.parametrize("name", SCRIPTS)
def test_mnists_ten_images_are_answered(clone, name):
    printed = run(clone, "import_model_weights/" + name)
    assert answers(printed) == ALL_RIGHT and "mnist" in printed


def test_a_script_can_be_run_as_a_module_too(clone):
    words = [sys.executable, "-m", "examples.import_model_weights.burnpack"]
    environment = {**os.environ, "PYTHONPATH": PATHS}
    done = subprocess.run(words, env=environment, cwd=clone, capture_output=True, text=True)
    assert answers(done.stdout) == ALL_RIGHT, done.stderr


def test_a_bpk_is_inspected(clone):
    printed = run(clone, "inspect_burnpack")
    assert "16 tensors, as Burn 0.22 writes it" in printed and "epochs: 60 (Int)" in printed
    assert printed.count("aligned to 256") == 16
    old = run(clone, "inspect_burnpack", support.data("rust/burn_0.19.bpk"))
    assert "as Burn 0.19 writes it" in old and "not aligned" in old


def test_half_precision_keeps_the_answers(clone):
    printed = run(clone, "half_precision")
    assert "right before: 353 of 360, after: 353" in printed
    assert "dtypes in digits_f16.bpk: F16 and F32" in printed


def test_every_script_here_is_run():
    found = {path.stem for path in (ROOT / "examples" / "import_model_weights").glob("*.py")}
    assert found == {*SCRIPTS, "answers"}
    assert {path.stem for path in (ROOT / "examples").glob("*.py")} == set(OTHERS)
