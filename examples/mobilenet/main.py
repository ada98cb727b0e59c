"""Classify the images that lie on the board: a main.py for any board.

On the board beside this file: burnrt.mpy, mobilenet8.bpk, and images, files of 784 bytes that end in .bin: 28
rows of 28 pixels, from 0 (paper) to 255 (ink). README.md says how they get there.
"""

import os
import time

from burnrt import Model

DEEPEST = 255  # the value of a wholly inked pixel

model = Model("mobilenet8")
for name in sorted(os.listdir()):
    if name.endswith(".bin"):
        with open(name, "rb") as file:
            image = file.read()
        began = time.ticks_ms()
        digit = model([pixel / DEEPEST for pixel in image]).argmax()
        print("%s: %d, after %d ms" % (name, digit, time.ticks_diff(time.ticks_ms(), began)))
