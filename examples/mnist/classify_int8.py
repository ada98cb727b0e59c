"""Classify the held-out digits with the quantized tiny network, on CPython and on MicroPython alike.

    python examples/mnist/classify_int8.py TINY.bpk tiny_test.safetensors [COUNT]

The network's class is not needed: the file says what to compute. Pixels go in as they are. Prints each
answer's digit, all in one line, and how many were right.
"""

import sys

from burnpack.safetensors import Reader as Images
from burnrt import Model

PIXELS = 784


def read(path):
    with open(path, "rb") as file:
        return file.read()


model = Model(read(sys.argv[1]))
assert abs(model.inputs[0].scale * 255 - 1.0) < 1e-6, "a pixel is no step"
held_out = Images.from_static(read(sys.argv[2]))
images, labels = held_out.view("images"), held_out.view("labels")
count = int(sys.argv[3]) if len(sys.argv) > 3 else len(labels)

answers = []
for number in range(count):
    model.input[:] = images[number * PIXELS : (number + 1) * PIXELS]
    model.run()
    scores = list(model.output)
    answers.append(scores.index(max(scores)))
print("".join([str(digit) for digit in answers]))
right = sum([answer == labels[number] for number, answer in enumerate(answers)])
print("right: %d of %d" % (right, count))
