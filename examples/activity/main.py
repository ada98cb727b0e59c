"""Name what somebody does: a main.py for a board with an MPU-6050 on the wrist.

Wiring of a Raspberry Pi Pico: SDA to GP4, SCL to GP5, VCC to 3V3, GND to GND. For another board change the
pins. On the board beside this file: motion.py, wrist.py, burnrt.mpy and activity.bpk; README.md says how they
get there.
"""

import time

from machine import I2C, Pin
from motion import NAMES, RATE
from wrist import Wrist

from burnrt import Model

PERIOD = 1000 // RATE  # milliseconds

wrist = Wrist(I2C(0, sda=Pin(4), scl=Pin(5), freq=400_000))
model = Model("activity")

said = ""
due = time.ticks_ms()
while True:
    name = NAMES[model(wrist.read()).argmax()]  # the state is kept from sample to sample
    if name != said:
        print(name)
        said = name
    due = time.ticks_add(due, PERIOD)
    time.sleep_ms(max(0, time.ticks_diff(due, time.ticks_ms())))
