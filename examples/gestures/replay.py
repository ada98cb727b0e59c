"""Name the motions of a recording, as main.py does those of a sensor; on CPython and on MicroPython alike.

    python examples/gestures/replay.py gestures.bpk RECORDING

RECORDING: windows of 100 samples, each x, y and z as signed 16-bit counts, little-endian. One name a window.
"""

import struct
import sys

from mpu6050 import COUNTS_PER_G
from watcher import Watcher
from window import SAMPLES

from burnrt import Model

SAMPLE = "<hhh"
SAMPLE_SIZE = 6


def read(path):
    with open(path, "rb") as file:
        return file.read()


watcher = Watcher(Model(read(sys.argv[1])), COUNTS_PER_G)
recording = read(sys.argv[2])
for number in range(len(recording) // SAMPLE_SIZE):
    watcher.add(struct.unpack_from(SAMPLE, recording, number * SAMPLE_SIZE))
    if (number + 1) % SAMPLES == 0:
        print(watcher.recognise())
