"""Follow the held-out recordings sample by sample, on CPython and on MicroPython alike.

    python examples/activity/replay.py activity.bpk recordings.safetensors [COUNT]

Prints the activity at the end of each recording, how many are right, and how far the scores after each sample
are from PyTorch's.
"""

import sys
from array import array

from motion import AXES, NAMES, UNIT

from burnpack.safetensors import Reader  # only to read the recordings
from burnrt import Model

SAMPLES = 100  # in a recording

with open(sys.argv[2], "rb") as file:
    held_out = Reader.from_static(file.read())
motions, labels = array("h", bytes(held_out.view("motions"))), held_out.view("labels")
expected = array("f", bytes(held_out.view("scores")))
count = int(sys.argv[3]) if len(sys.argv) > 3 else len(labels)
model = Model(sys.argv[1])

right, farthest = 0, 0.0
for number in range(count):
    model.reset()
    for at in range(number * SAMPLES, (number + 1) * SAMPLES):
        scores = model([motion / UNIT for motion in motions[at * AXES : (at + 1) * AXES]])
        for place, score in enumerate(scores.data):
            farthest = max(farthest, abs(score - expected[at * len(NAMES) + place]))
    print(NAMES[scores.argmax()])
    right += scores.argmax() == labels[number]
print("right: %d of %d" % (right, count))
print("farthest from PyTorch's scores: %.1e" % farthest)
