"""Classify the held-out digits with a model file, on CPython and on MicroPython alike.

    python examples/digits/classify.py MODEL.bpk IMAGES.safetensors [--runtime FOLDER] [--scores] [--count N]

The model may compute with floats or with integers; its file says how. Prints how many were right and, on
MicroPython, the heap that runtime and model keep. With --runtime, the runtime is FOLDER's burnrt.mpy, as on a
board. With --scores, one more line for each image: its scores for 0 to 9. With --count, only the first N
images.
"""

import gc
import sys

from burnpack.safetensors import Reader  # only to read the images

IMAGE_SIZE = 64
DEEPEST = 16  # the value of a wholly inked pixel


def heap():
    """Return the bytes in use on the heap, or 0 on an interpreter that can't tell."""
    return gc.mem_alloc() if hasattr(gc, "mem_alloc") else 0


with open(sys.argv[2], "rb") as file:
    held_out = Reader.from_static(file.read())
images, labels = held_out.view("images"), held_out.view("labels")
if "--runtime" in sys.argv:
    sys.path.insert(0, sys.argv[sys.argv.index("--runtime") + 1])
gc.collect()
before = heap()
from burnrt import Model  # noqa: E402

model = Model(sys.argv[1])
gc.collect()
cost = heap() - before

count = int(sys.argv[sys.argv.index("--count") + 1]) if "--count" in sys.argv else len(labels)
right = 0
for number in range(count):
    pixels = images[number * IMAGE_SIZE : (number + 1) * IMAGE_SIZE]
    scores = model([pixel / DEEPEST for pixel in pixels])
    right += scores.argmax() == labels[number]
    if "--scores" in sys.argv:
        print(" ".join(["%.7g" % score for score in scores.data]))
print("right: %d of %d (%.2f %%)" % (right, count, 100 * right / count))
if cost:
    print("heap: %d bytes for runtime and model" % cost)
