"""Recognise clips of held-out voices, as main.py does what a microphone hears; on CPython and MicroPython.

    python examples/keywords/replay.py keywords.bpk clips.safetensors [COUNT]

Prints the word in each clip, how many are right, and how far the scores are from PyTorch's.
"""

import sys
from array import array

from listener import STEP, Listener
from sound import NAMES, SAMPLES

from burnpack.safetensors import Reader  # only to read the clips
from burnrt import Model

LOUDER = 256  # a clip has samples of 8 bits, a microphone of 16

with open(sys.argv[2], "rb") as file:
    held_out = Reader.from_static(file.read())
clips, labels = array("b", bytes(held_out.view("clips"))), held_out.view("labels")
expected = array("f", bytes(held_out.view("scores")))
count = int(sys.argv[3]) if len(sys.argv) > 3 else len(labels)
model = Model(sys.argv[1])
listener = Listener(model)

right, farthest = 0, 0.0
for number in range(count):
    for start in range(number * SAMPLES, (number + 1) * SAMPLES, STEP):
        for place in range(STEP):
            listener.newest[place] = clips[start + place] * LOUDER
        if start + STEP < (number + 1) * SAMPLES:
            listener.move()
    name = listener.recognise()
    print(name)
    right += name == NAMES[labels[number]]
    scores = model.outputs[0].read().data
    for place in range(len(NAMES)):
        farthest = max(farthest, abs(scores[place] - expected[number * len(NAMES) + place]))
print("right: %d of %d" % (right, count))
print("farthest from PyTorch's scores: %.1e" % farthest)
