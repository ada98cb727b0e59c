"""Classify held-out digits with the small MobileNetV2, on CPython and on MicroPython alike.

    python examples/mobilenet/classify.py MODEL.bpk tiny_test.safetensors [COUNT]

The model may compute with floats or with integers; its file says how. Prints each answer's digit, all in one
line, and how many were right.
"""

import sys

from burnpack.safetensors import Reader  # only to read the images
from burnrt import Model

PIXELS = 784
DEEPEST = 255  # the value of a wholly inked pixel

with open(sys.argv[2], "rb") as file:
    held_out = Reader.from_static(file.read())
images, labels = held_out.view("images"), held_out.view("labels")
count = int(sys.argv[3]) if len(sys.argv) > 3 else len(labels)
model = Model(sys.argv[1])

answers = []
for number in range(count):
    image = images[number * PIXELS : (number + 1) * PIXELS]
    answers.append(model([pixel / DEEPEST for pixel in image]).argmax())
print("".join([str(digit) for digit in answers]))
print("right: %d of %d" % (sum([answer == labels[number] for number, answer in enumerate(answers)]), count))
