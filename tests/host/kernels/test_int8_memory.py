"""The definition of integer kernels takes memory in proportion to the arena, whatever a step asks for."""

import subprocess
import sys

import pytest

from kit import support

MOST = 500  # MB that the process may hold at its peak
M = 1 << 20
SCRIPT = """
import resource, sys
sys.path[:0] = [%r, %r]
from burnrt import words as at
from burnrt.kernels.int8 import numpy as kernels

operation, weights, constants, *pairs = sys.argv[1:]
words = [0] * 23
for pair in pairs:
    name, _, value = pair.partition("=")
    place, _, second = name.partition("+")
    words[getattr(at, place) + bool(second)] = int(value)
columns = [0] * int(constants) + [(5 << 24) + 100] * int(constants) or [1] * 256
getattr(kernels, operation)(bytearray(16 << 20), bytes(int(weights)), columns, words)
try:  # a process that was forked from a large one counts that, too, by resource
    lines = open("/proc/self/status").read().splitlines()
    print(int([line.split()[1] for line in lines if line.startswith("VmHWM")][0]) >> 10)
except OSError:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
""" % (support.path("shared"), support.path("device"))


def window(channels, extents, outputs, kernel, padding):
    names = ("HEIGHT", "WIDTH", "OUT_HEIGHT", "OUT_WIDTH", "KERNEL", "KERNEL+1", "PADDING", "PADDING+1")
    values = (*extents, *outputs, *kernel, *padding)
    ones = {"STRIDE": 1, "STRIDE+1": 1, "DILATION": 1, "DILATION+1": 1}
    return {"CHANNELS": channels, **dict(zip(names, values, strict=True)), **ones}


CONV = {"GROUPS": 1, "OUT_CHANNELS": 1, "RESCALE": 1, "HIGH": 255}

# What is asked for: operation, bytes of weights, constants, words.
GREEDY = {
    "an output of padding": ("conv2d", 1, 1, CONV | window(1, (1, 1), (3999, 3999), (1, 1), (1999, 1999))),
    "windows of padding": ("conv2d", 5e6, 1, CONV | window(1, (1, 1), (9, 9), (2001, 2001), (1004, 1004))),
    "many channels": ("conv2d", 32767, 1, CONV | window(32767, (1, 1), (1, 2001), (1, 1), (0, 1000))),
    "many groups": (
        "depthwise2d",
        9e5,
        9e5,
        CONV | {"RESCALE": 9e5} | window(32767, (1, 1), (3, 3), (3, 3), (2, 2)),
    ),
    "a pool of padding": ("max_pool2d", 0, 0, window(1, (1, 1), (1, 1), (32001, 32001), (16000, 16000))),
    "a pool of all": (
        "avg_pool2d",
        0,
        1,
        {"CELLS": 1, "RESCALE": 1, "HIGH": 255} | window(1, (2800, 2800), (2801, 2801), (2, 2), (1, 1)),
    ),
    "many rows": (
        "linear",
        9e6,
        3000,
        {"ROWS": 3000, "INPUTS": 3000, "OUTPUTS": 2000, "RESCALE": 3000, "HIGH": 255},
    ),
    "a whole arena": ("add", 0, 0, {"COUNT": 16 * M, "FIRST_FACTOR": 1, "SECOND_FACTOR": 1, "HIGH": 255}),
    "a whole arena looked up": ("lookup", 256, 0, {"COUNT": 16 * M}),
    "a whole arena of rows": ("softmax", 0, 0, {"ROWS": 1024, "SIZE": 16384}),
}


@pytest.mark.parametrize("name", GREEDY)
def test_no_step_takes_more_memory_than_a_few_arenas(name):
    operation, weights, constants, words = GREEDY[name]
    pairs = [f"{key}={int(value)}" for key, value in words.items()]
    command = [sys.executable, "-c", SCRIPT, operation, str(int(weights)), str(int(constants)), *pairs]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < MOST
