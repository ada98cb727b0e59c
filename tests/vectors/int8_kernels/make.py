"""Make cases.bin: cases of each integer operation, with what the definition answers.

    python tests/vectors/int8_kernels/make.py        needs numpy; the same bytes each time

Laid out as kit/int8/int8_golden.py says. Most are random; those of GEOMETRIES reach every loop of a kernel.
"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT / name) for name in ("shared", "device", "tests")]

from kit.int8 import int8_cases, int8_golden  # noqa: E402

SEED = 8
RANDOM = 9  # of each operation

_ONE = (1, 1)
_SAME = {"stride": _ONE, "padding": _ONE, "dilation": _ONE}
_BARE = {"stride": _ONE, "padding": (0, 0), "dilation": _ONE}

GEOMETRIES = (
    ("linear", {"rows": 1, "inputs": 1, "outputs": 1}),
    ("linear", {"rows": 1, "inputs": 16, "outputs": 4}),
    ("linear", {"rows": 2, "inputs": 55, "outputs": 7}),
    ("linear4", {"inputs": 1, "outputs": 1, "places": 1, "planar": 0}),
    ("linear4", {"inputs": 64, "outputs": 3, "places": 2, "planar": 0}),
    ("linear4", {"inputs": 29, "outputs": 4, "places": 6, "planar": 1}),
    ("conv2d", {"groups": 1, "channels": 4, "out_channels": 6, "size": (5, 5), "kernel": (3, 3), **_SAME}),
    ("conv2d", {"groups": 1, "channels": 20, "out_channels": 9, "size": (3, 2), "kernel": _ONE, **_BARE}),
    ("conv2d", {"groups": 2, "channels": 3, "out_channels": 3, "size": (1, 12), "kernel": (1, 5), **_BARE}),
    ("depthwise2d", {"channels": 3, "size": (5, 6), "kernel": (3, 3), **_SAME}),
    ("depthwise2d", {"channels": 3, "size": (4, 4), "kernel": (4, 4), **_BARE}),
    ("max_pool2d", {"channels": 2, "size": (6, 6), "kernel": (2, 2), "stride": (2, 2), "padding": (0, 0)}),
    ("avg_pool2d", {"channels": 5, "size": (4, 5), "kernel": (4, 5), **_BARE}),
    ("embedding", {"count": 5, "size": 3, "entries": 300, "wide": 1}),
    ("softmax", {"rows": 1, "length": 1}),
    ("softmax", {"rows": 1, "length": 256}),
)


def made(operation, generator, geometry):
    case = int8_cases.random_case(operation, generator, **geometry)
    start, size = case.output
    output = int8_cases.expected(case)[start : start + size]
    given = case.arena, case.weight, case.constants, case.words
    return int8_golden.packed(operation, *given, output, start, *case.work)


def content():
    """Return the bytes of the file."""
    wanted = [(operation, {}) for operation in int8_cases.OPERATIONS for _ in range(RANDOM)]
    generator = np.random.default_rng(SEED)
    return b"".join(made(operation, generator, geometry) for operation, geometry in (*wanted, *GEOMETRIES))


if __name__ == "__main__":
    (HERE / "cases.bin").write_bytes(content())
