"""Peak memory of converting and hashing, the mapped file included: the largest tensor, and a constant."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from kit.pytorch import pickles as p

EXTENT = 3200
SIZE = 4 * EXTENT * EXTENT  # bytes of a tensor: 41 MB
COUNT = 2
SPARE = 30 << 20

SCRIPT = """
import sys
sys.path[:0] = json_paths
from burnstore.io import facts
from burnstore.io.opened import open_model
from burnstore.pipeline.conversion import plan
import burnstore.numerics.elements  # with numpy, which is no part of what a conversion costs
import burnstore.pytorch.strided

def status(key):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(key)) << 10

open("/proc/self/clear_refs", "w").write("5")  # the peak starts again from what there is now
before = status("VmRSS:")
with open_model(sys.argv[1]) as opened:
    if len(sys.argv) > 2:
        plan(opened, sys.argv[2]).run()
    else:
        facts.facts(opened, with_hash=True)
print(status("VmHWM:") - before)
"""

pytestmark = pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="measured by Linux's ways")

# How zip packs the tensors, their strides, and the byte order.
KINDS = {
    "in order": (zipfile.ZIP_STORED, (EXTENT, 1), b"little"),
    "strided": (zipfile.ZIP_STORED, (1, EXTENT), b"little"),
    "big-endian": (zipfile.ZIP_STORED, (EXTENT, 1), b"big"),
    "packed": (zipfile.ZIP_DEFLATED, (EXTENT, 1), b"little"),
    "packed and strided": (zipfile.ZIP_DEFLATED, (1, EXTENT), b"little"),
}


def write(path, method, strides, order):
    """Write a checkpoint; what is packed takes as much room as what is not, and is quickly written."""
    tensors = {
        f"w{key}": p.tensor(str(key), EXTENT * EXTENT, (EXTENT, EXTENT), strides) for key in range(COUNT)
    }
    data = np.random.default_rng(1).bytes(SIZE)
    with zipfile.ZipFile(path, "w", method, compresslevel=0) as archive:
        archive.writestr("x/data.pkl", p.pickled(p.a_dict(tensors)))
        archive.writestr("x/byteorder", order)
        for key in range(COUNT):
            archive.writestr(f"x/data/{key}", data)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_the_peak_is_the_largest_tensor_and_a_constant(kind, tmp_path):
    source = tmp_path / "model.pt"
    write(source, *kind)
    script = SCRIPT.replace("json_paths", json.dumps(sys.path))
    for target in ([], [str(tmp_path / "out.bpk")], [str(tmp_path / "out.safetensors")]):
        command = [sys.executable, "-c", script, str(source), *target]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert int(done.stdout) < SIZE + SPARE < COUNT * SIZE
