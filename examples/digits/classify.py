"""Classify the held-out digits with a model file, on CPython and on MicroPython alike.

    python examples/digits/classify.py MODEL.bpk IMAGES.safetensors [--scores]

Prints how many were right and, on MicroPython, the heap it took. With --scores, one more line for each
image: its scores for 0 to 9. The weights stay where the file's bytes are: on a board, in flash.
"""

import gc
import sys

from model import IMAGE_SIZE, DigitsNet

from burnpack.safetensors import Reader
from burnpack.store import BurnpackStore
from burnrt import tensor

DEEPEST = 16  # the value of a wholly inked pixel


def read(path):
    with open(path, "rb") as file:
        return file.read()


def heap():
    """Return the bytes in use on the heap, or 0 on an interpreter that can't tell."""
    return gc.mem_alloc() if hasattr(gc, "mem_alloc") else 0


def load(data):
    """Return the network with the weights of the Burnpack in `data`, which are not copied."""
    model = DigitsNet()
    model.load_from(BurnpackStore.from_static(data))
    return model


def scores_of(model, images, number):
    """Return the network's ten scores for one image."""
    pixels = images[number * IMAGE_SIZE : (number + 1) * IMAGE_SIZE]
    return model(tensor([pixel / DEEPEST for pixel in pixels], (1, 1, 8, 8)))[0]


held_out = Reader.from_static(read(sys.argv[2]))
images, labels = held_out.view("images"), held_out.view("labels")
file_bytes = read(sys.argv[1])
scores_of(load(file_bytes), images, 0)  # brings in all code, so that it isn't counted as the model's
gc.collect()
before = heap()
model = load(file_bytes)
gc.collect()
cost = heap() - before

right = 0
for number in range(len(labels)):
    scores = scores_of(model, images, number)
    right += scores.argmax() == labels[number]
    if "--scores" in sys.argv:
        print(" ".join(["%.7g" % score for score in scores]))
print("right: %d of %d (%.2f %%)" % (right, len(labels), 100 * right / len(labels)))
if cost:
    print("heap: %d bytes for the model, besides its file of %d bytes" % (cost, len(file_bytes)))
